// lookback gen, sparse matrices: rmat, poisson2d ... -o OUT.mtx or OUT.npz.
#include <CLI/CLI.hpp>

#include "gen.hpp"
#include "generate/matrix_values.hpp"
#include "io/file.hpp"
#include "io/write_matrix.hpp"
#include "report/clock.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

struct matrix_words {
  rmat_law graph;
  bool unpermuted = false;
  std::string size, rows = "2^20", nonzeros = "2^22", dense, law = "lognormal", where, order = "rising";
  int points = 7;
  index_t bandwidth = 8, near = 0, cut = 1, dense_rows = 20, alike = 1;
  double variation = 4, decay = 1, neighbours = 0;
  bool columns_zero = false;
  CLI::Option const* rows_option = nullptr;
};

row_place place_named(std::string const& name, row_place otherwise) {
  if (name.empty()) return otherwise;
  return name == "top"      ? row_place::top
         : name == "middle" ? row_place::middle
         : name == "end"    ? row_place::end
                            : row_place::scattered;
}

index_t size_of(matrix_words const& words, index_t otherwise) {
  return words.size.empty() ? otherwise : parse_count(words.size, "--size");
}

matrix dense_row(gen_arguments const& a, matrix_words const& words, generation const& how) {
  bool const drawn = words.rows_option->count() > 0;
  if (drawn && !words.size.empty())
    throw usage_error("--rows: found --size too, expected one of them: --rows draws lengths of rows, --size makes a grid");
  if (!drawn && a.mean) throw usage_error("--mean: belongs to --rows, found a grid");
  index_t const rows = drawn ? parse_count(words.rows, "--rows") : 0;
  auto const others = drawn ? geometric_rows(rows, a.mean.value_or(8), {rows}, how) : poisson_3d(size_of(words, 64), 7, how);
  long_row row{others.columns, place_named(words.where, row_place::middle), words.cut};
  if (!words.dense.empty()) row.nonzeros = parse_count(words.dense, "--dense");
  return with_long_row(others, row, how);
}

matrix generate(gen_arguments const& a, matrix_words const& words, generation const& how) {
  if (a.name == "rmat") {
    rmat_law law = words.graph;
    law.permuted = !words.unpermuted;
    return rmat(law, how);
  }
  if (a.name == "poisson2d") return poisson_2d(size_of(words, 512), how);
  if (a.name == "poisson3d") return poisson_3d(size_of(words, 64), words.points, how);
  if (a.name == "elasticity") return elasticity_3d(size_of(words, 32), how);
  if (a.name == "dense-row") return dense_row(a, words, how);
  if (a.name == "dense") {
    index_t const rows = words.rows_option->count() > 0 ? parse_count(words.rows, "--rows") : 1024;
    return dense(rows, a.columns > 0 ? a.columns : rows, how);
  }
  double const mean = a.mean.value_or(8);
  if (a.name == "varied-rows") {
    varied_lengths const law{parse_count(words.nonzeros, "--nonzeros"), mean, words.variation, words.law == "zipf"};
    // A mean that makes no sense is refused with its name, not for the columns that follow from it.
    index_t const square = mean > 0 ? std::llround(std::min(static_cast<double>(law.nonzeros) / mean, 0x1p40)) : law.nonzeros;
    return varied_rows(law, {a.columns > 0 ? a.columns : square, words.near, words.neighbours, words.alike}, how);
  }
  index_t const rows = parse_count(words.rows, "--rows");
  column_law const columns{a.columns > 0 ? a.columns : rows, words.near, words.neighbours, words.alike};
  if (a.name == "arrow") return arrow(rows, place_named(words.where, row_place::top), how);
  if (a.name == "circuit") {
    index_t const densest = words.dense.empty() ? rows / 5 : parse_count(words.dense, "--dense");
    return circuit({rows, a.mean.value_or(4), words.near > 0 ? words.near : 1000, words.dense_rows, densest, words.decay}, how);
  }
  if (a.name == "banded") return banded(rows, words.bandwidth, how);
  if (a.name == "geometric-rows") return geometric_rows(rows, mean, columns, how);
  return empty_rows(rows, {a.empty.value_or(0.5), place_named(words.where, row_place::scattered), mean}, columns, how);
}

void run(gen_arguments const& a, matrix_words const& words) {
  auto const ending = extension_of(a.out);
  if (ending != ".mtx" && ending != ".npz")
    throw usage_error("--output " + a.out + ": found '" + ending + "', expected .mtx or .npz for a matrix");
  generation how{element::f64, a.seed, 0};
  if (!a.type.empty()) {
    auto const named = value_type_named(a.type);
    if (!named) throw usage_error("--dtype: found '" + a.type + "', expected " + value_type_names + " for a matrix");
    how.type = *named;
  }
  auto const order = words.columns_zero          ? column_order::all_zero
                     : words.order == "shuffled" ? column_order::shuffled
                     : words.order == "reversed" ? column_order::reversed
                                                 : column_order::rising;
  if (ending == ".mtx" && (order != column_order::rising || words.graph.keep_duplicates))
    note("gen: " + a.out + ": a reader of .mtx may sort the entries and add up duplicates; .npz keeps both as they are");
  output_file out(a.out);
  stopwatch clock;
  auto made = generate(a, words, how);
  order_columns(made, order, how);
  auto const seconds = clock.lap();
  write_matrix(out, made);
  out.commit();
  say(a.common, "gen: " + a.out + ": " + a.name + ", " + grouped(made.rows) + " x " + grouped(made.columns) + ", " +
                    grouped(made.nonzeros()) + " nonzeros of " + dispatch::name_of(how.type) + ", seed " + text_of(a.seed) +
                    ", made in " + time_text(seconds) + ", written in " + time_text(clock.lap()));
}

}  // namespace

gen_function declare_matrices(CLI::App& command, options_of_names& options) {
  auto const words = std::make_shared<matrix_words>();
  auto const flag = [&](std::vector<std::string> names, char const* name, bool& to, char const* what) {
    options.only(std::move(names), command.add_flag(name, to, what));
  };
  auto const option = [&](std::vector<std::string> names, char const* name, auto& to, char const* type, std::string const& what) {
    return options.only(std::move(names), command.add_option(name, to, what)->type_name(type));
  };
  option({"rmat"}, "--scale", words->graph.scale, "S", "rmat: 2^S vertices")->capture_default_str();
  option({"rmat"}, "--edge-factor", words->graph.edge_factor, "F", "rmat: number of edges to draw per vertex")
      ->capture_default_str();
  flag({"rmat"}, "--unpermuted", words->unpermuted,
       "rmat: do not shuffle the numbers of the vertices; low numbers then have most of the edges");
  flag({"rmat"}, "--keep-duplicates", words->graph.keep_duplicates,
       "rmat: store an edge that is drawn m times as m entries, not as one with m times the value");
  option({"poisson2d", "poisson3d", "elasticity", "dense-row"}, "--size", words->size, "K",
         "Points of the grid: poisson2d K x K (default 512), poisson3d and dense-row K x K x K (default 64), elasticity K x K x K "
         "(default 32)");
  option({"poisson3d"}, "--points", words->points, "7|27",
         "poisson3d: points of the stencil, which are the entries of an inner row")
      ->check(CLI::IsMember({7, 27}))
      ->capture_default_str();
  words->rows_option =
      option({"banded", "arrow", "dense-row", "circuit", "geometric-rows", "empty-rows", "dense"}, "--rows", words->rows, "N",
             "Number of rows, written as for --n (default 2^20, dense 1024, dense-row a grid of --size)");
  option({"banded"}, "--bandwidth", words->bandwidth, "K", "banded: entries at most K columns from the diagonal")
      ->capture_default_str();
  option({"dense-row", "circuit"}, "--dense", words->dense, "N",
         "Nonzeros of the densest row (default: dense-row all columns, circuit a fifth of them)");
  option({"circuit"}, "--dense-rows", words->dense_rows, "K", "circuit: number of dense rows, and of dense columns")
      ->capture_default_str();
  option({"circuit"}, "--decay", words->decay, "X", "circuit: the k-th densest row has N k^-X nonzeros, N from --dense")
      ->capture_default_str();
  option({"dense-row"}, "--cut", words->cut, "C", "dense-row: distribute the nonzeros of the long row over C rows")
      ->capture_default_str();
  option({"arrow", "dense-row", "empty-rows"}, "--where", words->where, "PLACE",
         "Place of the long row or of the empty rows. arrow: top (default), middle, end; dense-row: top, middle (default), end; "
         "empty-rows: top, middle, end, scattered (default)")
      ->check(CLI::IsMember({"top", "middle", "end", "scattered"}));
  option({"varied-rows"}, "--nonzeros", words->nonzeros, "N", "varied-rows: total number of nonzeros")->capture_default_str();
  option({"varied-rows"}, "--cv", words->variation, "X",
         "varied-rows: coefficient of variation of the row lengths (standard deviation / mean)")
      ->capture_default_str();
  option({"varied-rows"}, "--law", words->law, "LAW", "varied-rows: distribution of the row lengths")
      ->check(CLI::IsMember({"lognormal", "zipf"}))
      ->capture_default_str();
  option({"circuit", "geometric-rows", "varied-rows", "empty-rows"}, "--near", words->near, "D",
         "Draw columns at most D from the diagonal (default: all columns, circuit 1000)")
      ->check(CLI::PositiveNumber);
  std::vector<std::string> const drawn{"geometric-rows", "varied-rows", "empty-rows"};
  option(drawn, "--neighbours", words->neighbours, "X", "Average number of entries directly beside an entry in its row, 0 to 2")
      ->capture_default_str();
  option(drawn, "--alike", words->alike, "K", "Number of consecutive rows that have the same columns")->capture_default_str();
  auto* const order = option(matrix_names, "--order", words->order, "ORDER", "Order of the column indices within a row")
                          ->check(CLI::IsMember({"rising", "reversed", "shuffled"}))
                          ->capture_default_str();
  flag(matrix_names, "--columns-zero", words->columns_zero, "Put all entries into column 0");
  command.get_option("--columns-zero")->excludes(order);
  return [words](gen_arguments const& a) { run(a, *words); };
}

}  // namespace lookback::app
