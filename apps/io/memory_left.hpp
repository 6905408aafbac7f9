// Refusing a huge claim before it is believed: the system grants memory that it does not have, and ends who uses it.
#pragma once
#include <cstddef>
#include <string>

namespace lookback::app {

/// Bytes that this process could still have, as the system says: of the machine, of the group that it runs in, or by its own limit
/// (ulimit -v).
std::size_t memory_left();

/// Throws out_of_memory, "<place>: <what> needs 8.0 TB, only 20.1 GB are left", if `count` items of `size` bytes are more.
void expect_memory(std::string const& place, std::string const& what, std::size_t count, std::size_t size);

}  // namespace lookback::app
