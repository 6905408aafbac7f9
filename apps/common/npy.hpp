// NumPy's .npy files, versions 1 to 3: a header in Python's own notation, then the elements.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "array.hpp"

namespace lookback::app {

/// What the header says and where the elements begin.
struct npy_header {
  std::string descr;  // "<i4"
  bool fortran_order = false;
  std::vector<index_t> shape;
  std::size_t data_begin = 0;  // in bytes from the start of the file
};

/// Reads the header alone. Throws bad_data naming `file` and the byte where it stops making sense. O(header), whatever it claims.
npy_header parse_npy_header(std::string_view bytes, std::string const& file);

/// The header of a version 1.0 file (2.0 if it is too long for that), padded so that the elements begin at a multiple of 64.
std::string format_npy_header(element type, std::vector<index_t> const& shape);

/// The array of a .npy file, mapped (not yet loaded) where its alignment allows. `flags` admits bool, as u8.
/// Refuses big endian, Fortran order, other element types, and a header that claims more than the file holds.
array read_npy(input_file file, bool flags);

}  // namespace lookback::app
