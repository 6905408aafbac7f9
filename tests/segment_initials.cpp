// One initial value per segment, from an array: every description, from both sides, inclusive and exclusive.
#include <lookback/model/segment_initials.hpp>
#include <span>

#include "check_scan.hpp"
#include "shapes.hpp"

using namespace harness;

struct segment_initials : on_device {};

using lookback::direction;

static_assert(lookback::initials_for<std::vector<int>, int> && lookback::initials_for<std::span<std::int32_t const>, std::int64_t>);
static_assert(!lookback::initials_for<int, int> && !lookback::initials_for<double, float>);
// An element that is a range: one of it is one initial value, a range of them is one per segment.
static_assert(!lookback::initials_for<std::array<float, 3>, std::array<float, 3>> &&
              lookback::initials_for<std::vector<std::array<float, 3>>, std::array<float, 3>>);

/// A shape with its segments numbered: number[i] is that of item i, of `count`.
struct numbered_shape {
  harness::heads heads;
  std::vector<std::size_t> number;
  std::size_t count = 0;

  explicit numbered_shape(harness::heads const& h) : heads(h), number(h.size()) {
    for (std::size_t i = 0; i < h.size(); ++i) {
      if (i == 0 || h[i] != 0) ++count;
      number[i] = count - 1;
    }
  }
};

/// The definition, as a plain loop: `number` of each item chooses its initial value.
template <class T, class Op>
std::vector<T> plain_loop(std::vector<T> const& in, numbered_shape const& s, Op op, std::vector<T> const& initials, bool exclusive,
                          direction from) {
  std::vector<T> out(in);
  auto const n = static_cast<std::ptrdiff_t>(in.size());
  bool const backwards = from == lookback::right_to_left;
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    auto const i = static_cast<std::size_t>(backwards ? n - 1 - k : k), last = backwards ? i + 1 : i - 1;
    bool const first = k == 0 || s.number[i] != s.number[last];
    T before = initials[s.number[i]];
    if (!first) before = exclusive ? (backwards ? op(in[last], out[last]) : op(out[last], in[last])) : out[last];
    out[i] = exclusive ? before : backwards ? op(in[i], before) : op(before, in[i]);
  }
  return out;
}

/// Scans under every policy with the description that `make` gives of an array on the back end, from both sides, inclusive and
/// exclusive, out of place and in place.
template <class T, class Op, class Description, class Make>
void check_initials(std::vector<T> const& in, numbered_shape const& s, Op op, std::vector<T> const& initials,
                    std::vector<Description> const& description, Make make, std::size_t misaligned = 0) {
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (bool const exclusive : {false, true}) {
      SCOPED_TRACE(describe(in.size(), exclusive, true, from));
      auto const want = plain_loop(in, s, op, initials, exclusive, from);
      each_policy([&](auto const& policy) {
        auto const on = policy.with(from);
        array<Description> const there(description, misaligned);
        array<T> const values(initials, misaligned);
        array<T> source(in, misaligned), apart(in.size(), misaligned);
        auto const check = [&](array<T>& out) {
          if (exclusive) lookback::exclusive_segmented_scan(on, source, make(there), out, op, values);
          else lookback::inclusive_segmented_scan(on, source, make(there), out, op, values);
          EXPECT_TRUE(same(out.host(), want));
          EXPECT_TRUE(out.intact());
        };
        check(apart);
        check(source);
      });
    }
}

auto const as_flags = [](auto const& there) { return lookback::head_flags(there); };
auto const as_bits = [](auto const& there) { return lookback::head_bits(there); };
auto const as_offsets = [](auto const& there) { return lookback::offsets(there); };
auto const as_keys = [](auto const& there) { return lookback::keys(there); };

/// x -> factor * x + term modulo 2^32. Maps one after the other do not commute and forget nothing; no identity is named: the
/// initial values are all that is needed.
struct affine {
  std::uint32_t factor, term;
  friend LOOKBACK_FN bool operator==(affine const& a, affine const& b) { return a.factor == b.factor && a.term == b.term; }
  friend std::ostream& operator<<(std::ostream& to, affine const& a) { return to << a.factor << " x + " << a.term; }
};
struct then {
  LOOKBACK_FN affine operator()(affine const& a, affine const& b) const {
    return {a.factor * b.factor, a.term * b.factor + b.term};
  }
};

inline std::vector<affine> random_maps(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<affine> maps(n);
  for (auto& m : maps) m = {static_cast<std::uint32_t>(random.next()) | 1, static_cast<std::uint32_t>(random.next())};
  return maps;
}

/// Calls body(in, shape, initials) for every shape.
template <class Body>
void each_shape(Body body) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{130}, up_to(60013)})
    for (auto const& s : shapes(n, tile_items<affine>())) {
      SCOPED_TRACE(s.name);
      numbered_shape const shape(s.heads);
      body(random_maps(n, n), shape, random_maps(shape.count, n + 1));
    }
}

TEST_F(segment_initials, by_flags_and_bits) {
  each_shape([](auto const& in, numbered_shape const& s, auto const& initials) {
    check_initials(in, s, then{}, initials, flags_of<std::uint8_t>(s.heads), as_flags, 1);
    check_initials(in, s, then{}, initials, bits_of(s.heads), as_bits);
  });
}

TEST_F(segment_initials, by_keys_and_wide_flags) {
  each_shape([](auto const& in, numbered_shape const& s, auto const& initials) {
    check_initials(in, s, then{}, initials, keys_of<std::uint16_t>(s.heads), as_keys, 3);
    check_initials(in, s, then{}, initials, flags_of<std::uint32_t>(s.heads), as_flags);
  });
}

// Empty segments have their numbers: the values that belong to them are poison, which must not show.
template <class Offset>
void check_offsets(std::vector<affine> const& in, numbered_shape const& s, std::vector<affine> const& initials, std::size_t empty) {
  auto const offsets = offsets_of<Offset>(s.heads, empty, 3);
  std::vector<affine> values(offsets.size() - 1, affine{0x5EED, 0x5EED});
  for (std::size_t k = 0, used = 0; k + 1 < offsets.size(); ++k)
    if (offsets[k] < offsets[k + 1]) values[k] = initials[used++];
  numbered_shape with_empty = s;
  for (std::size_t i = 0, k = 0; i < in.size(); ++i) {
    while (offsets[k + 1] <= static_cast<Offset>(i)) ++k;
    with_empty.number[i] = k;
  }
  check_initials(in, with_empty, then{}, values, offsets, as_offsets);
}

TEST_F(segment_initials, by_offsets_with_empty_segments) {
  each_shape([](auto const& in, numbered_shape const& s, auto const& initials) {
    check_offsets<std::int32_t>(in, s, initials, 0);
    check_offsets<std::int64_t>(in, s, initials, 4);
  });
}

TEST_F(segment_initials, by_rows) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{999}, up_to(60013)})
    for (std::size_t const length : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, 2 * n}) {
      SCOPED_TRACE("rows of " + std::to_string(length));
      heads h(n, 0);
      for (std::size_t i = 0; i < n; i += length) h[i] = 1;
      numbered_shape const s(h);
      check_initials(random_maps(n, n), s, then{}, random_maps(s.count, 5), std::vector<char>{},
                     [&](auto const&) { return lookback::rows_of(static_cast<lookback::index_t>(length)); });
    }
}

struct same_decade {
  LOOKBACK_FN bool operator()(std::int32_t a, std::int32_t b) const { return a / 10 == b / 10; }
};

TEST_F(segment_initials, by_keys_under_a_users_equality) {
  each_shape([](auto const& in, numbered_shape const& s, auto const& initials) {
    std::vector<std::int32_t> keys(in.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(s.number[i] * 10 + i % 10);
    check_initials(in, s, then{}, initials, keys, [](auto const& there) { return lookback::keys(there, same_decade{}); });
  });
}

using adding = lookback::plus<std::int32_t>;

struct square {
  LOOKBACK_FN std::int32_t operator()(std::uint8_t x) const { return std::int32_t{x} * x; }
};
/// Asks for the place: stores how far the sum is from it.
struct less_place {
  LOOKBACK_FN double operator()(lookback::index_t i, std::int32_t sum) const {
    return static_cast<double>(sum) - static_cast<double>(i);
  }
};

// Bytes, squared, summed in 32 bits from 16-bit initial values, stored through a function as doubles; the number of items is known
// only where the scan runs.
TEST_F(segment_initials, between_maps_in_another_type) {
  std::size_t const n = up_to(50021), some = n - 777;
  heads const h = lengths(n, [k = std::size_t{0}]() mutable { return ++k % 50; });
  numbered_shape const s(heads(h.begin(), h.begin() + static_cast<std::ptrdiff_t>(some)));
  auto const in = random_values<std::uint8_t>(n, 6);
  auto const initials = random_values<std::int16_t>(s.count, 7);
  auto const offsets = offsets_of<std::int32_t>(s.heads);
  std::vector<std::int32_t> squares(some), wide(initials.begin(), initials.end());
  for (std::size_t i = 0; i < some; ++i) squares[i] = square{}(in[i]);
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (bool const exclusive : {false, true}) {
      SCOPED_TRACE(describe(n, exclusive, true, from));
      auto const sums = plain_loop(squares, s, adding{}, wide, exclusive, from);
      std::vector<double> want(n, -1);
      for (std::size_t i = 0; i < some; ++i) want[i] = less_place{}(static_cast<lookback::index_t>(i), sums[i]);
      each_policy([&](auto const& policy) {
        array<std::uint8_t> const source(in), flags(flags_of<flag>(h));
        array<std::int32_t> const ends(offsets);
        array<std::int16_t> const values(initials);
        array<lookback::index_t> const count(std::vector<lookback::index_t>{static_cast<lookback::index_t>(some)});
        auto const items = lookback::first(source, {static_cast<lookback::index_t>(n), count.data()});
        for (auto const& segments : {lookback::head_flags(flags), lookback::offsets(ends)}) {
          array<double> out(std::vector<double>(n, -1));
          auto const on = policy.with(from);
          auto const squared = lookback::mapped(items, square{});
          auto const to = lookback::into(out, less_place{});
          if (exclusive) lookback::exclusive_segmented_scan(on, squared, segments, to, adding{}, values);
          else lookback::inclusive_segmented_scan(on, squared, segments, to, adding{}, values);
          EXPECT_TRUE(same(out.host(), want));
          EXPECT_TRUE(out.intact());
        }
      });
    }
}

// Flags say more segments than there are values: the nearest one serves, and nothing beyond them is read.
TEST_F(segment_initials, too_few_are_never_left) {
  auto const plus = [](std::vector<std::uint32_t> const& terms) {
    std::vector<affine> maps;
    for (auto const term : terms) maps.push_back({1, term});
    return maps;
  };
  each_policy([&](auto const& on) {
    array<affine> const source(plus({1, 1, 1, 1, 1, 1})), values(plus({10, 20}));
    array<flag> const flags(std::vector<flag>{1, 1, 1, 0, 1, 0});
    array<affine> out(6);
    auto const heads = lookback::head_flags(flags);
    lookback::inclusive_segmented_scan(on, source, heads, out, then{}, values);
    EXPECT_TRUE(same(out.host(), plus({11, 21, 21, 22, 21, 22})));
    lookback::exclusive_segmented_scan(on.with(lookback::right_to_left), source, heads, out, then{}, values);
    EXPECT_TRUE(same(out.host(), plus({10, 10, 11, 10, 21, 20})));
  });
}

template <class Call>
void expect_refused(array<affine>& out, Call call) {
  auto const before = out.host();
  EXPECT_THROW(call(), lookback::invalid_argument);
  EXPECT_TRUE(same(out.host(), before));
}

TEST_F(segment_initials, refused_before_anything_is_written) {
  std::size_t const n = 100;
  each_policy([&](auto const& on) {
    array<affine> const source(random_maps(n, 8));
    array<flag> const flags(std::vector<flag>(n, 1));
    array<std::int32_t> const offsets(std::vector<std::int32_t>{0, 30, 30, 100});
    array<affine> out(random_maps(n, 9));
    auto const scan = [&](auto const& segments, auto const& initials) {
      return [&, segments] { lookback::inclusive_segmented_scan(on, source, segments, out, then{}, initials); };
    };
    array<affine> const none(std::vector<affine>{}), two(random_maps(2, 10));
    expect_refused(out, scan(lookback::head_flags(flags), none));
    expect_refused(out, scan(lookback::offsets(offsets), two));
    expect_refused(out, scan(lookback::rows_of(49), two));
    expect_refused(out, scan(lookback::head_flags(std::span<flag const>(flags.data(), n - 1)), two));
    expect_refused(out, scan(lookback::head_flags(flags), std::span<affine const>(out.data() + 50, 2)));
    scan(lookback::rows_of(50), two)();
  });
}
