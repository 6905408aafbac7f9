// What gzip made, decompressed.
#pragma once
#include <memory>
#include <string>

#include "file.hpp"

namespace lookback::app {

/// Decompresses a file part by part. Several gzip files one behind another are one text; zeros behind them are padding.
class gunzip_stream {
 public:
  /// Throws bad_data if it is no gzip file. `file` outlives it.
  explicit gunzip_stream(input_file const& file);
  gunzip_stream(gunzip_stream&&) noexcept;
  ~gunzip_stream();

  /// Writes the next bytes to [to, to + room), room > 0, and returns how many: 0 only at the end. Throws bad_data if the file is
  /// truncated or corrupt.
  std::size_t read(char* to, std::size_t room);
  /// Bytes of the file that have been read.
  std::size_t position() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// All of it. Throws bad_data, out_of_memory.
std::string gunzip(input_file const& file);

}  // namespace lookback::app
