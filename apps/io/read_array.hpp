// Arrays from files of every kind that the program knows, chosen by the file's name.
#pragma once
#include <optional>
#include <string>

#include "array.hpp"
#include "text_column.hpp"

namespace lookback::app {

/// What the command line says about an input.
struct input_format {
  std::optional<element> type;        // --dtype
  std::optional<std::string> column;  // --column
  header_line header = header_line::automatic;
  bool only_mapped = false;  // the elements of .npy and of raw files are not loaded yet: array::load() does that
  std::string type_option = "--dtype", column_option = "--column";  // what a message names: a second file has options of its own
};

/// How the inputs of a command are read: the most threads (0: one per core), and what it took, in seconds: for the bytes, and for
/// making numbers of them.
struct input_reading {
  int threads = 0;
  double load = 0, parse = 0;
  std::optional<std::int64_t> most_items = {};  // of every array: what is behind them is not taken
};

enum class input_role { values, flags, vector };  // vector: of a matrix, so that complex numbers and Matrix Market are admitted

/// From the words of three options, of which `option` names the type: --dtype, --keys-dtype ... (--column, --keys-column ...).
/// Throws usage_error for a type that there is not.
input_format format_of(std::string const& type, std::string const& column, header_line header, char const* option,
                       input_role role = input_role::values);

/// The array in file `path`:
///   .npy            by its own header; bool only as flags
///   .csv, .tsv      a column of text; so is any other name with `column`
///   any other name  raw little-endian elements of `type`, which must be given (flags: u8 by themselves)
///   NAME.gz         the same as NAME (but not .npy.gz)
///   .mtx, .mtx.gz   as a vector: one column or one row; as values only its bytes, by `type`
/// Throws no_input, bad_data, usage_error where the format is unclear, out_of_memory.
array read_array(std::string const& path, input_format const& format, input_role role = input_role::values,
                 input_reading* times = nullptr);

}  // namespace lookback::app
