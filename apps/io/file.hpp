// Input files, as bytes.
#pragma once
#include <string>
#include <string_view>

#include "memory.hpp"

namespace lookback::app {

/// The content of a file: a regular file is mapped (so a claim in its header costs nothing until it is checked; it must not
/// shrink while it is read), anything else, a pipe say, is read to its end.
/// Throws no_input if it cannot be opened, io_error if it cannot be read.
class input_file {
 public:
  input_file() = default;
  explicit input_file(std::string path);
  ~input_file();
  input_file(input_file&&) noexcept;
  input_file& operator=(input_file&&) noexcept;

  std::string const& path() const { return path_; }
  std::byte const* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {reinterpret_cast<char const*>(data_), size_}; }

  /// Brings the whole file into memory now, so that later work does not wait for it page by page. Throws out_of_memory for a file
  /// that is larger than this machine's memory.
  void load() const;
  /// Loads the bytes [begin, begin + bytes) of the mapped file, which may be larger than the memory. Does nothing if the file is
  /// not mapped.
  void load(std::byte const* begin, std::size_t bytes) const;

 private:
  std::string path_;
  std::byte const* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  host_memory read_;
};

/// The lower-case ending of a file name: ".npy", ".csv"; empty if there is none.
std::string extension_of(std::string_view path);

}  // namespace lookback::app
