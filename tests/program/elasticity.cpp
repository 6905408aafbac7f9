// Stiffness of elastic cubes against elements that are integrated one by one, and against what physics says of them.
#include <array>

#include "matrix.hpp"

namespace {

using block = std::array<std::array<double, 3>, 3>;

// The stiffness between two corners of a cell [0, 1]^3, by the points of Gauss, which are exact for these polynomials; times 36.
block of_corners(int i, int j) {
  block sum{};
  for (int point = 0; point < 8; ++point) {
    double at[3];
    for (int d = 0; d < 3; ++d) at[d] = 0.5 + ((point >> d & 1) ? 0.5 : -0.5) / std::sqrt(3);
    auto const hat = [&](int corner, int d) { return (corner >> d & 1) ? at[d] : 1 - at[d]; };
    auto const gradient = [&](int corner, int d) {
      double product = (corner >> d & 1) ? 1 : -1;
      for (int other = 0; other < 3; ++other)
        if (other != d) product *= hat(corner, other);
      return product;
    };
    double both = 0;
    for (int d = 0; d < 3; ++d) both += gradient(i, d) * gradient(j, d);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        auto const left = static_cast<int>(a), right = static_cast<int>(b);
        double const pressure = gradient(i, left) * gradient(j, right), shear = gradient(i, right) * gradient(j, left);
        sum[a][b] += 36.0 / 8 * (pressure + shear + (a == b ? both : 0));
      }
  }
  return sum;
}

}  // namespace

TEST(elasticity, is_the_sum_of_its_elements) {
  for (index_t const k : {2, 3, 4}) {
    auto const number = [&](index_t x, index_t y, index_t z, int corner) {
      return x + (corner & 1) + k * (y + (corner >> 1 & 1) + k * (z + (corner >> 2 & 1)));
    };
    std::map<std::pair<index_t, index_t>, double> expected;
    for (index_t z = 0; z + 1 < k; ++z)
      for (index_t y = 0; y + 1 < k; ++y)
        for (index_t x = 0; x + 1 < k; ++x)
          for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j) {
              auto const added = of_corners(i, j);
              for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = 0; b < 3; ++b)
                  expected[{3 * number(x, y, z, i) + static_cast<index_t>(a), 3 * number(x, y, z, j) + static_cast<index_t>(b)}] +=
                      added[a][b];
            }
    auto const made = elasticity_3d(k);
    EXPECT_EQ(made.rows, 3 * k * k * k);
    EXPECT_EQ(made.columns, made.rows);
    EXPECT_EQ(made.nonzeros(), 9 * (3 * k - 2) * (3 * k - 2) * (3 * k - 2));
    auto const found = checked(made).entries();
    ASSERT_EQ(found.size(), expected.size());  // zeros of a block are entries
    for (auto const& [at, value] : expected) ASSERT_NEAR(found.at(at), value, 1e-11) << at.first << " " << at.second;
  }
}

TEST(elasticity, is_symmetric_and_whole_in_every_type) {
  for (element const type : {element::f32, element::f64, element::i32, element::i64, element::c64, element::c128}) {
    auto const all = checked(elasticity_3d(5, {type})).entries();
    for (auto const& [at, value] : all) {
      ASSERT_EQ(all.at({at.second, at.first}), value);
      ASSERT_EQ(value, std::round(value));
    }
  }
}

TEST(elasticity, has_81_entries_in_rows_of_nodes_inside) {
  index_t const k = 6;
  auto const lengths = checked(elasticity_3d(k)).lengths();
  for (index_t row = 0; row < 3 * k * k * k; ++row) {
    index_t const node = row / 3;
    index_t expected = 3;
    for (index_t const at : {node % k, node / k % k, node / k / k}) expected *= at == 0 || at == k - 1 ? 2 : 3;
    ASSERT_EQ(lengths[static_cast<std::size_t>(row)], expected) << row;
  }
}

// A body that is held nowhere is moved and turned without force, and nothing but that.
TEST(elasticity, resists_no_rigid_motion) {
  index_t const k = 5;
  rows_of const all(elasticity_3d(k, {element::i64}));
  auto const energy = [&](auto const& moved, bool rigid) {
    double sum = 0;
    for (std::size_t row = 0; row + 1 < all.offsets.size(); ++row) {
      double force = 0;
      for (auto j = static_cast<std::size_t>(all.offsets[row]); j < static_cast<std::size_t>(all.offsets[row + 1]); ++j)
        force += all.values[j] * moved(all.columns[j] / 3, all.columns[j] % 3);
      if (rigid) {
        EXPECT_EQ(force, 0) << row;
      }
      sum += force * moved(static_cast<index_t>(row) / 3, static_cast<index_t>(row) % 3);
    }
    return sum;
  };
  auto const place = [&](index_t node, index_t d) {
    return static_cast<double>(d == 0 ? node % k : d == 1 ? node / k % k : node / k / k);
  };
  for (index_t const along : {0, 1, 2}) {
    energy([&](index_t, index_t d) { return d == along ? 1.0 : 0.0; }, true);
    index_t const from = (along + 1) % 3, to = (along + 2) % 3;
    energy([&](index_t node, index_t d) { return d == from ? -place(node, to) : d == to ? place(node, from) : 0; }, true);
    // Pulled by 1 in its own direction: the energy is that of 4^3 cells, lambda + 2 mu = 3 each.
    EXPECT_EQ(energy([&](index_t node, index_t d) { return d == along ? place(node, d) : 0; }, false), 36 * 64 * 3);
    // Sheared: mu = 1 each.
    EXPECT_EQ(energy([&](index_t node, index_t d) { return d == from ? place(node, to) : 0; }, false), 36 * 64);
  }
}
