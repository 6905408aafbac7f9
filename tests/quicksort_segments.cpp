// quicksort inside of segments against std::stable_sort of each: every shape of segments and way to say where they lie.
#include "check_quicksort.hpp"

using namespace harness;

struct quicksort_segments : on_device {};

template <class Body>
void each_shape_of(Body body) {
  for (auto const& s : segment_shapes()) body(s), body(scattered_about(s));
}

TEST_F(quicksort_segments, of_words) {
  each_shape_of([](segments_of const& s) { check_items_of_segments(any_words<std::uint32_t>(s.n, s.n), by_high_bits{}, s, 1); });
}
TEST_F(quicksort_segments, of_structs) {
  each_shape_of([](segments_of const& s) {
    check_items_of_segments(tickets_of(s.n), by_group_then_price{}, s);
    if (s.touching) check_items_of_segments(random_values<wide>(s.n, s.n), by_first_words{}, s);
  });
}
/// Of the widest items, whose entries leave a thread few on chip.
TEST_F(quicksort_segments, of_wide_items_with_values) {
  each_shape_of([](segments_of const& s) {
    check_items_of_segments_with(doubles_of(s.n), by_key_alone{}, s, 0, random_values<std::uint32_t>(s.n, 2));
    if (s.touching) check_items_of_segments_with(lines_of(s.n), by_key_alone{}, s, 0, random_values<std::uint8_t>(s.n, 2));
  });
}
/// Nobody looks whether segments overlap: other memory stays.
TEST_F(quicksort_segments, overlapping_ones_are_harmless) {
  auto const n = static_cast<index_t>(up_to(70'000));
  auto const keys = any_words<std::uint32_t>(static_cast<std::size_t>(n), 1);
  for (std::size_t const times : {std::size_t{2}, std::size_t{4}, std::size_t{9}}) {
    array<index_t> const begins(std::vector<index_t>(times, 0)), ends(std::vector<index_t>(times, n));
    each_policy([&](auto const& on) {
      array<std::uint32_t> data(keys), with(keys);
      array<double> values(random_values<double>(keys.size(), 2));
      lookback::quicksort(on, data, falling{}, lookback::offsets(begins, ends));
      lookback::quicksort(on, with, values, falling{}, lookback::offsets(begins, ends));
      EXPECT_TRUE(data.intact() && with.intact() && values.intact());
    });
  }
}
TEST_F(quicksort_segments, with_values) {
  each_shape_of([](segments_of const& s) {
    check_items_of_segments_with(any_words<std::uint32_t>(s.n, s.n), by_high_bits{}, s, 1, random_values<std::uint32_t>(s.n, 2));
    if (!s.touching)
      check_items_of_segments_with(any_words<std::uint64_t>(s.n, s.n), falling{}, s, 0, random_values<triple>(s.n, 2),
                                   random_values<std::uint8_t>(s.n, 3));
  });
}
TEST_F(quicksort_segments, a_hundred_thousand) {
  auto const s = side_by_side("of 0 to 40", lengths_between(small() ? 3'000 : 100'000, 0, 40));
  check_items_of_segments(any_words<std::uint32_t>(s.n, 1), by_high_bits{}, s);
}

/// Each segment asks of its own items alone: an item says which one it belongs to.
struct of_one_segment {
  bool* mixed;
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const {
    if (a >> 24 != b >> 24) *mixed = true;
    return (a & 0xFFFFFF) < (b & 0xFFFFFF);
  }
};
TEST_F(quicksort_segments, compares_no_items_of_different_ones) {
  auto const s = side_by_side("of many lengths", {0, 1, 31, 33, 140, 1000, 5000, 20'000, 7, 2});
  auto in = any_words<std::uint32_t>(s.n, 5);
  for (std::size_t k = 0; k < s.begins.size(); ++k)
    for (auto i = static_cast<std::size_t>(s.begins[k]); i < static_cast<std::size_t>(s.ends[k]); ++i)
      in[i] = (in[i] & 0xFFFFFF) | static_cast<std::uint32_t>(k) << 24;
  array<std::int64_t> const offsets(s.offsets());
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in);
    array<std::uint8_t> flag(std::vector<std::uint8_t>{0});
    lookback::segmented_quicksort(on, data, lookback::offsets(offsets), of_one_segment{reinterpret_cast<bool*>(flag.data())});
    auto const got = data.host();
    for (std::size_t k = 0; k < s.begins.size(); ++k)
      EXPECT_TRUE(std::is_sorted(got.begin() + s.begins[k], got.begin() + s.ends[k]));
    EXPECT_EQ(flag.host()[0], 0);
  });
}
