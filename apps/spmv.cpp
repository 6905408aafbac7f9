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
  command.add_option("A", s.matrix, "Matrix: .mtx, .mtx.gz (Matrix Market) or .npz (SciPy, format csr)")->required();
  command
      .add_option("-x", s.x,
                  "An element for every column: .npy, .mtx, .csv, .tsv or raw; else 1 + j mod 7; not changed unless -o names it")
      ->type_name("X");
  command.add_option("--alpha", s.alpha, "Scales A x: y = alpha A x + beta y; complex as 1.5-2i")->type_name("A");
  command.add_option("--beta", s.beta, "Scales y, with -y")->type_name("B");
  command.add_option("-y", s.y, "An element for every row, which beta scales; this file is not changed unless -o names it")
      ->type_name("Y0");
  command
      .add_option(
          "--precision", s.precision,
          "Compute in floats of this size. Otherwise integers with integers stay so and wrap, f32 with f32 stays f32, all else "
          "is f64; complex ones likewise")
      ->type_name("f32|f64");
  command.add_option("--dtype", s.type, std::string("Type of raw or text vectors: ") + vector_element_names)->type_name("TYPE");
  command.add_option("--column", s.column, "Column of text vectors, by name or counted from 0")->type_name("NAME|INDEX");
  add_header_option(command, s.header);
  add_output(command, a->out, compared);
  auto const read = [a](read_times* times) {
    auto made = read_spmv_job(a->spmv, times);
    auto const ending = extension_of(a->out);
    if (dispatch::is_complex(made->items().type) && (ending == ".csv" || ending == ".tsv"))
      throw usage_error(a->out + ": y is complex, which " + ending + " has no form for, expected .npy, .mtx or a raw name");
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
