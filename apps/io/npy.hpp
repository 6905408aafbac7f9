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

/// Which types an array may have besides the program's real ones.
struct npy_admits {
  bool flags = false, complex = false;
};
struct npy_type {
  element type;
  bool is_bool;  // then it is u8
};
/// The type of the elements, little endian. Throws bad_data for others.
npy_type npy_type_of(npy_header const& header, npy_admits admits, std::string const& file);

/// The number of items that the header claims. Throws bad_data if the file, of so many bytes, does not hold them.
index_t npy_items(npy_header const& header, std::size_t item_bytes, std::size_t file_bytes, std::string const& file);

/// The header of a version 1.0 file (2.0 if it is too long for that), padded so that the elements begin at a multiple of 64.
std::string format_npy_header(std::string const& descr, std::vector<index_t> const& shape);
/// Of at least `least` bytes: the same place for the elements, whatever the shape turns out to be.
std::string format_npy_header(element type, std::vector<index_t> const& shape, std::size_t least = 0);

/// The array of a .npy file, mapped (not yet loaded) where its alignment allows.
/// Refuses big endian, Fortran order of two dimensions or more, other element types, and a header that claims more than the file
/// holds.
array read_npy(input_file file, npy_admits admits);

}  // namespace lookback::app
