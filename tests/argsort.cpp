// argsort against std::stable_sort of places: every type of indices, keys that stay, equal keys by their places.
#include <lookback/radix_sort.hpp>

#include "check_sort.hpp"

using namespace harness;

struct argsort : on_device {};

TEST_F(argsort, of_every_size) {
  for (std::size_t const n : sort_sizes(up_to(100'003)))
    check_argsort<std::uint32_t, std::uint32_t>(any_words<std::uint32_t>(n, n));
}

TEST_F(argsort, gives_every_type_of_indices) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{16'385}})
    for (sort_form const& how : orders())
      for (std::size_t const misaligned : {0, 1}) {
        check_argsort<float, std::int32_t>(any_words<float>(n, n), how, misaligned);
        check_argsort<float, std::int64_t>(any_words<float>(n, n), how, misaligned);
        check_argsort<std::uint64_t, std::uint32_t>(any_words<std::uint64_t>(n, n), how, misaligned);
        check_argsort<std::uint8_t, std::int64_t>(any_words<std::uint8_t>(n, n), how, misaligned);
        check_argsort<bool, std::uint32_t>(any_words<bool>(n, n), how, misaligned);
      }
}

/// Equal keys everywhere: the places say whether they kept their order.
TEST_F(argsort, of_every_distribution) {
  std::size_t const n = up_to(50'021);
  for (auto const& d : distributions<std::uint32_t>(n)) {
    SCOPED_TRACE(d.name);
    check_argsort<std::uint32_t, std::uint32_t>(d.keys);
  }
}

TEST_F(argsort, by_some_bits) {
  for (std::size_t const n : {std::size_t{5000}, up_to(20'011)})
    for (auto const& [begin, end] : {std::pair{0, 0}, {0, 32}, {32, 32}, {3, 4}, {5, 21}, {3, 32}, {24, 32}})
      check_argsort<std::uint32_t, std::uint32_t>(any_words<std::uint32_t>(n, 1), {false, false, begin, end});
}

/// What it says is where radix_sort takes keys from.
TEST_F(argsort, agrees_with_radix_sort) {
  auto const in = any_words<double>(up_to(30'011), 7);
  array<std::uint64_t> const words(in);
  each_policy([&](auto const& on) {
    array<std::uint64_t> out(in.size());
    array<std::int32_t> indices(in.size()), moved(std::vector<std::int32_t>(in.size()));
    std::vector<std::int32_t> numbers(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
    array<std::int32_t> const places(numbers);
    with_algorithm(on, [&](auto... options) {
      lookback::argsort(on, keys_in<double>(words), indices, options...);
      lookback::radix_sort_copy(on, keys_in<double>(words), places, keys_in<double>(out), moved, options...);
    });
    EXPECT_TRUE(same(indices.host(), moved.host()));
    auto const got = indices.host();
    EXPECT_TRUE(same(out.host(), oracle::taken(in, std::vector<std::size_t>(got.begin(), got.end()))));
  });
}
