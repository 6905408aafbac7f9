// The sinks that algorithms are made of, on their own: compact<k> sends every item to the end of one of k outputs, per_segment
// leaves one result for each segment.
#include <algorithm>
#include <lookback/sink.hpp>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "random.hpp"
#include "shapes.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

struct sinks : on_device {};

/// More tiles than a GPU has blocks at once, several times; the CPU has tiny tiles among its policies.
std::size_t many() { return up_to(on_gpu ? 5'000'011 : 300'007); }

/// The class of an item: its value modulo k + 1, of which class k is dropped; with one class, so that `per_mille` stay.
template <int Classes>
struct class_of {
  std::uint32_t per_mille;
  LOOKBACK_FN int operator()(std::uint32_t x) const {
    if (Classes == 1) return x % 1000 < per_mille ? 0 : 1;
    return static_cast<int>(x % (Classes + 1));
  }
};

template <int Classes>
std::vector<std::vector<std::uint32_t>> classes_of(std::vector<std::uint32_t> const& in, class_of<Classes> of, bool backwards) {
  std::vector<std::vector<std::uint32_t>> kept(Classes + 1);
  for (std::size_t k = 0; k < in.size(); ++k) {
    std::uint32_t const x = in[backwards ? in.size() - 1 - k : k];
    kept[static_cast<std::size_t>(of(x))].push_back(x);
  }
  kept.pop_back();
  return kept;
}

template <int Classes, class On, class Sink>
void compact_into(On const& on, array<std::uint32_t> const& in, class_of<Classes> of, Sink const& sink) {
  auto const items = lookback::as_input(lookback::mapped(in, of));
  using source = lookback::source<std::remove_const_t<decltype(items.items)>, lookback::no_segments, int>;
  scan_into(on, items.size, source{items.items, {}, {}}, lookback::ranks<Classes>{}, sink);
}

/// Which classes fill their output from its end.
enum class backwards { none, odd, even };

template <int Classes>
void check_compact(std::size_t n, class_of<Classes> of, backwards which, lookback::direction from) {
  SCOPED_TRACE("n = " + std::to_string(n) + ", classes " + std::to_string(Classes));
  auto const in = random_values<std::uint32_t>(n, n + Classes);
  auto want = classes_of(in, of, from == lookback::right_to_left);
  auto const reversed = [which](std::size_t c) { return which != backwards::none && (c % 2 == 0) == (which == backwards::even); };
  for (std::size_t c = 0; c < Classes; ++c)
    if (reversed(c)) std::reverse(want[c].begin(), want[c].end());
  each_policy([&](auto const& on) {
    array<std::uint32_t> const source(in, 1);
    std::vector<array<std::uint32_t>> outputs;
    outputs.reserve(Classes);
    array<index_t> counts(Classes);
    lookback::compact<Classes, std::uint32_t> sink{};
    sink.counts = counts.data();
    for (int c = 0; c < Classes; ++c) {
      outputs.emplace_back(want[static_cast<std::size_t>(c)].size(), static_cast<std::size_t>(c) % 7);
      sink.reversed[c] = reversed(static_cast<std::size_t>(c));
      sink.outputs[c] = sink.reversed[c] ? outputs.back().end() : outputs.back().begin();
    }
    compact_into(on.with(from), source, of, sink);
    auto const got = counts.host();
    for (std::size_t c = 0; c < Classes; ++c) {
      EXPECT_EQ(got[c], std::ssize(want[c])) << "class " << c;
      EXPECT_TRUE(same(outputs[c].host(), want[c])) << "class " << c;
      EXPECT_TRUE(outputs[c].intact()) << "class " << c;
    }
  });
}

TEST_F(sinks, compact_one_class) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{4097}, many()})
    for (std::uint32_t const per_mille : {0, 10, 500, 990, 1000})
      for (auto const from : {lookback::left_to_right, lookback::right_to_left})
        for (auto const which : {backwards::none, backwards::even}) check_compact<1>(n, {per_mille}, which, from);
}

TEST_F(sinks, compact_two_and_three_classes) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, many()})
    for (auto const which : {backwards::none, backwards::odd}) {
      check_compact<2>(n, {0}, which, lookback::left_to_right);
      check_compact<3>(n, {0}, which, lookback::left_to_right);
    }
}

TEST_F(sinks, compact_sixteen_classes) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(100003)})
    check_compact<16>(n, {0}, backwards::odd, lookback::left_to_right);
}

/// One array: the items of each class behind those of all classes before it, in order. Dropped ones leave room at its end.
TEST_F(sinks, compact_classes_behind_each_other) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, many()})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      SCOPED_TRACE("n = " + std::to_string(n));
      auto const in = random_values<std::uint32_t>(n, n + 5);
      auto const classes = classes_of<3>(in, {0}, from == lookback::right_to_left);
      std::vector<std::uint32_t> want;
      for (auto const& each : classes) want.insert(want.end(), each.begin(), each.end());
      array<std::uint32_t> const source(in, 1);
      each_policy([&](auto const& on) {
        array<std::uint32_t> out(want.size(), 3);
        array<index_t> counts(3);
        lookback::compact<3, std::uint32_t> sink{};
        for (auto& each : sink.outputs) each = out.begin();
        sink.counts = counts.data(), sink.stacked = true;
        compact_into<3>(on.with(lookback::reduce_then_scan{}).with(from), source, {0}, sink);
        auto const got = counts.host();
        for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(got[c], std::ssize(classes[c])) << "class " << c;
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_TRUE(out.intact());
      });
    }
}

/// A strategy that reads once cannot know where the second class begins.
TEST_F(sinks, classes_behind_each_other_take_two_passes) {
  array<std::uint32_t> const source(std::vector<std::uint32_t>(100, 1));
  array<std::uint32_t> out(100);
  array<index_t> counts(3);
  lookback::compact<3, std::uint32_t> sink{};
  for (auto& each : sink.outputs) each = out.begin();
  sink.counts = counts.data(), sink.stacked = true;
  each_one_pass_policy([&](auto const& on) { EXPECT_THROW(compact_into<3>(on, source, {0}, sink), lookback::invalid_argument); });
}

/// A source of two arrays: flags say which of the values stay.
template <class T>
struct flagged_items {
  T const* data;
  std::uint8_t const* flags;
  LOOKBACK_FN lookback::arrays<T, std::uint8_t> arrays() const { return {data, {flags, {}}}; }
  LOOKBACK_FN int operator()(index_t, T const&, std::uint8_t keep) const { return keep ? 0 : 1; }
};

template <class T>
void check_flagged(std::size_t n, std::size_t misaligned) {
  SCOPED_TRACE("n = " + std::to_string(n) + ", items of " + std::to_string(sizeof(T)) + " bytes");
  auto const in = random_values<T>(n, n);
  auto const keep = random_values<std::uint8_t>(n, n + 1);
  std::vector<std::uint8_t> flags(n);
  std::vector<T> want;
  for (std::size_t i = 0; i < n; ++i)
    if ((flags[i] = keep[i] % 3 == 0 ? keep[i] : 0) != 0) want.push_back(in[i]);
  array<T> const values(in, misaligned);
  array<std::uint8_t> const described(flags, misaligned + 2);
  each_policy([&](auto const& on) {
    array<T> out(want.size(), misaligned + 1);
    array<index_t> count(1);
    using from = lookback::source<flagged_items<T>, lookback::no_segments, int>;
    scan_into(on, lookback::size{static_cast<index_t>(n)}, from{{values.data(), described.data()}, {}, {}}, lookback::ranks<1>{},
              lookback::compact<1, T>{{out.data()}, count.data(), {false}, {}});
    EXPECT_EQ(count.host()[0], std::ssize(want));
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(out.intact());
  });
}

TEST_F(sinks, compact_by_flags_items_of_any_width) {
  for (std::size_t const misaligned : {0, 1, 5})
    for (std::size_t const n : {std::size_t{1}, std::size_t{999}, up_to(100003)}) {
      check_flagged<std::uint8_t>(n, misaligned);
      check_flagged<double>(n, misaligned);
      check_flagged<matrix>(n, misaligned);
    }
}

TEST_F(sinks, compact_in_place) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, many()})
    for (std::uint32_t const per_mille : {0, 10, 500, 990, 1000}) {
      auto const in = random_values<std::uint32_t>(n, n);
      auto const want = classes_of<1>(in, {per_mille}, false)[0];
      auto const run = [&](auto const& on) {
        array<std::uint32_t> data(in, 3);
        array<index_t> count(1);
        compact_into<1>(on, data, {per_mille}, lookback::compact<1, std::uint32_t>{{data.data()}, count.data(), {false}, {}});
        auto got = data.host();
        ASSERT_EQ(count.host()[0], std::ssize(want));
        got.resize(want.size());
        EXPECT_TRUE(same(got, want));
        EXPECT_TRUE(data.intact());
      };
      if (sees_copy_engine()) each_number_of_passes(run);
      else each_policy(run);
    }
}

/// One product or sum for each segment, in order; empty segments too where the description knows them.
template <class T, class Op, class Described, class Describe>
void check_per_segment(std::vector<T> const& in, Op op, std::vector<Described> const& description, Describe describe_it,
                       std::vector<std::int64_t> const& offsets, lookback::maybe<T> initial, std::size_t misaligned = 1) {
  std::vector<T> want;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    T total = initial.has ? initial.value : Op::identity();
    for (auto i = offsets[s]; i < offsets[s + 1]; ++i) total = op(total, in[static_cast<std::size_t>(i)]);
    want.push_back(total);
  }
  auto const run = [&](auto const& on) {
    array<T> const source(in);
    array<Described> const there(description, misaligned);
    array<T> out(want.size(), 3 * misaligned);
    array<index_t> count(1);
    auto const items = lookback::as_input(source);
    auto const segments = describe_it(there);
    using from = lookback::source<lookback::elements<T>, lookback::segments, T>;
    scan_into(on, items.size, from{items.items, segments, initial}, lookback::segmented<Op>{op},
              lookback::per_segment<T>{out.data(), count.data(), {}});
    EXPECT_EQ(count.host()[0], std::ssize(want));
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(out.intact());
  };
  if constexpr (std::is_arithmetic_v<T>) each_number_of_passes(run);
  else each_policy(run);
}

auto const by_offsets = [](auto const& a) { return lookback::offsets(a); };

TEST_F(sinks, per_segment) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(100003)})
    for (auto s : shapes(n, tile_items<matrix>())) {
      SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
      auto const in = random_values<matrix>(n, n);
      s.heads[0] = 1;
      auto const offsets = offsets_of<std::int64_t>(s.heads), with_empty = offsets_of<std::int64_t>(s.heads, 2, 3);
      for (auto const& initial : {lookback::maybe<matrix>{}, lookback::maybe<matrix>{{1, 2, 3, 4}}}) {
        check_per_segment(in, times_matrix{}, with_empty, by_offsets, with_empty, initial);
        check_per_segment(
            in, times_matrix{}, flags_of<flag>(s.heads), [](auto const& a) { return lookback::head_flags(a); }, offsets, initial);
        check_per_segment(
            in, times_matrix{}, keys_of<std::int32_t>(s.heads), [](auto const& a) { return lookback::keys(a); }, offsets, initial);
      }
    }
}

TEST_F(sinks, per_segment_of_numbers) {
  for (std::size_t const n : {std::size_t{2}, std::size_t{999}, up_to(200003), many()})
    for (auto s : shapes(n, tile_items<std::int32_t>())) {
      if (n > 1'000'000 && s.name.find("tile") != std::string::npos) continue;
      SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
      s.heads[0] = 1;
      auto const in = random_values<std::int32_t>(n, n);
      auto const offsets = offsets_of<std::int64_t>(s.heads), with_empty = offsets_of<std::int64_t>(s.heads, 1, 2);
      using sum = lookback::plus<std::int32_t>;
      check_per_segment(in, sum{}, offsets_of<std::int32_t>(s.heads, 1, 2), by_offsets, with_empty,
                        lookback::maybe<std::int32_t>{});
      check_per_segment(
          in, sum{}, flags_of<flag>(s.heads), [](auto const& a) { return lookback::head_flags(a); }, offsets,
          lookback::maybe<std::int32_t>{7});
      for (std::size_t const misaligned : {0, 1})
        check_per_segment(
            in, sum{}, bits_of(s.heads), [](auto const& a) { return lookback::head_bits(a); }, offsets,
            lookback::maybe<std::int32_t>{}, misaligned);
      check_per_segment(
          in, sum{}, flags_of<flag>(s.heads), [](auto const& a) { return lookback::head_flags(a); }, offsets,
          lookback::maybe<std::int32_t>{}, 0);
    }
}

TEST_F(sinks, per_segment_of_rows) {
  for (std::int64_t const length : {1, 7, 127, 128, 512, 1000, 4096, 100000}) {
    auto const n = static_cast<std::int64_t>(up_to(100003));
    std::vector<std::int64_t> offsets;
    for (std::int64_t i = 0; i < n; i += length) offsets.push_back(i);
    offsets.push_back(n);
    for (auto const& initial : {lookback::maybe<std::int32_t>{}, lookback::maybe<std::int32_t>{7}})
      check_per_segment(
          random_values<std::int32_t>(static_cast<std::size_t>(n), 1), lookback::plus<std::int32_t>{}, std::vector<flag>(1),
          [&](auto const&) { return lookback::rows_of(length); }, offsets, initial);
  }
}

TEST_F(sinks, per_segment_of_nothing_but_empty_ones) {
  std::vector<std::int64_t> const offsets((small() ? 10'000u : 2'000'000u) + 1, 0);
  check_per_segment(std::vector<matrix>{}, times_matrix{}, offsets, by_offsets, offsets, {});
}

TEST_F(sinks, nothing_in_nothing_out) {
  check_compact<1>(0, {500}, backwards::none, lookback::left_to_right);
  check_compact<3>(0, {0}, backwards::odd, lookback::left_to_right);
  check_per_segment(
      std::vector<std::int32_t>{}, lookback::plus<std::int32_t>{}, std::vector<flag>{},
      [](auto const& a) { return lookback::head_flags(a); }, std::vector<std::int64_t>{0}, lookback::maybe<std::int32_t>{});
}
