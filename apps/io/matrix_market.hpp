// Matrix Market files: .mtx, text with one entry a line.
#pragma once
#include <string>
#include <string_view>

#include "matrix.hpp"
#include "workers.hpp"

namespace lookback::app {

/// The matrix that `text` holds, of any format, field and symmetry.
///   symmetric  every entry off the diagonal stands for its mirror image too, whichever side it is on; a note if they are on both
///   entries    in any order; those of one place are added up, in the order of the file; a note if there are more than places;
///              explicit zeros stay
///   array      every value becomes an entry, zeros too
///   numbers    as std::from_chars reads them, also inf, nan, and D for the exponent; too small for f64 is the nearest, as by
///              strtod
///   lines      %-comments and blank ones anywhere; blanks, tabs and '\r' around tokens; they may end in CR alone where the first
///              does
/// Throws bad_data naming `file`, the line, what is found and what was expected; out_of_memory for more rows than memory has room.
/// The result does not depend on the number of threads.
matrix read_matrix_market(std::string_view text, std::string const& file, reading const& how = {});

/// A file of one column or one row as a vector: array or coordinate, where places without an entry are 0. i64, f64 or c128.
array read_market_vector(std::string_view text, std::string const& file, reading const& how = {});

}  // namespace lookback::app
