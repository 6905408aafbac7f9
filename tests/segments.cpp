// Every description of the same segments gives the same scan, at every shape and any alignment of the description.
#include <lookback/segments.hpp>
#include <span>

#include "check_scan.hpp"
#include "edge_sizes.hpp"
#include "shapes.hpp"

using namespace harness;

struct segments : on_device {};

using adding = lookback::plus<std::int32_t>;
using scan_form = oracle::form<std::int32_t>;

struct described {
  std::vector<std::int32_t> in;
  scan_form how;
  std::vector<std::int32_t> want;
};

described describe_scan(heads const& h, lookback::direction from, bool exclusive) {
  auto in = random_values<std::int32_t>(h.size(), h.size());
  scan_form how{exclusive ? std::optional<std::int32_t>{17} : std::nullopt, exclusive, from, h};
  auto want = oracle::scan<std::int32_t>(in, adding{}, how);
  return {std::move(in), std::move(how), std::move(want)};
}

/// Scans under every policy with the description that `make` gives of an array on the back end.
template <class Described, class Make>
void check_description(described const& d, std::vector<Described> const& description, Make make, std::size_t misaligned = 0) {
  each_policy([&](auto const& policy) {
    auto const on = policy.with(d.how.from);
    array<Described> const there(description, misaligned);
    array<std::int32_t> const in(d.in);
    array<std::int32_t> out(d.in.size());
    scan_as(on, in, make(there), out, adding{}, d.how);
    EXPECT_TRUE(same(out.host(), d.want));
    EXPECT_TRUE(out.intact());
  });
}

auto const as_flags = [](auto const& there) { return lookback::head_flags(there); };
auto const as_bits = [](auto const& there) { return lookback::head_bits(there); };
auto const as_offsets = [](auto const& there) { return lookback::offsets(there); };
auto const as_keys = [](auto const& there) { return lookback::keys(there); };

/// Calls body(heads, described scan) for every shape, from both sides, inclusive and exclusive in turn.
template <class Body>
void each_shape(Body body) {
  bool exclusive = false;
  for (std::size_t const n : {std::size_t{1}, std::size_t{130}, up_to(400009)})
    for (auto const& s : shapes(n, tile_items<std::int32_t>()))
      for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
        exclusive = !exclusive;
        SCOPED_TRACE(s.name + ", " + describe(n, exclusive, exclusive, from));
        body(s.heads, describe_scan(s.heads, from, exclusive));
      }
}

TEST_F(segments, by_flags_of_one_byte) {
  each_shape([](heads const& h, described const& d) {
    check_description(d, flags_of<std::uint8_t>(h), as_flags);
    check_description(d, flags_of<std::uint8_t>(h), as_flags, 5);
  });
}

TEST_F(segments, by_flags_of_four_bytes_and_bool) {
  each_shape([](heads const& h, described const& d) {
    check_description(d, flags_of<std::int32_t>(h), as_flags, 1);
    std::vector<std::uint8_t> const bytes(h.begin(), h.end());
    check_description(d, bytes, [](auto const& there) {
      return lookback::head_flags(std::span<bool const>(reinterpret_cast<bool const*>(there.data()), there.size()));
    });
  });
}

TEST_F(segments, by_packed_bits) {
  each_shape([](heads const& h, described const& d) {
    check_description(d, bits_of(h), as_bits);
    check_description(d, bits_of(h), as_bits, 3);
  });
}

TEST_F(segments, by_offsets) {
  each_shape([](heads const& h, described const& d) {
    check_description(d, offsets_of<std::int32_t>(h), as_offsets);
    check_description(d, offsets_of<std::int64_t>(h), as_offsets, 1);
    check_description(d, offsets_of<std::int32_t>(h, 3, 2), as_offsets, 3);
  });
}

TEST_F(segments, by_integer_keys) {
  each_shape([](heads const& h, described const& d) {
    check_description(d, keys_of<std::uint8_t>(h), as_keys, 1);
    check_description(d, keys_of<std::int16_t>(h), as_keys, 1);
    check_description(d, keys_of<std::int32_t>(h), as_keys, 1);
    check_description(d, keys_of<std::int64_t>(h), as_keys, 1);
  });
}

TEST_F(segments, by_float_keys) {
  each_shape([](heads const& h, described const& d) {
    check_description(d, keys_of<float>(h), as_keys);
    check_description(d, keys_of<double>(h), as_keys, 1);
  });
}

TEST_F(segments, float_keys_compare_as_floats) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const keys{0.0f, -0.0f, 0.0f, nan, nan, 1.0f, 1.0f};
  check_description(describe_scan({1, 0, 0, 1, 1, 1, 0}, lookback::left_to_right, false), keys, as_keys);
}

struct same_decade {
  LOOKBACK_FN bool operator()(std::int32_t a, std::int32_t b) const { return a / 10 == b / 10; }
};

TEST_F(segments, by_keys_under_a_users_equality) {
  each_shape([](heads const& h, described const& d) {
    std::vector<std::int32_t> keys(h.size());
    std::int32_t run = 0;
    for (std::size_t i = 0; i < h.size(); ++i) {
      if (h[i] != 0) ++run;
      keys[i] = run * 10 + static_cast<std::int32_t>(i % 10);
    }
    check_description(d, keys, [](auto const& there) { return lookback::keys(there, same_decade{}); });
  });
}

TEST_F(segments, by_rows) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{999}, up_to(200003)})
    for (std::size_t const length : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{4096}, std::size_t{100003}, 2 * n})
      for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
        SCOPED_TRACE(describe(n, true, true, from) + ", rows of " + std::to_string(length));
        heads h(n, 0);
        for (std::size_t i = 0; i < n; i += length) h[i] = 1;
        check_description(describe_scan(h, from, true), std::vector<char>{},
                          [&](auto const&) { return lookback::rows_of(static_cast<lookback::index_t>(length)); });
      }
}

TEST_F(segments, many_tiles_a_worker) {
  std::size_t const n = many_tiles<std::int32_t>();
  heads const h = short_long_short(n);
  bool exclusive = false;
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (std::size_t const misaligned : {0, 1}) {
      exclusive = !exclusive;
      SCOPED_TRACE(describe(n, exclusive, true, from) + (misaligned ? ", misaligned" : ""));
      auto const d = describe_scan(h, from, exclusive);
      check_description(d, flags_of<std::uint8_t>(h), as_flags, misaligned);
      check_description(d, bits_of(h), as_bits, misaligned);
      check_description(d, offsets_of<std::int32_t>(h, 2, 3), as_offsets, misaligned);
      check_description(d, offsets_of<std::int64_t>(h), as_offsets, misaligned);
      check_description(d, keys_of<std::int32_t>(h), as_keys, misaligned);
    }
}

TEST_F(segments, ten_million_empty_ones) {
  std::size_t const empty = small() ? 100'000 : 10'000'000;
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{50021}}) {
    heads h(n, 0);
    if (n > 777) h[777] = 1;
    auto const d = describe_scan(h, lookback::left_to_right, true);
    std::vector<std::int32_t> offsets(empty / 2, 0);
    if (n > 777) offsets.insert(offsets.end(), empty / 2, 777);
    offsets.insert(offsets.end(), empty / 4, static_cast<std::int32_t>(n));
    SCOPED_TRACE(n);
    check_description(d, offsets, as_offsets);
  }
}
