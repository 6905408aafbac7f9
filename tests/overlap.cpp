// What may lie on top of what, and which sizes are refused: always before anything is written.
#include <lookback/model/overlap.hpp>
#include <span>

#include "check_scan.hpp"
#include "random.hpp"
#include "refused.hpp"

using namespace harness;

struct overlap : on_device {};

constexpr std::size_t number = 1000;

TEST_F(overlap, shifted_by_less_than_the_length_is_refused) {
  each_policy([&](auto const& on) {
    array<std::int32_t> memory(random_values<std::int32_t>(2 * number, 1));
    for (std::size_t const shift : {std::size_t{1}, std::size_t{16}, number - 1}) {
      std::span<std::int32_t> const low(memory.data(), number), high(memory.data() + shift, number);
      expect_refused(memory, [&] { lookback::inclusive_scan(on, low, high); });
      expect_refused(memory, [&] { lookback::inclusive_scan(on, high, low); });
    }
  });
}

TEST_F(overlap, neighbours_that_only_touch_are_fine) {
  auto const in = random_values<std::int32_t>(number, 2);
  auto const want = oracle::scan<std::int32_t>(in, lookback::plus<std::int32_t>{}, {});
  each_policy([&](auto const& on) {
    std::vector<std::int32_t> both(in);
    both.resize(2 * number);
    array<std::int32_t> memory(both);
    lookback::inclusive_scan(on, std::span<std::int32_t const>(memory.data(), number),
                             std::span<std::int32_t>(memory.data() + number, number));
    both = memory.host();
    EXPECT_TRUE(same(std::vector<std::int32_t>(both.begin() + number, both.end()), want));
    EXPECT_TRUE(same(std::vector<std::int32_t>(both.begin(), both.begin() + number), in));
  });
}

TEST_F(overlap, in_place_with_elements_of_another_size_is_refused) {
  each_policy([&](auto const& on) {
    array<std::int32_t> memory(random_values<std::int32_t>(2 * number, 3));
    std::span<std::int32_t const> const in(memory.data(), number);
    std::span<std::int64_t> const out(reinterpret_cast<std::int64_t*>(memory.data()), number);
    expect_refused(memory, [&] { lookback::inclusive_scan(on, in, out, lookback::plus<std::int32_t>{}); });
  });
}

TEST_F(overlap, over_the_segments_is_refused) {
  each_policy([&](auto const& on) {
    array<std::int32_t> const in(random_values<std::int32_t>(number, 4));
    array<std::int32_t> memory(random_values<std::int32_t>(number, 5));
    expect_refused(memory, [&] { lookback::inclusive_segmented_scan(on, in, lookback::head_flags(memory), memory); });
    expect_refused(memory, [&] { lookback::inclusive_segmented_scan(on, in, lookback::keys(memory), memory); });
    expect_refused(memory, [&] { lookback::inclusive_segmented_scan(on, in, lookback::offsets(memory), memory); });
    std::span<std::uint8_t const> const bits(reinterpret_cast<std::uint8_t const*>(memory.data() + number - 1), number / 8);
    expect_refused(memory, [&] { lookback::inclusive_segmented_scan(on, in, lookback::head_bits(bits), memory); });
  });
}

TEST_F(overlap, an_output_that_is_too_short_is_refused) {
  each_policy([&](auto const& on) {
    array<std::int32_t> const in(random_values<std::int32_t>(number, 6));
    array<std::int32_t> out(number - 1);
    expect_refused(out, [&] { lookback::inclusive_scan(on, in, out); });
    expect_refused(out, [&] { lookback::exclusive_segmented_scan(on, in, lookback::rows_of(3), out); });
  });
}

TEST_F(overlap, a_description_that_is_too_short_is_refused) {
  each_policy([&](auto const& on) {
    array<std::int32_t> const in(random_values<std::int32_t>(number, 7));
    array<std::int32_t> out(number);
    array<flag> const flags(std::vector<flag>(number - 1, 0));
    array<std::uint8_t> const bits(std::vector<std::uint8_t>(number / 8 - 1, 0));
    array<std::int32_t> const none(std::vector<std::int32_t>{});
    expect_refused(out, [&] { lookback::inclusive_segmented_scan(on, in, lookback::head_flags(flags), out); });
    expect_refused(out, [&] { lookback::inclusive_segmented_scan(on, in, lookback::keys(flags), out); });
    expect_refused(out, [&] { lookback::inclusive_segmented_scan(on, in, lookback::head_bits(bits), out); });
    expect_refused(out, [&] { lookback::inclusive_segmented_scan(on, in, lookback::offsets(none), out); });
    expect_refused(out, [&] { lookback::rows_of(0); });
  });
}

TEST_F(overlap, a_negative_number_of_items_is_refused) {
  each_policy([&](auto const& on) {
    array<std::int32_t> out(number);
    expect_refused(out, [&] { lookback::inclusive_scan(on, lookback::first(out, lookback::index_t{-1}), out); });
  });
}
