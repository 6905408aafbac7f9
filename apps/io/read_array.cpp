#include "read_array.hpp"

#include <algorithm>
#include <cstring>

#include "gunzip.hpp"
#include "npy.hpp"
#include "read_matrix.hpp"
#include "report/clock.hpp"
#include "text_layout.hpp"

namespace lookback::app {

namespace {

// `held` holds the bytes where they are not the file's own.
array read_raw(input_file file, std::string const* held, element type) {
  std::size_t const bytes = held ? held->size() : file.size();
  std::size_t const size = dispatch::size_of(type);
  if (bytes % size != 0)
    refuse(file.path(), "byte " + text_of(bytes - bytes % size), "an incomplete item at the end of " + text_of(bytes) + " bytes",
           "a multiple of " + text_of(size) + " bytes (" + dispatch::name_of(type) + ")");
  array made;
  made.type = type;
  made.n = static_cast<index_t>(bytes / size);
  made.shape = {made.n};
  made.data = file.data();
  if (held) {
    made.memory = host_memory(bytes);
    if (bytes != 0) std::memcpy(made.memory.data(), held->data(), bytes);
    made.data = made.memory.data();
  }
  made.from = file.path();
  made.file = std::move(file);
  return made;
}

}  // namespace

input_format format_of(std::string const& type, std::string const& column, header_line header, char const* option,
                       input_role role) {
  bool const complex = role == input_role::vector;
  input_format format;
  if (!type.empty() && !(format.type = complex ? vector_element_named(type) : element_named(type)))
    throw usage_error(std::string(option) + ": found '" + type + "', expected one of " +
                      (complex ? vector_element_names : all_element_names));
  if (!column.empty()) format.column = column;
  format.header = header;
  format.type_option = format.column_option = option;
  if (auto const at = format.column_option.rfind("dtype"); at != std::string::npos) format.column_option.replace(at, 5, "column");
  return format;
}

array read_array(std::string const& path, input_format const& format, input_role role, input_reading* times) {
  if (role == input_role::vector && names_matrix_market(path)) return read_vector(path, times);
  stopwatch clock;
  input_reading spent;
  bool const packed = extension_of(path) == ".gz";
  std::string const name = packed ? path.substr(0, path.size() - 3) : path;
  std::string const ending = extension_of(name);
  input_file file(path);
  // Its size would be taken for a value.
  if (role == input_role::values && names_matrix_market(path) && (format.column || !format.type))
    throw usage_error(
        path + ": found a Matrix Market file, which spmv and pagerank read, expected .npy, .csv, .tsv, another text or raw file");
  array made;
  if (ending == ".npy" && packed)
    throw usage_error(path + ": found a compressed .npy, expected an uncompressed one (gunzip decompresses it)");
  if (ending == ".npy" && format.column)
    throw usage_error(path + ": found " + format.column_option + ", expected no such option: an .npy file holds one array");
  if (ending == ".npy") {
    made = read_npy(std::move(file), {.flags = role == input_role::flags, .complex = role == input_role::vector});
    if (format.type && *format.type != made.type)
      throw usage_error(path + ": " + format.type_option + " " + dispatch::name_of(*format.type) + ", but the file holds " +
                        dispatch::name_of(made.type) + (format.type_option == "--dtype" ? " (scan --as converts)" : ""));
    if (role == input_role::vector && std::count_if(made.shape.begin(), made.shape.end(), [](index_t n) { return n != 1; }) > 1)
      refuse(path, "shape", "an array of " + text_of(made.shape.size()) + " dimensions", "a vector: one column or one row");
    spent.parse = clock.lap();
    if (!format.only_mapped) made.load();
    spent.load = clock.lap();
  } else if (bool const text = ending == ".csv" || ending == ".tsv" || format.column;
             text || format.type || role == input_role::flags) {
    if (text && format.type && dispatch::is_complex(*format.type))
      throw usage_error(path + ": " + format.type_option + " " + dispatch::name_of(*format.type) +
                        ", but text holds real numbers, expected .npy, .mtx or a raw name");
    if (text) {  // read while it is parsed
      made =
          read_text_column(file, packed, {delimiter_named(path), format.column, format.type, format.header, format.column_option},
                           {.threads = times ? times->threads : 0});
    } else {
      if (packed || !format.only_mapped) file.load();
      std::string const held = packed ? gunzip(file) : std::string();
      spent.load = clock.lap();
      made = read_raw(std::move(file), packed ? &held : nullptr, format.type.value_or(element::u8));
    }
    spent.parse = clock.lap();
  } else {
    throw usage_error(path + ": the file name does not tell the format, expected " + format.type_option + " TYPE (raw) or " +
                      format.column_option + " NAME|INDEX (text)");
  }
  if (times) times->load += spent.load, times->parse += spent.parse;
  return made;
}

}  // namespace lookback::app
