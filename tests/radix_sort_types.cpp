// radix_sort of every type of keys, in every order and by any bits.
#include <lookback/radix_sort.hpp>

#include "check_sort.hpp"
#include "key_types.hpp"

using namespace harness;

template <class Key>
struct radix_sort_types : on_device {};
using sorted_types =
    std::conditional_t<sanitized, ::testing::Types<of<bool>, of<std::uint16_t>, of<std::int64_t>, of<float>>, all_key_types>;
TYPED_TEST_SUITE(radix_sort_types, sorted_types);

TYPED_TEST(radix_sort_types, in_every_order) {
  using Key = typename TypeParam::key;
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}, std::size_t{20'011}})
    for (sort_form const& how : orders()) {
      if (how.nan_first && !oracle::format<Key>::is_float && n != 1000) continue;
      auto const keys = any_words<Key>(n, n);
      check_keys<Key>(keys, how);
      check_pairs<Key>(keys, how, 1, random_values<std::uint32_t>(n, n));
    }
}

/// Special keys alone, each many times: equal zeros and NaNs of pairs keep their order, and alone they come by their bits.
TYPED_TEST(radix_sort_types, of_the_ends_of_a_type) {
  using Key = typename TypeParam::key;
  auto const special = special_words<Key>();
  generator random(1);
  for (std::size_t const n : {special.size(), std::size_t{3000}}) {
    std::vector<word_t<Key>> keys(n);
    for (auto& w : keys) w = special[random.below(special.size())];
    for (sort_form const& how : orders()) {
      check_keys<Key>(keys, how);
      check_pairs<Key>(keys, how, 0, random_values<std::uint32_t>(n, n));
    }
  }
}

TYPED_TEST(radix_sort_types, by_some_bits) {
  using Key = typename TypeParam::key;
  int const width = oracle::format<Key>::bits;
  std::size_t const n = 3000;
  auto const keys = any_words<Key>(n, 5);
  auto const values = random_values<std::uint32_t>(n, n);
  std::vector<std::pair<int, int>> ranges{{0, 0}, {width, width}, {0, width}, {0, 1}, {width - 1, width}};
  if (width >= 8)
    for (auto const& range :
         std::vector<std::pair<int, int>>{{width / 2, width / 2}, {0, 7}, {1, width - 1}, {3, 8}, {width / 2 - 1, width / 2 + 2}})
      ranges.push_back(range);
  if (width >= 32)
    for (auto const& range : std::vector<std::pair<int, int>>{{0, 20}, {8, 16}, {7, 18}, {13, 31}}) ranges.push_back(range);
  for (auto const& [begin, end] : ranges) {
    check_keys<Key>(keys, {false, false, begin, end});
    check_pairs<Key>(keys, {true, false, begin, end}, 0, values);
    check_pairs<Key>(keys, {(begin & 1) != 0, true, begin, end}, 1, values);
  }
  // More than one block sorts by itself: passes, and from the top where so many bits are left.
  std::size_t const more = up_to(20'011);
  auto const many = any_words<Key>(more, 6);
  for (auto const& [begin, end] : std::vector<std::pair<int, int>>{{0, width}, {width / 2, width}, {width / 4, width - 1}}) {
    check_keys<Key>(many, {false, false, begin, end});
    check_pairs<Key>(many, {true, true, begin, end}, 1, random_values<std::uint32_t>(more, more));
  }
}
