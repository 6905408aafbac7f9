// Matrices like those of circuits: a few nets, such as that of the supply, touch everything, all others their surroundings.
#include <bit>

#include "io/matrix_rows.hpp"
#include "permutation.hpp"
#include "row_lengths.hpp"
#include "spread.hpp"

namespace lookback::app {

namespace {

// The dense rows, which are the dense columns too. What is between them is plain, and has numbers of its own.
class dense_lines {
 public:
  static constexpr index_t most = 32;  // a plain row has a bit for each

  dense_lines(circuit_law const& law, generation const& how)
      : plain_{law.rows - law.dense_rows}, crossing_(static_cast<std::size_t>(plain_) * sizeof(std::uint32_t)) {
    auto const seed = seed_for(purpose::dense_lines, how.seed);
    index_t const lines = law.dense_rows;
    permutation const rank(lines, random_word(seed, 0));  // the densest is anywhere
    spread_columns const places(std::max(index_t{1}, lines), law.rows, random_word(seed, 1));
    for (index_t k = 0; k < lines; ++k) {
      double const share = portable_exp(-law.decay * portable_log(static_cast<double>(rank(k) + 1)));
      index_t const nonzeros = std::llround(share * static_cast<double>(law.densest));
      places_.push_back(places(k));
      plain_before_.push_back(places_.back() - k);
      crossed_.push_back(std::clamp(nonzeros - lines, index_t{0}, plain_));
      spreads_.emplace_back(std::max(index_t{1}, crossed_.back()), plain_, random_word(seed, 2 + static_cast<std::uint64_t>(k)));
    }
    in_parts(plain_, how.threads, [&](index_t begin, index_t end) { mark(begin, end); });
  }

  index_t count() const { return std::ssize(places_); }
  /// How many of them stand before a row: it is plain row `row` - that, or the dense one that the number says.
  index_t before(index_t row) const { return std::lower_bound(places_.begin(), places_.end(), row) - places_.begin(); }
  bool is_dense(index_t row, index_t before) const { return before < count() && place(before) == row; }

  index_t place(index_t line) const { return places_[static_cast<std::size_t>(line)]; }
  index_t crossed(index_t line) const { return crossed_[static_cast<std::size_t>(line)]; }
  /// The j-th plain row or column that a dense one crosses.
  index_t crossed(index_t line, index_t j) const { return spreads_[static_cast<std::size_t>(line)](j); }
  /// By a bit each, those that cross a plain row.
  std::uint32_t crossing(index_t plain) const { return crossing_.as<std::uint32_t const>()[plain]; }

  /// Writes plain columns next(), next() ..., which rise from `first` on, and those dense ones of which bits are set, all in order.
  template <class Column, class Next>
  void merge(std::span<Column> columns, index_t first, std::uint32_t dense, Next next) const {
    index_t const n = std::ssize(columns) - std::popcount(dense);
    auto out = columns.begin();
    auto const put_before = [&](index_t end) {  // those of the bits whose number is below that
      for (; dense != 0 && std::countr_zero(dense) < end; dense &= dense - 1)
        *out++ = static_cast<Column>(place(std::countr_zero(dense)));
    };
    auto line = std::upper_bound(plain_before_.begin(), plain_before_.end(), first) - plain_before_.begin();
    for (index_t j = 0; j < n; ++j) {
      index_t const plain = next();
      while (line < count() && plain_before_[static_cast<std::size_t>(line)] <= plain) ++line;
      put_before(line);
      *out++ = static_cast<Column>(plain + line);
    }
    put_before(count());
  }

 private:
  void mark(index_t begin, index_t end) {
    auto* const bits = crossing_.as<std::uint32_t>();
    std::fill(bits + begin, bits + end, 0);
    for (index_t line = 0; line < count(); ++line)
      for (index_t j = spreads_[static_cast<std::size_t>(line)].part_of(begin); j < crossed(line); ++j) {
        index_t const row = crossed(line, j);
        if (row >= end) break;
        if (row >= begin) bits[row] |= std::uint32_t{1} << line;
      }
  }

  index_t plain_;
  std::vector<index_t> places_, plain_before_, crossed_;
  std::vector<spread_columns> spreads_;
  host_memory crossing_;
};

// The plain columns of a plain row, one after the other: its diagonal, and others anywhere in parts of equal size around it.
class surroundings {
 public:
  surroundings(index_t row, index_t nonzeros, index_t begin, index_t width, std::uint64_t seed)
      : row_{row},
        begin_{begin},
        others_{nonzeros - 1},
        spread_(std::max(index_t{1}, others_), std::max(index_t{1}, width - 1), seed) {}

  index_t operator()() {
    if (j_ < others_) {
      index_t const other = begin_ + spread_(j_);
      if (past_ || other < row_) return ++j_, other + past_;
    }
    past_ = true;
    return row_;
  }

 private:
  index_t row_, begin_, others_;
  spread_columns spread_;
  index_t j_ = 0;
  bool past_ = false;  // the diagonal, which the others leave out
};

}  // namespace

matrix circuit(circuit_law const& law, generation const& how) {
  expect_between("--rows", law.rows, 1, most_rows);
  expect_between("--dense-rows", law.dense_rows, 0, std::min(dense_lines::most, law.rows - 1));
  expect_between("--dense", law.densest, 0, law.rows);
  expect_between("--near", law.reach, 0, most_rows);
  if (!(law.decay >= 0 && law.decay <= 100)) throw usage_error("--decay: found " + text_of(law.decay) + ", expected 0 to 100");
  index_t const plain = law.rows - law.dense_rows, width = std::min(plain, 2 * law.reach + 1);
  geometric_lengths const lengths(law.mean, width, how.seed);
  expect_countable(static_cast<double>(law.rows) * law.mean + 2.0 * static_cast<double>(law.dense_rows * law.densest));
  dense_lines const lines(law, how);
  auto const seed = seed_for(purpose::columns, how.seed);
  auto made = matrix_of_rows(
      law.rows, law.rows, how,
      [&](index_t row) {
        index_t const line = lines.before(row);
        if (lines.is_dense(row, line)) return lines.crossed(line) + lines.count();
        return lengths(row - line) + std::popcount(lines.crossing(row - line));
      },
      [&](index_t row, auto columns) {
        index_t const line = lines.before(row);
        if (lines.is_dense(row, line)) {
          auto const all = static_cast<std::uint32_t>((std::uint64_t{1} << lines.count()) - 1);
          lines.merge(columns, 0, all, [&, j = index_t{0}]() mutable { return lines.crossed(line, j++); });
          return;
        }
        index_t const own = row - line, begin = std::clamp(own - law.reach, index_t{0}, plain - width);
        auto const dense = lines.crossing(own);
        lines.merge(columns, begin, dense,
                    surroundings(own, std::ssize(columns) - std::popcount(dense), begin, width,
                                 random_word(seed, static_cast<std::uint64_t>(own))));
      });
  draw_values(made, how);
  return made;
}

}  // namespace lookback::app
