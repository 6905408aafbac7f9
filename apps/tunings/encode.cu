// Values and lengths of runs of 4-byte items. The bytes of a thread are those of lengths, which are the wider.
#include <lookback/run_length_encode.hpp>

#include "dispatch/as_bits.hpp"
#include "dispatch/compaction_tables.hpp"
#include "forms.cuh"

namespace lookback::dispatch {

namespace {

template <class Tuning>
bool encode_by_form(place const& on, runs_request const& r) {
  if (!r.lengths || r.state || size_of(r.type) != 4 || !is_default(r.how)) return false;
  run_length_encode_async(on_queue(on).with(Tuning{}), items_at<std::uint32_t>(r.in, r.n), room_at<std::uint32_t>(r.firsts, r.n),
                          room_at<index_t>(r.lengths, r.n), r.count, same_bits_of<std::uint32_t>(r.type, r.by_bits));
  return true;
}

template <class Tuning>
struct encode_form {
  static tuned_form make() { return {.sizes = {}, .runs = encode_by_form<Tuning>}; }
};

}  // namespace

std::vector<tuned_forms> encode_forms() {
  static auto const all = list_of_forms<encode_form>()
                              .add_grid(std::integer_sequence<int, 48, 80, 112, 144, 176>{})
                              .add_others<448, 144>()
                              .add_others<384, 80>()
                              .add_others<320, 112>();
  std::vector<tuned_forms> made;
  for (element const type : {element::i32, element::u32, element::f32})
    made.push_back({"rle encode", type, 8, {448, 144, 3, 1}, all.all().data(), all.all().size()});
  return made;
}

}  // namespace lookback::dispatch
