// Results of segments that are cut into chunks are those of one call, by every description.
#include <algorithm>
#include <lookback/reduce_by_key.hpp>
#include <lookback/spmv.hpp>

#include "chunks.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "keyed.hpp"
#include "refused.hpp"
#include "sparse.hpp"

using namespace harness;
using lookback::index_t;

struct carry_segments : on_device {};

/// `describe(array, first, last)` gives the segments of a chunk; `ByOffsets` says that results lie where the whole has them.
template <class Key, bool ByOffsets = false, class T, class Op, class Described, class Describe>
void check_segments(heads const& h, std::vector<Described> const& description, Describe describe, Op op, std::uint64_t seed,
                    std::vector<T> const& want, std::vector<T> const& in, std::optional<T> initial, std::size_t of = 1) {
  std::size_t const n = h.size();
  each_policy([&](auto const& on) {
    constexpr bool wholes = ByOffsets;
    array<T> const source(in);
    array<Described> const described(description);
    array<lookback::carried<T, Key>> state(2);
    array<T> all(wholes ? want.size() : 0);
    std::vector<T> got;
    index_t ended = 0;
    closing_chunks(on, cuts_some_empty(n, seed, of), state, [&](auto const& chunk, std::size_t first, std::size_t last) {
      array<T> out(last - first + 1);
      auto& to = wholes ? all : out;
      auto const items = part(source, first, last);
      auto const segments = describe(described, first, last);
      index_t const here = initial ? lookback::segmented_reduce(chunk, items, segments, to, op, *initial)
                                   : lookback::segmented_reduce(chunk, items, segments, to, op);
      ended += here;
      if (!wholes) append(got, out, here);
    });
    if (wholes) append(got, all, std::ssize(want));
    EXPECT_EQ(ended, std::ssize(want));
    EXPECT_TRUE(same(got, want));
  });
}

/// What a plain loop makes of the segments that offsets describe.
template <class T, class Op>
std::vector<T> reduced(std::vector<T> const& in, std::vector<std::int32_t> const& offsets, Op op, std::optional<T> initial) {
  std::vector<T> all;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::optional<T> total = initial;
    for (auto i = static_cast<std::size_t>(offsets[s]); i < static_cast<std::size_t>(offsets[s + 1]); ++i)
      total = total ? op(*total, in[i]) : in[i];
    all.push_back(total ? *total : Op::identity());
  }
  return all;
}

template <class T, class Op>
void check_every_description(heads const& h, Op op, std::uint64_t seed, std::optional<T> initial) {
  std::size_t const n = h.size();
  auto const in = random_values<T>(n, seed);
  auto const by_heads = n == 0 ? std::vector<T>{} : reduced(in, offsets_of<std::int32_t>(h), op, initial);
  // A tool sees one description a shape, another one for each of those with which it sees a type.
  std::uint64_t turn = seed / 4;
  auto const sees = [&] { return !on_gpu || !small() || turn++ % 5 == 0; };
  auto const check = [&]<class Key>(Key, auto const& description, auto describe, std::size_t of = 1) {
    if (sees()) check_segments<Key>(h, description, describe, op, seed, by_heads, in, initial, of);
  };
  check(char{}, flags_of<flag>(h),
        [](auto const& f, std::size_t first, std::size_t last) { return lookback::head_flags(part(f, first, last)); });
  check(
      char{}, bits_of(h),
      [](auto const& b, std::size_t first, std::size_t last) { return lookback::head_bits(part(b, first / 8, (last + 7) / 8)); },
      8);
  check(std::int32_t{}, keys_of<std::int32_t>(h),
        [](auto const& k, std::size_t first, std::size_t last) { return lookback::keys(part(k, first, last)); });
  auto offsets = offsets_of<std::int32_t>(h, 2, 3);
  offsets.insert(offsets.begin(), 2, 0), offsets.push_back(static_cast<std::int32_t>(n));
  auto const want = reduced(in, offsets, op, initial);
  if (sees())
    check_segments<char, true>(
        h, offsets, [](auto const& o, std::size_t, std::size_t) { return lookback::offsets(o); }, op, seed, want, in, initial);
  if (sees())
    check_segments<char, true>(
        h, std::vector<std::int64_t>(offsets.begin(), offsets.end()),
        [](auto const& o, std::size_t, std::size_t) { return lookback::known_offsets(o); }, op, seed, want, in, initial);
}

TEST_F(carry_segments, results_of_segments) {
  each_cut_shape([](heads const& h, std::uint64_t seed) {
    auto const sees = [&](std::uint64_t one) { return !on_gpu || !small() || seed % 4 == one; };  // a tool sees one a shape
    if (sees(0)) check_every_description<std::int32_t>(h, lookback::plus<std::int32_t>{}, seed, {});
    if (sees(1)) check_every_description<std::int32_t>(h, lookback::plus<std::int32_t>{}, seed, 7);
    if (sees(2)) check_every_description<matrix>(h, times_matrix{}, seed, {});
    if (sees(3)) check_every_description<matrix>(h, times_matrix{}, seed, matrix{1, 2, 3, 4});
  });
}

TEST_F(carry_segments, results_of_rows) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{500}, up_to(60'003)})
    for (std::size_t const length : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{100'000}}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", rows of " + std::to_string(length));
      heads h(n, 0);
      std::vector<std::int32_t> offsets;
      for (std::size_t i = 0; i < n; i += length) h[i] = 1, offsets.push_back(static_cast<std::int32_t>(i));
      offsets.push_back(static_cast<std::int32_t>(n));
      auto const in = random_values<matrix>(n, length);
      auto const rows = [&](auto const&, std::size_t, std::size_t) { return lookback::rows_of(static_cast<index_t>(length)); };
      check_segments<char>(h, std::vector<char>{}, rows, times_matrix{}, n + length,
                           reduced<matrix>(in, offsets, times_matrix{}, {}), in, std::optional<matrix>{});
    }
}

TEST_F(carry_segments, keys_of_a_type_known_at_run_time) {
  each_cut_shape([](heads const& h, std::uint64_t seed) {
    auto const in = random_values<std::int32_t>(h.size(), seed);
    std::uint64_t type = 0;
    auto const check = [&]<class Key>(Key) {
      if (on_gpu && small() && seed % 5 != type++) return;  // a tool sees one a shape
      auto const keys = keys_of<Key>(h);
      auto const starts = starts_of_runs(keys, lookback::equal_to{});
      std::vector<std::int32_t> const offsets(starts.begin(), starts.end());
      auto const want =
          h.empty() ? std::vector<std::int32_t>{} : reduced<std::int32_t>(in, offsets, lookback::plus<std::int32_t>{}, {});
      auto const describe = [](auto const& k, std::size_t first, std::size_t last) {
        return lookback::segments(lookback::detail::without_container_t<decltype(lookback::keys(part(k, first, last)))>(
            lookback::keys(part(k, first, last))));
      };
      check_segments<lookback::any_key>(h, keys, describe, lookback::plus<std::int32_t>{}, seed, want, in,
                                        std::optional<std::int32_t>{});
    };
    check(std::uint8_t{}), check(std::uint16_t{}), check(float{}), check(double{}), check(std::int64_t{});
  });
}

/// What is left of the API, once each: flags of four bytes, keys under an equality of one's own, values before every row.
TEST_F(carry_segments, other_descriptions) {
  each_cut_shape([](heads const& h, std::uint64_t seed) {
    auto const in = random_values<std::int32_t>(h.size(), seed);
    lookback::plus<std::int32_t> const op;
    auto const by_heads = h.empty() ? std::vector<std::int32_t>{} : reduced<std::int32_t>(in, offsets_of<std::int32_t>(h), op, 3);
    check_segments<char>(
        h, flags_of<std::uint32_t>(h),
        [](auto const& f, std::size_t first, std::size_t last) { return lookback::head_flags(part(f, first, last)); }, op, seed,
        by_heads, in, std::optional<std::int32_t>{3});
    auto const keys = random_values<std::uint16_t>(h.size(), seed + 1);
    auto const starts = starts_of_runs(keys, is_near{});
    auto const near = h.empty() ? std::vector<std::int32_t>{}
                                : reduced<std::int32_t>(in, std::vector<std::int32_t>(starts.begin(), starts.end()), op, {});
    check_segments<std::uint16_t>(
        h, keys, [](auto const& k, std::size_t first, std::size_t last) { return lookback::keys(part(k, first, last), is_near{}); },
        op, seed, near, in, std::optional<std::int32_t>{});
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < h.size(); i += 9) rows.push_back(static_cast<std::int32_t>(i));
    rows.push_back(static_cast<std::int32_t>(h.size()));
    check_segments<char>(
        h, std::vector<char>{}, [](auto const&, std::size_t, std::size_t) { return lookback::rows_of(9); }, op, seed,
        reduced<std::int32_t>(in, rows, op, 5), in, std::optional<std::int32_t>{5});
  });
}

// Rows of a matrix are cut, too. Results lie where the whole has them, and what is there is scaled and added once.
template <class Value, class Column, class Offset>
void check_products(named_lengths const& shape) {
  auto const a = random_matrix_of<Value>(shape.lengths, shape.columns, shape.lengths.size());
  auto const x = small_values<Value>(shape.columns, 3), before = small_values<Value>(a.rows(), 4);
  auto const want = multiplied_rows(a, x, 1);
  auto scaled = want;
  for (std::size_t r = 0; r < a.rows(); ++r) scaled[r] = static_cast<Value>(Value(2) * want[r] - before[r]);
  placed<Value, Column, Offset> const matrix(a);
  array<Value> const from(x);
  each_policy([&](auto const& on) {
    array<Value> y(a.rows()), added(before);
    array<lookback::carried<Value, char>> plain(2), affine(2);
    auto const rows = [&](std::size_t first, std::size_t last) {
      return lookback::csr_view{static_cast<index_t>(a.rows()), static_cast<index_t>(a.columns), matrix.offsets,
                                part(matrix.column_indices, first, last), part(matrix.values, first, last)};
    };
    closing_chunks(
        on, cuts_some_empty(a.values.size(), a.rows()), plain,
        [&](auto const& chunk, std::size_t first, std::size_t last) { lookback::spmv(chunk, rows(first, last), from, y); });
    closing_chunks(on, cuts_some_empty(a.values.size(), a.rows() + 1), affine,
                   [&](auto const& chunk, std::size_t first, std::size_t last) {
                     lookback::spmv(chunk, rows(first, last), from, added, Value(2), Value(-1));
                   });
    EXPECT_TRUE(same(y.host(), want) && same(added.host(), scaled));
    EXPECT_TRUE(y.intact() && added.intact());
  });
}

TEST_F(carry_segments, products_of_a_matrix) {
  for (auto const& shape : matrices()) {
    SCOPED_TRACE(shape.name);
    check_products<double, std::int32_t, std::int32_t>(shape);
    check_products<std::int32_t, std::int64_t, std::int64_t>(shape);
  }
}

// What comes after a description of segments may ask for the number of its segment: that of the whole.
struct with_number {
  LOOKBACK_FN std::int32_t operator()(index_t s, std::int32_t sum) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) * 3u + static_cast<std::uint32_t>(s));
  }
};
TEST_F(carry_segments, numbers_of_segments_are_those_of_the_whole) {
  heads const h = shapes(1000, 64)[3].heads;
  auto const in = random_values<std::int32_t>(h.size(), 5);
  auto const offsets = offsets_of<std::int32_t>(h, 2, 3);
  auto want = reduced<std::int32_t>(in, offsets, lookback::plus<std::int32_t>{}, {});
  for (std::size_t s = 0; s < want.size(); ++s) want[s] = with_number{}(static_cast<index_t>(s), want[s]);
  each_policy([&](auto const& on) {
    array<std::int32_t> const source(in), described(offsets);
    array<std::int32_t> out(want.size());
    array<lookback::carried<std::int32_t, char>> state(2);
    closing_chunks(on, cuts_some_empty(h.size(), 9), state, [&](auto const& chunk, std::size_t first, std::size_t last) {
      lookback::segmented_reduce(chunk, part(source, first, last), lookback::known_offsets(described),
                                 lookback::into(out, with_number{}), lookback::plus<std::int32_t>{});
    });
    EXPECT_TRUE(same(out.host(), want));
  });
}

// On a GPU the second kernel of a strategy would have to know how many tiles a chunk has.
TEST_F(carry_segments, by_offsets_under_every_strategy) {
  heads const h = shapes(up_to(20'000), 64)[3].heads;
  auto const in = random_values<matrix>(h.size(), 5);
  auto const offsets = offsets_of<std::int32_t>(h, 2, 3);
  auto const want = reduced<matrix>(in, offsets, times_matrix{}, {});
  each_strategy([&](auto const& on) {
    array<matrix> const source(in);
    array<std::int32_t> const described(offsets);
    array<matrix> out(want.size());
    array<lookback::carried<matrix>> state(2);
    auto const reduce = [&](auto const& chunk, std::size_t first, std::size_t last) {
      lookback::segmented_reduce(chunk, part(source, first, last), lookback::known_offsets(described), out, times_matrix{});
    };
    if constexpr (on_gpu && lookback::reads_twice<typename std::remove_cvref_t<decltype(on)>::strategy_type>) {
      expect_refused(
          out,
          [&] {
            reduce(on.with(lookback::carry<matrix>{nullptr, state.data()}), 0, h.size());
          },
          "reads once");
    } else {
      closing_chunks(on, cuts_some_empty(h.size(), 9), state, reduce);
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
    }
  });
}

// Chunks that are one of many: where they lie is told by the carry.
TEST_F(carry_segments, offsets_far_into_the_whole) {
  using carried = lookback::carried<std::int32_t>;
  std::int64_t const far = std::int64_t{1} << 33;
  auto const check = [](std::vector<std::int64_t> const& offsets, std::vector<std::int32_t> const& in, carried before,
                        std::vector<std::int32_t> const& want, std::optional<carried> leaves) {
    each_policy([&](auto const& on) {
      array<std::int32_t> const source(in);
      array<std::int64_t> const described(offsets);
      array<std::int32_t> out(std::vector<std::int32_t>(want.size(), -5));
      array<carried> state(std::vector<carried>{before, {7, 0, true, 7}});
      auto const chunk = on.with(lookback::carry<std::int32_t>{state.data(), leaves ? state.data() + 1 : nullptr});
      index_t const ended = lookback::segmented_reduce(chunk, source, lookback::offsets(described), out);
      EXPECT_EQ(out.host(), want);
      EXPECT_EQ(ended, std::ssize(want) - std::count(want.begin(), want.end(), -5));
      if (!leaves) return;
      auto const left = state.host()[1];
      EXPECT_TRUE(left.any == leaves->any && left.count == leaves->count && (!left.any || left.value == leaves->value))
          << left.value << " " << left.any << " " << left.count;
    });
  };
  std::vector<std::int32_t> const ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  carried const open{100, 0, true, far}, none{0, 0, false, far};
  // The last chunk: a segment that was open, an empty one, and one that ends.
  check({0, far + 3, far + 3, far + 10}, ten, open, {106, 0, 49}, {});
  // It ends all that is left: what was open, without an item more, and offsets beyond the whole.
  check({0, far + 9}, {}, open, {100}, {});
  check({0, far + 3, far + 90, far + 91}, ten, open, {106, 49, 0}, {});
  // A chunk between others: what has ended before is left alone, and what ends with its last item ends in it.
  check({0, far - 1, far, far, far + 4, far + 10, far + 10, far + 30}, ten, none, {-5, -5, -5, 10, 45, 0, -5},
        carried{0, 0, false, far + 10});
  check({0, far, far + 4, far + 30}, ten, none, {-5, 10, -5}, carried{45, 0, true, far + 10});
  // Nothing ends in it: what is open grows, or is handed on as it came.
  check({0, far + 30}, ten, open, {-5}, carried{155, 0, true, far + 10});
  check({0, far + 30}, {}, open, {-5}, carried{100, 0, true, far});
}

// Sums with promised bits have one tree for the whole.
TEST_F(carry_segments, reproducible_sums_by_offsets_are_not_cut) {
  std::vector<float> const in(10, 1);
  std::vector<std::int32_t> const whole{0, 4, 10};
  each_policy([&](auto const& on) {
    array<float> const source(in);
    array<std::int32_t> const at(whole);
    array<float> out(5);
    array<lookback::carried<float>> state(2);
    auto const chunk = on.with(lookback::reproducible).with(lookback::carry<float>{nullptr, state.data()});
    expect_refused(
        out, [&] { lookback::segmented_reduce(chunk, source, lookback::offsets(at), out); }, "between segments");
    expect_refused(
        out, [&] { lookback::segmented_reduce(chunk, source, lookback::known_offsets(at), out); }, "between segments");
    expect_refused(
        out, [&] { lookback::segmented_reduce(chunk, source, lookback::rows_of(2), out); }, "between segments");
  });
}
