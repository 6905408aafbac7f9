// What `gen` shares between arrays and matrices.
#pragma once
#include <algorithm>
#include <functional>
#include <lookback/fn.hpp>
#include <optional>
#include <string>
#include <vector>

#include "jobs/options.hpp"

namespace CLI {
class Option;
}

namespace lookback::app {

/// Options that only some names know: an option that NAME does not know would be a wish that nobody hears.
class options_of_names {
 public:
  CLI::Option* only(std::vector<std::string> names, CLI::Option* option) {
    options_.push_back({option, std::move(names)});
    return option;
  }
  /// Throws usage_error naming an option that was given and is not of this name.
  void expect_heard(std::string const& name) const;

 private:
  struct option_of {
    CLI::Option const* option;
    std::vector<std::string> names;
  };
  std::vector<option_of> options_;
};

inline std::vector<std::string> const array_names{"uniform", "entropy", "runs", "segments"};
inline std::vector<std::string> const matrix_names{"rmat",           "poisson2d",   "poisson3d",  "elasticity",
                                                   "banded",         "arrow",       "dense-row",  "circuit",
                                                   "geometric-rows", "varied-rows", "empty-rows", "dense"};
inline bool is_matrix(std::string const& name) {
  return std::find(matrix_names.begin(), matrix_names.end(), name) != matrix_names.end();
}

/// What the command line says of arrays and matrices alike.
struct gen_arguments {
  std::string name, out, type;
  std::uint64_t seed = 1;
  index_t columns = 0;          // 0: not said
  std::optional<double> mean;   // length of runs, segments and rows
  std::optional<double> empty;  // share of segments or rows
  common_options common;
};

/// Makes the file that the arguments ask for, and tells.
using gen_function = std::function<void(gen_arguments const&)>;
/// Declares the options of matrices.
gen_function declare_matrices(CLI::App& command, options_of_names& options);

}  // namespace lookback::app
