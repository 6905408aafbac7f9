// Selections of 4-byte items by a range, without what is rejected.
#include <lookback/select_if.hpp>

#include "dispatch/as_bits.hpp"
#include "dispatch/compaction_tables.hpp"
#include "forms.cuh"

namespace lookback::dispatch {

namespace {

template <class Tuning>
bool select_by_form(place const& on, select_request const& r) {
  if (r.flags || r.rejected || size_of(r.type) != 4 || !is_default(r.how)) return false;
  select_if_async(on_queue(on).with(Tuning{}), items_at<std::uint32_t>(r.in, r.n), room_at<std::uint32_t>(r.kept, r.n),
                  bits_between_of<std::uint32_t>(r.type, r.low, r.high), r.counts);
  return true;
}

template <class Tuning>
struct select_form {
  static tuned_form make() { return {.sizes = {}, .select = select_by_form<Tuning>}; }
};

}  // namespace

std::vector<tuned_forms> select_forms() {
  static auto const all = list_of_forms<select_form>()
                              .add_grid(few_bytes{})
                              .add_others<320, 112>()
                              .add_others<384, 80>()
                              .add_others<256, 112>()
                              .add_others<448, 80>();
  std::vector<tuned_forms> made;
  for (element const type : {element::i32, element::u32, element::f32})
    made.push_back({"select", type, 4, {320, 112, 3, 2}, all.all().data(), all.all().size()});
  return made;
}

}  // namespace lookback::dispatch
