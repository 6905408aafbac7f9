// reproducible, one result per segment by offsets: the bits of the tree of ends, written down in tree.hpp, on both back ends, every
// run, thread count, SIMD level and alignment.
#include <cstring>
#include <lookback/reduce_by_key.hpp>
#include <lookback/spmm.hpp>
#include <lookback/spmv.hpp>

#include "fixture.hpp"
#include "sparse.hpp"
#include "tree.hpp"

using namespace harness;
using lookback::index_t;

namespace {

/// Of any sign, and magnitudes so far apart that another association shows.
template <class T>
std::vector<T> rough_values(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<T> values(n);
  for (T& x : values) {
    x = static_cast<T>((2 * random.unit() - 1) * static_cast<double>(std::uint64_t{1} << random.below(20)));
    if (random.below(50) == 0) x = random.below(2) == 0 ? T(0) : T(-0.0);
  }
  return values;
}

/// Zeros of both signs and what is larger: which zero a minimum is depends on the order of its operands.
template <class T>
std::vector<T> zeros_and_more(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<T> values(n);
  for (T& x : values) x = random.below(3) == 0 ? T(0) : random.below(2) == 0 ? T(-0.0) : static_cast<T>(random.unit());
  return values;
}

template <class T>
::testing::AssertionResult same_bits(std::vector<T> const& got, std::vector<T> const& want) {
  if (got.size() != want.size()) return ::testing::AssertionFailure() << got.size() << " results, not " << want.size();
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0)
      return ::testing::AssertionFailure() << "result " << i << " of " << got.size() << " is " << got[i] << ", not " << want[i];
  return ::testing::AssertionSuccess();
}

/// Rows where a thread has `run` items and a tile `threads` of them: of every length that is one for it, and ends at every place.
std::vector<named_lengths> rows_of_a_tree(std::size_t threads, std::size_t run) {
  std::size_t const warp = 32 * run, tile = threads * run, many = up_to(40 * tile);
  std::vector<named_lengths> all;
  all.push_back({"no row", {}, 5});
  all.push_back({"no item", std::vector<std::size_t>(2 * tile + 3, 0), 5});
  all.push_back({"one row of everything", {many + 5}, 777});
  all.push_back({"one row of a tile but its end, and others", {tile - 1, tile, 1, 0, tile - 3, tile + 7, 5}, 777});
  for (std::size_t const length : {std::size_t{1}, run - 1, run, run + 1, warp - 1, warp, warp + 1, tile - 1, tile, 3 * tile + 1})
    all.push_back({"rows of " + std::to_string(length), std::vector<std::size_t>(1 + many / 8 / length, length), 777});
  for (std::uint64_t const mean : {std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{3 * run}, std::uint64_t{2 * warp}})
    all.push_back({"geometric, mean " + std::to_string(mean), geometric_lengths(many / 4 / mean, mean, mean), 777});
  auto mixed = geometric_lengths(many / 16, 4, 9);
  for (std::size_t r = 0; r < mixed.size(); ++r)
    if (r / 500 % 3 == 1) mixed[r] = 0;
  mixed[mixed.size() / 3] = 10 * tile;
  mixed[mixed.size() / 2] = tile + run / 2;
  mixed.front() = 0, mixed.back() = 0;
  all.push_back({"short rows, none, and long ones", mixed, 777});
  return all;
}

std::vector<std::int64_t> offsets_of_lengths(std::vector<std::size_t> const& lengths) {
  std::vector<std::int64_t> offsets{0};
  for (std::size_t const length : lengths) offsets.push_back(offsets.back() + static_cast<std::int64_t>(length));
  return offsets;
}

template <class T, class Offset, class Op>
void check_reduction_by_the_tree(std::size_t threads, std::size_t run, Op op, std::optional<T> const& initial,
                                 std::vector<T> (*values_of)(std::size_t, std::uint64_t) = rough_values<T>) {
  oracle::plain_tree_of_ends<T, Op> const tree{op, initial, initial ? *initial : Op::identity(), threads, run};
  for (auto const& [name, lengths, columns] : rows_of_a_tree(threads, run)) {
    SCOPED_TRACE(name);
    auto const offsets = offsets_of_lengths(lengths);
    auto const in = values_of(static_cast<std::size_t>(offsets.back()), lengths.size());
    auto const want = tree.results(in, offsets);
    each_reproducible_policy_by_ends([&](auto const& on) {
      for (std::size_t const misaligned : {0, 1}) {
        array<T> const values(in, misaligned);
        array<Offset> const described(std::vector<Offset>(offsets.begin(), offsets.end()), misaligned);
        array<T> out(lengths.size(), misaligned);
        lookback::segmented_reduce_async(on, values, lookback::known_offsets(described), out, nullptr, op,
                                         initial ? lookback::maybe<T>{*initial} : lookback::maybe<T>{});
        wait(on);
        EXPECT_TRUE(same_bits(out.host(), want));
        EXPECT_TRUE(out.intact());
      }
    });
  }
}

/// So many tiles that whoever looks back does so again and again: rows that hundreds of tiles are part of, and short ones.
std::vector<named_lengths> rows_of_many_tiles(std::size_t threads, std::size_t run) {
  std::size_t const tile = small() ? 100 : threads * run;
  std::vector<std::size_t> lengths{350 * tile + 7};
  for (std::size_t const length : geometric_lengths(50 * tile / 6, 5, 11)) lengths.push_back(length);
  lengths.push_back(230 * tile - run);
  lengths.push_back(0);
  lengths.push_back(33 * tile);
  return {{"rows of hundreds of tiles", lengths, 777}};
}

/// K columns of x; alpha and beta, or neither.
template <int K, class T, class Offset>
void check_product_by_the_tree(std::size_t threads, std::size_t run, T alpha, T beta,
                               std::vector<named_lengths> (*rows_of)(std::size_t, std::size_t) = rows_of_a_tree) {
  bool const scaled = alpha != 1 || beta != 0;
  for (auto const& [name, lengths, columns] : rows_of(threads, run)) {
    SCOPED_TRACE(name);
    auto a = random_matrix_of<T>(lengths, columns, lengths.size());
    a.values = rough_values<T>(a.values.size(), 5);
    auto const x = rough_values<T>(columns * K, 6), y = rough_values<T>(lengths.size() * K, 7);
    std::vector<T> want(y.size());
    for (std::size_t k = 0; k < K; ++k) {
      std::vector<T> products;
      for (std::size_t i = 0; i < a.values.size(); ++i) products.push_back(a.values[i] * x[a.column_indices[i] * K + k]);
      using plus = lookback::plus<T>;
      auto const sums = oracle::plain_tree_of_ends<T, plus>{{}, {}, T{}, threads, run}.results(products, a.offsets);
      for (std::size_t r = 0; r < sums.size(); ++r) {
        T const one = alpha * sums[r], other = beta * y[r * K + k];
        want[r * K + k] = !scaled ? sums[r] : beta == 0 ? one : one + other;
      }
    }
    each_reproducible_policy_by_ends([&](auto const& on) {
      for (std::size_t const misaligned : {0, 1}) {
        placed<T, std::int32_t, Offset> const matrix(a, misaligned);
        array<T> const from(x, misaligned);
        array<T> to(y, misaligned);
        if (scaled) lookback::spmm<K>(on, matrix.view(), from, to, alpha, beta);
        else lookback::spmm<K>(on, matrix.view(), from, to);
        wait(on);
        EXPECT_TRUE(same_bits(to.host(), want));
        EXPECT_TRUE(to.intact());
      }
    });
  }
}

}  // namespace

struct reproducible_ends : on_device {};

// Threads and items are those of core/README.md: a step of 8 bytes, of 12, of 24, of 40.
TEST_F(reproducible_ends, sums_of_floats) {
  check_reduction_by_the_tree<float, std::int32_t>(288, 13, lookback::plus<float>{}, {});
}
TEST_F(reproducible_ends, sums_of_doubles_from_an_initial_value) {
  check_reduction_by_the_tree<double, std::int64_t>(288, 13, lookback::plus<double>{}, 3.7);
}
TEST_F(reproducible_ends, minima_of_floats) {
  check_reduction_by_the_tree<float, std::int32_t>(288, 13, lookback::minimum<float>{}, {}, zeros_and_more<float>);
}
TEST_F(reproducible_ends, products_of_f32) { check_product_by_the_tree<1, float, std::int32_t>(288, 13, 1, 0); }
TEST_F(reproducible_ends, products_of_f64_scaled_and_added) {
  check_product_by_the_tree<1, double, std::int64_t>(320, 7, 1.3, -0.7);
}
TEST_F(reproducible_ends, products_by_four_vectors) { check_product_by_the_tree<4, float, std::int32_t>(320, 3, 1.3F, 0.7F); }
TEST_F(reproducible_ends, rows_of_hundreds_of_tiles) {
  check_product_by_the_tree<1, float, std::int32_t>(288, 13, 1, 0, rows_of_many_tiles);
  check_product_by_the_tree<1, double, std::int64_t>(320, 7, 1.3, -0.7, rows_of_many_tiles);
  check_product_by_the_tree<4, float, std::int32_t>(320, 3, 1.3F, 0.7F, rows_of_many_tiles);
}
TEST_F(reproducible_ends, products_by_eight_vectors) {
  if (has_tree_of_wide_items) return check_product_by_the_tree<8, float, std::int32_t>(192, 5, 1, 0);
  EXPECT_THROW((check_product_by_the_tree<8, float, std::int32_t>(192, 5, 1, 0)), lookback::invalid_argument);
}

// Segments of offsets that decrease may lie in two tiles, and both write them, in whichever order: ThreadSanitizer is right to say
// so, and it is left to the other sanitizers.
#if !defined(__SANITIZE_THREAD__)
TEST_F(reproducible_ends, offsets_that_decrease_or_lie_outside_touch_no_other_memory) {
  generator random(3);
  std::size_t const n = up_to(60'000);
  for (std::size_t const segments : {std::size_t{40}, n}) {
    std::vector<std::int32_t> offsets(segments + 1);
    for (auto& at : offsets) at = static_cast<std::int32_t>(random.below(n + 2000)) - 1000;
    auto const in = rough_values<float>(n, 4);
    array<float> const values(in);
    array<std::int32_t> const described(offsets);
    each_reproducible_policy_by_ends([&](auto const& on) {
      array<float> out(segments);
      lookback::segmented_reduce_async(on, values, lookback::known_offsets(described), out, nullptr, lookback::plus<float>{});
      wait(on);
      EXPECT_TRUE(out.intact());
    });
  }
}
#endif
