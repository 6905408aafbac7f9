// What generators of matrices stand on.
#include "generate/elementary.hpp"
#include "generate/permutation.hpp"
#include "matrix.hpp"

TEST(parts, cover_everything_once) {
  for (index_t const n : {0, 1, 255, 256, 257, 5000, 3000000})
    for (int const threads : {0, 1, 2, 7}) {
      std::vector<unsigned char> seen(static_cast<std::size_t>(n));
      in_parts(n, threads, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n);
    }
}

TEST(permutation, reaches_every_place_once) {
  for (index_t const n : {1, 2, 3, 4, 5, 7, 8, 9, 100, 127, 128, 129, 1000, 65536, 65537}) {
    permutation const one(n, 5), other(n, 6);
    std::vector<int> seen(static_cast<std::size_t>(n));
    double away = 0, differ = 0;
    for (index_t i = 0; i < n; ++i) {
      ASSERT_TRUE(one(i) >= 0 && one(i) < n);
      ++seen[static_cast<std::size_t>(one(i))];
      away += std::abs(static_cast<double>(one(i) - i));
      differ += one(i) != other(i);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n) << n;
    if (n >= 1000) {
      EXPECT_NEAR(away / static_cast<double>(n) / static_cast<double>(n), 1.0 / 3, 0.03) << n;
      EXPECT_GT(differ, 0.98 * static_cast<double>(n));
    }
  }
}

TEST(elementary, functions_are_those_of_the_standard_library) {
  for (int k = -3000; k <= 3000; ++k) {
    double const x = std::ldexp(1 + (k * 37 % 1000) / 1001.0, k / 10);
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-15 * std::max(1.0, std::abs(std::log(x)))) << x;
    double const y = k * 0.2301;
    EXPECT_NEAR(portable_exp(y) / std::exp(y), 1, 2e-13) << y;
    double const p = (k + 3000.5) / 6001;
    EXPECT_NEAR(std::erfc(normal_quantile(p) / std::sqrt(2)) / 2, p, 3e-4) << p;
  }
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1e300), 0);
}

TEST(random_values, of_complex_numbers_have_parts_that_know_nothing_of_each_other) {
  EXPECT_EQ(value_from<std::complex<double>>(5), std::complex(value_from<double>(5), value_from<double>(random_word(5, 0))));
  for (element const type : {element::c64, element::c128}) {
    rows_of const made(banded(30000, 1, {type}));
    auto const n = static_cast<double>(made.values.size());
    auto const [low, high] = std::minmax_element(made.imaginary.begin(), made.imaginary.end());
    EXPECT_TRUE(*low >= -1 && *low < -0.999 && *high > 0.999 && *high < 1) << *low << " " << *high;
    EXPECT_NEAR(std::accumulate(made.imaginary.begin(), made.imaginary.end(), 0.0) / n, 0, 0.01);
    EXPECT_NEAR(std::inner_product(made.values.begin(), made.values.end(), made.imaginary.begin(), 0.0) / n, 0, 0.005);
  }
}

TEST(random_values, are_in_their_range) {
  auto const bounds = [](element type) {
    generation how;
    how.type = type;
    auto const values = rows_of(banded(30000, 1, how)).values;
    double const sum = std::accumulate(values.begin(), values.end(), 0.0);
    EXPECT_NEAR(sum / static_cast<double>(values.size()), 0, type == element::f32 || type == element::f64 ? 0.01 : 0.1);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0.0), 0);
    return std::pair(*std::min_element(values.begin(), values.end()), *std::max_element(values.begin(), values.end()));
  };
  for (element const type : {element::f32, element::f64}) {
    auto const [low, high] = bounds(type);
    EXPECT_TRUE(low >= -1 && low < -0.999 && high > 0.999 && high < 1) << low << " " << high;
  }
  for (element const type : {element::i32, element::i64}) EXPECT_EQ(bounds(type), std::pair(-9.0, 9.0));
  EXPECT_THROW(banded(5, 1, {element::u8}), usage_error);
}
