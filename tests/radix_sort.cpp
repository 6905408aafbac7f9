// radix_sort against std::stable_sort: every size, distribution and place in memory; values of every width; the same result every
// time.
#include <lookback/radix_sort.hpp>

#include "check_sort.hpp"

using namespace harness;

struct radix_sort : on_device {};

TEST_F(radix_sort, of_every_size) {
  for (std::size_t const n : sort_sizes(up_to(1'000'000))) {
    check_keys<std::uint32_t>(any_words<std::uint32_t>(n, n));
    if (n <= 40'000 || n == 100'000)
      check_pairs<std::uint32_t>(any_words<std::uint32_t>(n, n + 1), {}, 0, random_values<std::uint32_t>(n, n));
  }
}

template <class Word>
void check_distributions(std::size_t n) {
  for (auto const& d : distributions<Word>(n)) {
    SCOPED_TRACE(d.name);
    check_keys<Word>(d.keys);
    check_pairs<Word>(d.keys, {}, 0, random_values<std::uint32_t>(n, n));
  }
}
TEST_F(radix_sort, of_every_distribution) {
  check_distributions<std::uint8_t>(1000);
  check_distributions<std::uint32_t>(1000);
  check_distributions<std::uint32_t>(up_to(100'003));
  check_distributions<std::uint64_t>(up_to(30'011));
}

TEST_F(radix_sort, of_arrays_that_begin_anywhere) {
  for (std::size_t const misaligned : {1, 2, 3, 5, 7})
    for (std::size_t const n : {std::size_t{1}, std::size_t{33}, std::size_t{4865}, std::size_t{20'011}}) {
      SCOPED_TRACE("misaligned by " + std::to_string(misaligned));
      check_keys<std::uint32_t>(any_words<std::uint32_t>(n, n), {}, misaligned);
      check_keys<std::uint8_t>(any_words<std::uint8_t>(n, n), {}, misaligned);
      check_pairs<std::uint32_t>(any_words<std::uint32_t>(n, n), {}, misaligned, random_values<std::uint32_t>(n, n));
    }
}

/// 32 bytes: what random_values gives as two of 16.
struct two_matrices {
  matrix first, second;
  friend bool operator==(two_matrices const&, two_matrices const&) = default;
  friend std::ostream& operator<<(std::ostream& to, two_matrices const& two) { return to << two.first << two.second; }
};
static_assert(sizeof(two_matrices) == 32);

/// Keys of few values: a value that has left its place among equal keys shows.
TEST_F(radix_sort, with_values_of_every_width) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{257}, std::size_t{12'289}, up_to(50'021)}) {
      std::vector<std::uint32_t> keys(n);
      generator random(n);
      for (auto& key : keys) key = static_cast<std::uint32_t>(random.below(50)) * 0x05010003u;
      auto const with = [&](auto const& values) { check_pairs<std::uint32_t>(keys, {}, misaligned, values); };
      with(random_values<std::uint8_t>(n, n));
      with(random_values<std::uint16_t>(n, n));
      with(random_values<std::uint32_t>(n, n));
      with(random_values<double>(n, n));
      with(random_values<triple>(n, n));
      with(random_values<matrix>(n, n));
      with(random_values<wide>(n, n));
      auto const firsts = random_values<matrix>(n, n + 1), seconds = random_values<matrix>(n, n + 2);
      std::vector<two_matrices> twos(n);
      for (std::size_t i = 0; i < n; ++i) twos[i] = {firsts[i], seconds[i]};
      with(twos);
    }
}

TEST_F(radix_sort, with_several_arrays_of_values) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{20'011}}) {
      auto const keys = distributions<std::uint16_t>(n)[7].keys;
      auto const words = random_values<std::uint32_t>(n, n);
      auto const bytes = random_values<std::uint8_t>(n, n);
      auto const triples = random_values<triple>(n, n);
      check_pairs<std::uint16_t>(keys, {}, misaligned, words, random_values<double>(n, n));
      check_pairs<std::uint16_t>(keys, {true, false}, misaligned, bytes, triples, words);
    }
}

/// `bound` keys are there, and memory says how many of them to sort: more than there are is all, less than none is none. What lies
/// behind stays.
TEST_F(radix_sort, of_a_number_that_the_device_knows) {
  std::size_t const bound = up_to(30'011);
  auto const in = any_words<std::uint32_t>(bound, 1), before = any_words<std::uint32_t>(bound, 2);
  auto const values = random_values<double>(bound, 3), values_before = random_values<double>(bound, 4);
  auto const most = static_cast<index_t>(bound);
  for (index_t const count : {index_t{0}, index_t{1}, index_t{4097}, most - 1, most, most + 1, 3 * most, index_t{1} << 40,
                              index_t{-1}, -(index_t{1} << 40)}) {
    SCOPED_TRACE("count " + std::to_string(count));
    auto const n = static_cast<std::ptrdiff_t>(std::clamp<index_t>(count, 0, most));
    std::vector<std::uint32_t> const counted(in.begin(), in.begin() + n);
    auto const places = oracle::sorted_places<std::uint32_t>(counted, {}, false);
    auto want = before;
    auto want_values = values_before;
    std::vector<std::uint32_t> want_indices(bound, 77);
    for (std::size_t k = 0; k < places.size(); ++k)
      want[k] = in[places[k]], want_values[k] = values[places[k]], want_indices[k] = static_cast<std::uint32_t>(places[k]);
    auto want_onto = in;
    for (std::size_t k = 0; k < places.size(); ++k) want_onto[k] = in[places[k]];
    array<std::uint32_t> const keys(in);
    array<double> const beside(values);
    array<index_t> const number(std::vector<index_t>{count});
    each_policy([&](auto const& on) {
      with_algorithm(on, [&](auto... options) {
        auto const some = lookback::first(keys, {most, number.data()});
        array<std::uint32_t> out(before), alone(before), onto(in), indices(std::vector<std::uint32_t>(bound, 77));
        array<double> values_out(values_before);
        lookback::radix_sort_copy(on, some, alone, options...);
        EXPECT_TRUE(same(alone.host(), want));
        lookback::radix_sort_copy(on, lookback::first(onto, {most, number.data()}), onto, options...);
        EXPECT_TRUE(same(onto.host(), want_onto));
        lookback::radix_sort_copy(on, some, beside, out, values_out, options...);
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_TRUE(same(values_out.host(), want_values));
        lookback::argsort(on, some, indices, options...);
        EXPECT_TRUE(same(indices.host(), want_indices));
      });
    });
  }
}

/// The same bytes every time: of pairs, whose equal keys a race would mix. Between them a sort of another size on the same
/// workspace.
TEST_F(radix_sort, gives_the_same_64_times) {
  std::size_t const n = up_to(20'011);
  auto const in = distributions<std::uint32_t>(n)[10].keys;
  auto const values = random_values<std::uint32_t>(n, 1);
  auto const places = oracle::sorted_places<std::uint32_t>(in, {}, false);
  auto const want = oracle::taken(in, places), want_values = oracle::taken(values, places);
  array<std::uint32_t> const source(in), beside(values);
  each_policy([&](auto const& on) {
    array<std::uint32_t> out(n), values_out(n), small_one(in);
    for (std::size_t k = 0; k < (small() ? 8 : 64); ++k) {
      with_algorithm(on, [&](auto... options) {
        lookback::radix_sort_copy(on, source, beside, out, values_out, options...);
        lookback::radix_sort(on, std::span(small_one.data(), 1 + 37 * k), options...);
      });
      ASSERT_TRUE(same(out.host(), want)) << k;
      ASSERT_TRUE(same(values_out.host(), want_values)) << k;
    }
  });
}

/// A call that only enqueues has the same name with _async.
TEST_F(radix_sort, by_its_other_names) {
  auto const in = any_words<std::uint32_t>(1000, 1);
  auto const places = oracle::sorted_places<std::uint32_t>(in, {}, false);
  auto const want = oracle::taken(in, places);
  std::vector<std::int32_t> const want_indices(places.begin(), places.end());
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in), out(in.size());
    array<std::int32_t> indices(in.size());
    with_algorithm(on, [&](auto... options) {
      lookback::argsort_async(on, data, indices, options...);
      lookback::radix_sort_copy_async(on, data, out, options...);
      lookback::radix_sort_async(on, data, options...);
    });
    EXPECT_TRUE(same(indices.host(), want_indices));
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(same(data.host(), want));
  });
}

/// The plain algorithm stays right, so that others can be held against it.
TEST_F(radix_sort, of_the_textbook) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{5000}}) {
    for (sort_form const& how : orders()) {
      check_keys<std::uint32_t, by_textbook>(any_words<std::uint32_t>(n, n), how);
      check_keys<float, by_textbook>(any_words<float>(n, n), how, 1);
      check_pairs<float, by_textbook>(any_words<float>(n, n), how, 1, random_values<triple>(n, n));
    }
    check_keys<std::uint32_t, by_textbook>(any_words<std::uint32_t>(n, n), {false, false, 3, 17});
    check_argsort<float, std::int32_t, by_textbook>(any_words<float>(n, n));
  }
}
