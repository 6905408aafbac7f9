// Output files that exist whole or not at all.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file.hpp"
#include "unfinished.hpp"

namespace lookback::app {

/// Made before a command computes, so that an output that cannot be written is found at once; written afterwards under a
/// temporary name in the same folder, which no other process has; renamed by commit(). Without that the temporary file goes away
/// again. An interrupted program removes it too. A symbolic link stays, and the file that it leads to is made or replaced; of a
/// file with several names only this one gets the new content. An existing output that is no regular file (a device, a pipe,
/// /dev/stdout) is written directly.
class output_file {
 public:
  /// Throws io_error, naming the path, the folder if that refuses, and why, if it cannot be written.
  explicit output_file(std::string path);
  ~output_file();
  output_file(output_file&& other) noexcept;
  output_file& operator=(output_file&&) = delete;

  std::string const& path() const { return path_; }
  /// Would `path` be written to the file that this one is written to? Files that are written directly are shared by right.
  bool is_same_file(std::string const& path) const;
  /// Appends. Throws io_error (a full disk, say).
  void write(std::span<std::byte const> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Is it a file of which any part may be written at any time? Pipes and devices are not.
  bool takes_parts() const { return !direct_; }
  /// Throws io_error, with both numbers, if the file system has less room than so many bytes.
  void expect_room(std::size_t bytes) const;
  /// Writes at a place of a file that takes parts. May be called by another thread than the rest.
  void write_at(std::size_t place, std::span<std::byte const> bytes);
  /// What was written to a file that takes parts, once it is finished: to be read before it takes its final name.
  input_file written() const { return input_file(temporary_); }
  /// Every byte is with the system; throws io_error if that fails. The final name does not exist yet.
  void finish();
  /// Takes the final name. Call it when all outputs of a command are finished.
  void commit();

 private:
  void open_now();
  void open_temporary();
  void remove();
  [[noreturn]] void fail(char const* what) const;

  std::string path_;       // as the user wrote it
  std::string target_;     // the file behind links
  bool direct_ = true;     // without a temporary file
  std::string temporary_;  // empty where there is none now
  int descriptor_ = -1;
  unfinished_file unfinished_;  // the temporary file, should a signal end the program
};

}  // namespace lookback::app
