// segmented_reduce over offsets that are known to be offsets: values of any width, operators that may not be swapped or have
// nothing neutral, and items that become values only when they are read.
#include <lookback/reduce_by_key.hpp>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;

namespace {

struct reduce_by_offsets : on_device {};

/// Segments of so many items together: short ones of all lengths below `most`, empty ones, and long ones of which one is half of
/// everything.
std::vector<std::int64_t> offsets_of_all_lengths(std::size_t n, std::size_t most) {
  generator random(n);
  std::vector<std::int64_t> offsets{0};
  std::size_t at = 0;
  for (std::size_t k = 0; at < n; ++k) {
    std::size_t length = 1 + random.below(most);
    if (k == 100) length = n / 2;
    else if (k % 1009 == 1000) length = 5003;
    else if (k / 64 % 5 == 2 || k % 11 == 3) length = 0;
    at = std::min(n, at + length);
    offsets.push_back(static_cast<std::int64_t>(at));
  }
  offsets.insert(offsets.end(), 777, static_cast<std::int64_t>(n));
  return offsets;
}

/// `values` are what the items of `in` are worth; `initial` is before the first of every segment.
template <class Op, class T, class Item, class Lazy>
void check_reduction(std::vector<Item> const& in, std::vector<T> const& values, Op op, Lazy lazy,
                     lookback::maybe<T> const& initial) {
  for (std::size_t const most : {std::size_t{4}, std::size_t{40}}) {
    auto const offsets = offsets_of_all_lengths(in.size(), most);
    std::vector<T> want;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      T total = initial.value;
      if constexpr (requires { Op::identity(); })
        if (!initial.has) total = Op::identity();
      for (auto i = static_cast<std::size_t>(offsets[s]); i < static_cast<std::size_t>(offsets[s + 1]); ++i)
        total = op(total, values[i]);
      want.push_back(total);
    }
    for (std::size_t const misaligned : {0, 1}) {
      SCOPED_TRACE("segments up to " + std::to_string(most) + ", misaligned by " + std::to_string(misaligned));
      array<Item> const source(in, misaligned);
      array<std::int64_t> const described(offsets, misaligned);
      each_policy([&](auto const& on) {
        array<T> out(want.size(), misaligned);
        lookback::segmented_reduce_async(on, lazy(source), lookback::known_offsets(described), out, nullptr, op, initial);
        wait(on);
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_TRUE(out.intact());
      });
    }
  }
}

/// More tiles than all workers hold at once.
template <class T, class Op>
void check_reduction(Op op, lookback::maybe<T> const& initial = {}) {
  auto const in = random_values<T>(up_to(std::size_t{20'000'000} / (sizeof(T) + 7)), 5);
  check_reduction(
      in, in, op, [](auto const& source) { return lookback::as_input(source); }, initial);
}

}  // namespace

TEST_F(reduce_by_offsets, of_1_byte) { check_reduction<std::int8_t>(lookback::plus<std::int8_t>{}); }
TEST_F(reduce_by_offsets, of_12_bytes) { check_reduction<triple>(add_triples{}); }
TEST_F(reduce_by_offsets, of_64_bytes_in_order) { check_reduction<wide>(times_wide{}); }
TEST_F(reduce_by_offsets, without_an_identity) { check_reduction<ends>(join_ends{}, {{7, 8}}); }

struct made_a_matrix {
  LOOKBACK_FN matrix operator()(std::uint16_t x) const { return {x % 1000u, 1, x * 3u % 1000u, 7}; }
};
TEST_F(reduce_by_offsets, of_items_that_are_made_when_they_are_read) {
  auto const in = random_values<std::uint16_t>(up_to(700'001), 5);
  std::vector<matrix> values;
  for (auto const x : in) values.push_back(made_a_matrix{}(x));
  check_reduction(in, values, times_matrix{}, [](auto const& source) { return lookback::mapped(source, made_a_matrix{}); }, {});
}
