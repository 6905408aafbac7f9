// lookback spmv A.mtx -o Y: a sparse matrix times a vector.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/spmv_job.hpp"

namespace lookback::app {

command_words declare_spmv(CLI::App& command, bool compared) {
  struct arguments {
    spmv_options spmv;
    std::string out;
  };
  auto const a = std::make_shared<arguments>();
  auto& s = a->spmv;
  command.add_option("A", s.matrix, "Sparse matrix: .mtx, .mtx.gz (Matrix Market) or .npz (SciPy, format csr)")->required();
  command
      .add_option(
          "-x", s.x,
          "File of the vector x, one element per column: .npy, .mtx, .csv, .tsv or raw (default: element j is 1 + (j mod 7)). The "
          "file changes only if -o names it too")
      ->type_name("X");
  command.add_option("--alpha", s.alpha, "Factor alpha of y = alpha A x + beta y; a complex one is written as 1.5-2i (default 1)")
      ->type_name("A");
  command.add_option("--beta", s.beta, "Factor beta of y = alpha A x + beta y; needs -y")->type_name("B");
  command
      .add_option("-y", s.y,
                  "File of the vector y that --beta scales, one element per row. The file changes only if -o names it too")
      ->type_name("Y0");
  command
      .add_option(
          "--precision", s.precision,
          "Compute in floats of this precision. Default: integers with integers in integers that wrap around, f32 with f32 in "
          "f32, everything else in f64; complex numbers likewise")
      ->type_name("f32|f64");
  command.add_option("--dtype", s.type, std::string("Type of raw or text vectors: ") + vector_element_names)->type_name("TYPE");
  command.add_option("--column", s.column, "Column of text vectors: its name, or its index from 0")->type_name("NAME|INDEX");
  add_header_option(command, s.header);
  add_output(command, a->out, compared);
  auto const read = [a](input_reading* times) {
    auto made = read_spmv_job(a->spmv, times);
    auto const ending = extension_of(a->out);
    if (dispatch::is_complex(made->items().type) && (ending == ".csv" || ending == ".tsv"))
      throw usage_error(a->out + ": found complex y, which " + ending + " cannot hold, expected .npy, .mtx or a raw name");
    return made;
  };
  return {read, [a] { return std::vector{a->out}; },
          [a] {
            std::vector<std::string> files{a->spmv.matrix};
            for (auto const& one : {a->spmv.x, a->spmv.y})
              if (!one.empty()) files.push_back(one);
            return files;
          },
          [a] { return a->spmv.matrix; }};
}

}  // namespace lookback::app
