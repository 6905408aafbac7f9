// Zip archives, as much of them as NumPy and SciPy write: members stored or deflated, also beyond 4 GB (zip64).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "memory.hpp"
#include "output_file.hpp"
#include "workers.hpp"

namespace lookback::app {

struct zip_member {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::size_t at = 0, packed = 0, size = 0;  // its bytes in the file; how many they become
};

/// The member of that name, the last if there are several: an archive that was appended to keeps the replaced ones. Of other
/// members only the names are read. Throws bad_data naming `file` and the byte; whatever it claims, a member lies within the file,
/// and becomes no larger than its bytes can.
std::optional<zip_member> find_zip_member(std::string_view bytes, std::string const& file, std::string_view name);

/// The content of a member: a view of `bytes` where it is stored, else unpacked into `memory`. Throws bad_data if it is corrupt.
std::string_view zip_content(std::string_view bytes, zip_member const& member, std::string const& file, host_memory& memory,
                             reading const& how);

/// CRC-32, on several threads.
std::uint32_t crc_of(std::string_view bytes, int threads, std::uint32_t before = 0);

/// Writes members that are stored, so that they can be mapped: the content of each begins at a multiple of 64.
class zip_writer {
 public:
  /// `wide`: zip64 everywhere, else where a size needs it.
  explicit zip_writer(output_file& out, int threads, bool wide = false) : out_{out}, threads_{threads}, wide_{wide} {}
  /// A member of `head`, then `body`.
  void add(std::string const& name, std::string_view head, std::span<std::byte const> body);
  /// The directory. The file itself is finished by who made it.
  void finish();

 private:
  void write(std::string_view text);

  output_file& out_;
  int threads_;
  bool wide_;
  std::uint64_t at_ = 0, members_ = 0;
  std::string directory_;
};

}  // namespace lookback::app
