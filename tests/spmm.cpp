// Sparse matrix times a few vectors at once, against a plain loop over the rows. A kernel a kind: what else there is, is tested on
// the CPU (cpu_spmm.cpp), and comes from the same text.
#include <complex>
#include <limits>
#include <lookback/spmm.hpp>

#include "compare.hpp"
#include "fixture.hpp"
#include "refused.hpp"
#include "sparse.hpp"

using namespace harness;

template <class Value, int K, class Column, class Offset, bool Scales>
struct product {
  using value = Value;
  using column = Column;
  using offset = Offset;
  static constexpr int k = K;
  static constexpr bool scales = Scales;
};
template <class T>
T not_a_number() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
  else return {not_a_number<typename T::value_type>(), 0};
}

template <class T>
struct spmm : on_device {};
using products =
    ::testing::Types<product<float, 4, std::int32_t, std::int32_t, false>, product<double, 2, std::int32_t, std::int64_t, true>,
                     product<std::int32_t, 8, std::uint16_t, std::uint32_t, false>,
                     product<std::complex<float>, 2, std::int64_t, std::int32_t, true>>;
TYPED_TEST_SUITE(spmm, products);

TYPED_TEST(spmm, equals_the_plain_loop) {
  using value = typename TypeParam::value;
  using column = typename TypeParam::column;
  constexpr std::size_t k = TypeParam::k;
  for (auto const& [name, lengths, columns] : matrices())
    for (std::size_t const misaligned : {0, 1}) {
      if (columns > std::size_t{std::numeric_limits<column>::max()}) continue;
      SCOPED_TRACE(name + ", misaligned by " + std::to_string(misaligned));
      auto const a = random_matrix_of<value>(lengths, columns, lengths.size());
      auto const x = small_values<value>(columns * k, 3), before = small_values<value>(a.rows() * k, 4);
      auto const want = multiplied_rows(a, x, k);
      placed<value, column, typename TypeParam::offset> const matrix(a, misaligned);
      array<value> const from(x, misaligned);
      each_policy([&](auto const& on) {
        array<value> y(before, misaligned);
        if constexpr (TypeParam::scales) {
          auto twice = want;
          for (std::size_t i = 0; i < twice.size(); ++i) twice[i] = value(2) * want[i] - before[i];
          lookback::spmm<k>(on, matrix.view(), from, y, value(2), value(-1));
          wait(on);
          EXPECT_TRUE(same(y.host(), twice));
          array<value> unread(std::vector<value>(before.size(), not_a_number<value>()));  // y holds anything where beta is 0
          lookback::spmm<k>(on, matrix.view(), from, unread, value(1), value(0));
          wait(on);
          EXPECT_TRUE(same(unread.host(), want));
        } else {
          lookback::spmm<k>(on, matrix.view(), from, y);
          wait(on);
          EXPECT_TRUE(same(y.host(), want));
        }
        EXPECT_TRUE(y.intact());
      });
    }
}

/// More tiles than all workers hold at once, rows that are many tiles, and columns that read far apart.
TYPED_TEST(spmm, of_many_waves_of_tiles) {
  using value = typename TypeParam::value;
  constexpr std::size_t k = TypeParam::k;
  std::size_t const steps = up_to(1'500'000);
  auto lengths = geometric_lengths(steps / 8, 2, 7);
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    if (r / 1000 % 7 == 3) lengths[r] = 0;
    if (r % 20'011 == 20'000) lengths[r] = 30'000;
  }
  lengths[lengths.size() / 2] = steps / 2;
  auto const a = random_matrix_of<value>(lengths, 30'011, 8);
  auto const x = small_values<value>(a.columns * k, 3);
  auto const want = multiplied_rows(a, x, k);
  placed<value, typename TypeParam::column, typename TypeParam::offset> const matrix(a, 1);
  array<value> const from(x);
  each_policy([&](auto const& on) {
    array<value> y(a.rows() * k, 1);
    if constexpr (TypeParam::scales) lookback::spmm<k>(on, matrix.view(), from, y, value(1), value(0));
    else lookback::spmm<k>(on, matrix.view(), from, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), want));
    EXPECT_TRUE(y.intact());
  });
}

struct spmm_checks : on_device {};

TEST_F(spmm_checks, floats_are_steady) {
  auto lengths = geometric_lengths(up_to(200'000), 4, 7);
  lengths[lengths.size() / 3] = up_to(900'000);  // very many tiles
  auto a = random_matrix_of<float>(lengths, 4099, 8);
  for (generator random(1); auto& value : a.values) value = static_cast<float>(random.below(1 << 20)) * 0x1p-20f - 0.4f;
  auto const x = small_values<float>(a.columns * 4, 3);
  placed<float, std::int32_t, std::int32_t> const matrix(a);
  array<float> const from(x);
  std::vector<float> first;
  each_run([&](auto const& on) {
    array<float> y(a.rows() * 4);
    lookback::spmm<4>(on, matrix.view(), from, y);
    wait(on);
    if (first.empty()) first = y.host();
    EXPECT_TRUE(same(y.host(), first));
  });
}

TEST_F(spmm_checks, refuse_what_does_not_match) {
  auto const a = random_matrix_of<float>({3, 0, 2}, 5, 1);
  placed<float, std::int32_t, std::int32_t> const matrix(a);
  array<float> x(small_values<float>(20, 1)), short_x(small_values<float>(19, 1)), y(std::size_t{12}), short_y(std::size_t{11});
  each_policy([&](auto const& on) {
    auto const view = matrix.view();
    auto const refused = [&](array<float>& kept, auto const& of, auto const& from, auto& to, char const* why) {
      expect_refused(
          kept, [&] { lookback::spmm<4>(on, of, from, to); }, why);
    };
    refused(y, view, short_x, y, "x has K elements for every column, in rows of K: at least 5, found 4");
    refused(short_y, view, x, short_y, "y has K elements for every row, in rows of K: at least 3, found 2");
    refused(x, view, x, x, "y does not overlap x");
    array<float> both(std::size_t{31});  // the last of x is the first of y
    std::span<float> const first(both.data(), 20), second(both.data() + 19, 12);
    refused(both, view, first, second, "y does not overlap x");
    auto changed = view;
    changed.offsets = changed.offsets.first(3);
    refused(y, changed, x, y, "one more offset than there are rows");
    changed = view, changed.rows = -1;
    refused(y, changed, x, y, "not negative");
    changed = view, changed.columns = -1;
    refused(y, changed, x, y, "not negative");
    changed = view, changed.columns = std::numeric_limits<lookback::index_t>::max() / 2;  // times K is no number
    refused(y, changed, x, y, "x has K elements for every column");
    changed = view, changed.column_indices = changed.column_indices.first(4);
    refused(y, changed, x, y, "as many column indices as values: 5, found 4");
    array<float> values(std::vector<float>(12));
    auto const own = lookback::csr_view{3, 5, matrix.offsets, matrix.column_indices, std::span<float>(values.data(), 5)};
    refused(values, own, x, values, "y does not overlap the matrix");
  });
}
