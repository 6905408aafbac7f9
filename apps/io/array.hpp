// The arrays that commands take from files.
#pragma once
#include <lookback/fn.hpp>
#include <span>
#include <string>
#include <vector>

#include "elements.hpp"
#include "file.hpp"
#include "memory.hpp"

namespace lookback::app {

/// n elements in host memory, aligned for their type: a view of a mapped file, or memory of their own.
struct array {
  element type = element::u8;
  std::vector<index_t> shape;  // its product is n; C order
  index_t n = 0;
  std::byte const* data = nullptr;
  std::string from;    // file name, for messages
  std::string column;  // name of the text column, where it has one
  bool flags = false;  // was bool in the file; its elements are then u8
  input_file file;
  host_memory memory;
  std::vector<std::string> notes;  // what a reader has to tell of it, a line each

  /// Brings what is mapped into memory: all of it, or `items` items from `begin` on.
  void load() const { file.load(); }
  void load(index_t begin, index_t items) const {
    auto const size = dispatch::size_of(type);
    file.load(data + static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(items) * size);
  }

  std::size_t bytes() const { return static_cast<std::size_t>(n) * dispatch::size_of(type); }
  template <class T>
  std::span<T const> as() const {
    return {reinterpret_cast<T const*>(data), static_cast<std::size_t>(n)};
  }
};

/// n elements of its own, zero at first, one-dimensional.
inline array make_array(element type, index_t n) {
  array made;
  made.type = type;
  made.shape = {n};
  made.n = n;
  made.memory = host_memory(static_cast<std::size_t>(n) * dispatch::size_of(type));
  made.data = made.memory.data();
  return made;
}

/// The same numbers as elements of another type. Integers wrap; floats lose their fraction on the way to an integer.
/// Throws bad_data for a float that no value of an integer type can stand for (NaN, out of range).
array converted(array const& from, element to);

/// Flags as bytes, non-zero where they were; integers of four bytes stay if `words` allows that.
array as_flags(array flags, bool words = false);

/// Throws bad_data if `found`, the number of `what` in an array, is not n.
void expect_count(array const& of, index_t found, index_t n, std::string const& what);

}  // namespace lookback::app
