// A call cut into chunks, each given the state of the chunk before it, gives the result of one call.
#include <cstring>
#include <lookback/policy.hpp>
#include <span>

#include "check_scan.hpp"
#include "chunks.hpp"
#include "random.hpp"
#include "shapes.hpp"
#include "types.hpp"

using namespace harness;

struct carry : on_device {};

template <class T, class Op>
void check_plain(std::size_t n, Op op, T const& initial) {
  auto const in = random_values<T>(n, n);
  each_form(op, initial, [&](oracle::form<T> const& how) {
    SCOPED_TRACE(describe(n, how.exclusive, how.initial.has_value(), how.from));
    auto const want = oracle::scan<T>(in, op, with_identity(op, how));
    each_policy([&](auto const& on) {
      array<T> const source(in);
      array<T> out(n);
      array<lookback::carried<T>> state(2);
      in_chunks<T, char>(on, cuts(n, n), how.from, state.data(), [&](auto const& chunk, std::size_t first, std::size_t last) {
        scan_as(chunk, part(source, first, last), part(out, first, last), op, how);
      });
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact() && state.intact());
    });
  });
}

TEST_F(carry, any_cut_of_a_plain_scan) {
  for (std::size_t const n : {std::size_t{2}, std::size_t{1000}, up_to(200003)}) {
    check_plain(n, lookback::plus<std::int32_t>{}, 5);
    check_plain(n, join_ends{}, ends{77, 0});
  }
  check_plain(up_to(50021), times_matrix{}, matrix{1, 2, 3, 4});
}

TEST_F(carry, in_memory_of_the_host) {
  std::size_t const n = up_to(100003);
  auto const in = random_values<std::int32_t>(n, 3);
  auto const want = oracle::scan<std::int32_t>(in, lookback::plus<std::int32_t>{}, {});
  each_policy([&](auto const& on) {
    array<std::int32_t> const source(in);
    array<std::int32_t> out(n);
    lookback::carried<std::int32_t> state[2];
    in_chunks<std::int32_t, char>(on, cuts(n, 7), lookback::left_to_right, state,
                                  [&](auto const& chunk, std::size_t first, std::size_t last) {
                                    lookback::inclusive_scan(chunk, part(source, first, last), part(out, first, last));
                                    wait(chunk);
                                  });
    EXPECT_TRUE(same(out.host(), want));
  });
}

// Floats: the same bits as in one call, if the cuts are multiples of a tile.
TEST_F(carry, cuts_at_tiles_keep_the_bits_of_floats) {
  std::size_t const n = up_to(400009);
  auto const in = random_values<float>(n, 4);
  each_steady_policy([&](auto const& on) {
    array<float> const source(in);
    array<float> whole(n), out(n);
    lookback::inclusive_scan(on, source, whole);
    auto const tile = tile_items_under<float>(on);
    array<lookback::carried<float>> state(2);
    in_chunks<float, char>(on, cuts(n, 8, tile), lookback::left_to_right, state.data(),
                           [&](auto const& chunk, std::size_t first, std::size_t last) {
                             lookback::inclusive_scan(chunk, part(source, first, last), part(out, first, last));
                           });
    auto const got = out.host(), want = whole.host();
    EXPECT_EQ(std::memcmp(got.data(), want.data(), n * sizeof(float)), 0);
  });
}

/// `describe_chunk(array, first, last)` gives the segments of one chunk.
template <class Key, class Described, class DescribeChunk>
void check_segments(heads const& h, std::vector<Described> const& description, DescribeChunk describe_chunk,
                    lookback::direction from, std::uint64_t seed, std::size_t of = 1) {
  using T = std::int32_t;
  std::size_t const n = h.size();
  auto const in = random_values<T>(n, seed);
  lookback::plus<T> const op;
  for (bool const exclusive : {false, true}) {
    SCOPED_TRACE(describe(n, exclusive, exclusive, from));
    oracle::form<T> const how{exclusive ? std::optional<T>{9} : std::nullopt, exclusive, from, h};
    auto const want = oracle::scan<T>(in, op, how);
    each_policy([&](auto const& on) {
      array<T> const source(in);
      array<Described> const described(description);
      array<T> out(n);
      array<lookback::carried<T, Key>> state(2);
      in_chunks<T, Key>(on, cuts(n, seed, of), from, state.data(), [&](auto const& chunk, std::size_t first, std::size_t last) {
        scan_as(chunk, part(source, first, last), describe_chunk(described, first, last), part(out, first, last), op, how);
      });
      EXPECT_TRUE(same(out.host(), want));
    });
  }
}

template <class Body>
void each_segmented(Body body) {
  std::uint64_t seed = 1;
  for (std::size_t const n : {std::size_t{3}, std::size_t{500}, up_to(100003)})
    for (auto const& s : shapes(n, tile_items<std::int32_t>()))
      for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
        SCOPED_TRACE(s.name);
        body(s.heads, from, seed++);
      }
}

TEST_F(carry, segments_by_flags) {
  each_segmented([](heads const& h, lookback::direction from, std::uint64_t seed) {
    check_segments<char>(
        h, flags_of<flag>(h),
        [](array<flag> const& f, std::size_t first, std::size_t last) { return lookback::head_flags(part(f, first, last)); }, from,
        seed);
  });
}

TEST_F(carry, segments_by_bits) {
  each_segmented([](heads const& h, lookback::direction from, std::uint64_t seed) {
    check_segments<char>(
        h, bits_of(h),
        [](array<std::uint8_t> const& b, std::size_t first, std::size_t last) {
          return lookback::head_bits(part(b, first / 8, (last + 7) / 8));
        },
        from, seed, 8);
  });
}

TEST_F(carry, segments_by_keys) {
  each_segmented([](heads const& h, lookback::direction from, std::uint64_t seed) {
    check_segments<std::int32_t>(
        h, keys_of<std::int32_t>(h),
        [](array<std::int32_t> const& k, std::size_t first, std::size_t last) { return lookback::keys(part(k, first, last)); },
        from, seed);
  });
}

// Offsets and rows speak of positions in the whole.
TEST_F(carry, segments_by_offsets) {
  each_segmented([](heads const& h, lookback::direction from, std::uint64_t seed) {
    check_segments<char>(
        h, offsets_of<std::int32_t>(h, 2, 3),
        [](array<std::int32_t> const& o, std::size_t, std::size_t) { return lookback::offsets(o); }, from, seed);
  });
}

TEST_F(carry, segments_by_rows) {
  for (std::size_t const length : {std::size_t{1}, std::size_t{100}, std::size_t{40000}})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      std::size_t const n = up_to(100003), rows = std::max<std::size_t>(n / length, 1);
      heads h(from == lookback::right_to_left ? rows * length : n, 0);  // whole rows, seen from the right
      for (std::size_t i = 0; i < h.size(); i += length) h[i] = 1;
      check_segments<char>(
          h, std::vector<char>{},
          [&](array<char> const&, std::size_t, std::size_t) { return lookback::rows_of(static_cast<lookback::index_t>(length)); },
          from, length);
    }
}
