// Stiffness of an elastic cube. Finite elements of one cell each are products of hat functions of x, y and z, so that every entry
// is a sum of products of three integrals along a line.
#include "grid.hpp"
#include "io/matrix_rows.hpp"

namespace lookback::app {

namespace {

// Integrals over a line of points, of the hat function of one of them and that of the point `step` beside it, in units that make
// them whole.
struct hats {
  index_t at, size;

  int cells() const { return (at > 0) + (at + 1 < size); }
  int values(int step) const { return step == 0 ? 2 * cells() : 1; }                              // in sixths
  int slopes(int step) const { return step == 0 ? cells() : -1; }                                 // whole
  int slope_and_value(int step) const { return step == 0 ? (at > 0) - (at + 1 < size) : -step; }  // in halves
  int value_and_slope(int step) const { return step == 0 ? slope_and_value(0) : step; }           // in halves
};

// How the forces on a node in three directions depend on how far a node beside it is moved in each, times 36.
struct stiffness {
  int entries[3][3];

  stiffness(hats const (&along)[3], int const (&step)[3]) {
    int value[3], slope[3], left[3], right[3];
    for (int k = 0; k < 3; ++k) {
      value[k] = along[k].values(step[k]), slope[k] = along[k].slopes(step[k]);
      left[k] = along[k].slope_and_value(step[k]), right[k] = along[k].value_and_slope(step[k]);
    }
    for (int a = 0; a < 3; ++a) {
      int const b = (a + 1) % 3, c = (a + 2) % 3;
      // Lame's constants are both 1: what is pulled in its own direction is three times as stiff as what is sheared.
      entries[a][a] = 3 * slope[a] * value[b] * value[c] + value[a] * slope[b] * value[c] + value[a] * value[b] * slope[c];
      // The sum is 0 or twice a sign.
      entries[a][b] = entries[b][a] = 3 * value[c] * (left[a] * right[b] + right[a] * left[b]) / 2;
    }
  }
};

// The values of nodes that have the same neighbours: at either end of a line, or between them.
template <class T>
class node_values {
 public:
  explicit node_values(index_t size) : size_{size} {
    index_t const places[3] = {0, 1, size - 1};
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) {
          hats const along[3] = {{places[x], size}, {places[y], size}, {places[z], size}};
          for (int a = 0; a < 3; ++a) fill(along, a, rows_[z][y][x][a]);
        }
  }

  /// Of a row of the node in direction a.
  std::vector<T> const& row(grid::point node, int a) const { return rows_[place(node.z)][place(node.y)][place(node.x)][a]; }

 private:
  int place(index_t at) const { return at == 0 ? 0 : at + 1 < size_ ? 1 : 2; }

  static void fill(hats const (&along)[3], int a, std::vector<T>& row) {
    int first[3], last[3], step[3];
    for (int k = 0; k < 3; ++k) first[k] = along[k].at > 0 ? -1 : 0, last[k] = along[k].at + 1 < along[k].size ? 1 : 0;
    for (step[2] = first[2]; step[2] <= last[2]; ++step[2])
      for (step[1] = first[1]; step[1] <= last[1]; ++step[1])
        for (step[0] = first[0]; step[0] <= last[0]; ++step[0])
          for (int const entry : stiffness(along, step).entries[a]) row.push_back(static_cast<T>(entry));
  }

  index_t size_;
  std::vector<T> rows_[3][3][3][3];
};

}  // namespace

matrix elasticity_3d(index_t size, generation const& how) {
  expect_between("--size", size, 2, index_t{1} << 13);
  grid const nodes{size, size, size, true};
  index_t const rows = 3 * size * size * size;
  auto made = matrix_of_rows(
      rows, rows, how, [&](index_t row) { return 3 * nodes.neighbours(row / 3); },
      [&](index_t row, auto columns) {
        using column = typename decltype(columns)::value_type;
        auto const n = columns.size() / 3;
        nodes.fill(row / 3, columns.first(n));
        for (auto k = n; k-- > 0;) {  // from the last, which is the first to be needed no more
          column const node = columns[k];
          for (column d = 0; d < 3; ++d) columns[3 * k + static_cast<std::size_t>(d)] = 3 * node + d;
        }
      });
  made.values = make_array(how.type, made.column_indices.n);
  with_value_type(how.type, [&]<class T>(std::type_identity<T>) {
    T* const values = made.values.memory.as<T>();
    node_values<T> const of_nodes(size);
    in_parts(rows, how.threads, [&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row)
        std::ranges::copy(of_nodes.row(nodes.at(row / 3), static_cast<int>(row % 3)), values + offset_at(made, row));
    });
  });
  return made;
}

}  // namespace lookback::app
