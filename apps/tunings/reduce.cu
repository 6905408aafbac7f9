// Sums of f32 by keys of 4 bytes.
#include <lookback/reduce_by_key.hpp>

#include "dispatch/compaction_tables.hpp"
#include "forms.cuh"

namespace lookback::dispatch {

namespace {

template <class Tuning>
bool reduce_by_form(place const& on, reduce_request const& r) {
  bool const keys = size_of(r.key_type) == 4 && !is_float(r.key_type);
  if (!keys || r.type != element::f32 || r.op != operation::plus || r.state || r.reproducible || !is_default(r.how)) return false;
  reduce_by_key_async(on_queue(on).with(Tuning{}), items_at<std::uint32_t>(r.keys, r.n), items_at<float>(r.values, r.n),
                      room_at<std::uint32_t>(r.keys_out, r.n), room_at<float>(r.values_out, r.n), r.count);
  return true;
}

template <class Tuning>
struct reduce_form {
  static tuned_form make() { return {.sizes = {}, .reduce = reduce_by_form<Tuning>}; }
};

}  // namespace

std::vector<tuned_forms> reduce_forms() {
  static auto const all = list_of_forms<reduce_form>()
                              .add_grid(std::integer_sequence<int, 48, 64, 80, 96, 112, 128>{})
                              .add_others<320, 112>()
                              .add_others<384, 80>()
                              .add_others<256, 80>();
  return {{"reduce-by-key", element::f32, 4, {320, 112, 3, 1}, all.all().data(), all.all().size()}};
}

}  // namespace lookback::dispatch
