// The CPU's peers of sorting records: the standard library's sorts of their places, by a function that looks at one column after
// another.
#include <algorithm>
#include <execution>
#include <numeric>
#include <string_view>

#include "peer_tables.hpp"
#include "records_peer.hpp"

namespace lookback::dispatch {

namespace {

struct by_string_view {
  static std::string_view view(record_text text) { return {text.characters, static_cast<std::size_t>(text.length)}; }
  int operator()(record_text a, record_text b) const { return view(a).compare(view(b)); }
};

auto before_of(records_request const& r) { return before_in(r, r.columns.data(), by_string_view{}); }

}  // namespace

std::vector<peer_of<records_request>> records_peers_on_cpu() {
  auto const any = [](records_request const&) { return true; };
  return {{"std::stable_sort", back_end::cpu, false, any,
           [](place const&, records_request const& r) {
             std::iota(r.order, r.order + r.n, index_t{0});
             std::stable_sort(r.order, r.order + r.n, before_of(r));
           }},
          {"std::stable_sort par", back_end::cpu, false, any, [](place const&, records_request const& r) {
             std::iota(r.order, r.order + r.n, index_t{0});
             std::stable_sort(std::execution::par, r.order, r.order + r.n, before_of(r));
           }}};
}

}  // namespace lookback::dispatch
