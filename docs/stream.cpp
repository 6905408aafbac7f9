// A file that need not fit into memory: prefix sums of the 4-byte integers in IN, written to OUT, and how many of them are
// positive.
//   stream IN OUT
#include <cstdint>
#include <fstream>
#include <iostream>
#include <lookback/cpu.hpp>
#include <lookback/stream.hpp>
#include <stdexcept>

namespace lb = lookback;

int main(int count, char** words) {
  if (count != 3) return std::cerr << "stream IN OUT\n", 64;
  try {
    std::ifstream in(words[1], std::ios::binary);
    std::ofstream out(words[2], std::ios::binary);
    auto const read = [&](std::span<std::int32_t> room) {
      in.read(reinterpret_cast<char*>(room.data()), static_cast<std::streamsize>(room.size_bytes()));
      return static_cast<std::size_t>(in.gcount()) / sizeof(std::int32_t);
    };
    auto const write = [&](std::span<std::int32_t const> sums) {
      out.write(reinterpret_cast<char const*>(sums.data()), static_cast<std::streamsize>(sums.size_bytes()));
      if (!out) throw std::runtime_error("cannot write");  // ends the stream, and is thrown by it
    };
    auto const summed = lb::stream(lb::cpu::on(), read, lb::chunked::inclusive_scan<std::int32_t>(), write);

    in.clear(), in.seekg(0);
    auto const positive = lb::chunked::select_if<std::int32_t>([](std::int32_t x) { return x > 0; });
    auto const kept = lb::stream(
        lb::cpu::on(), read, positive, [](std::span<std::int32_t const>) {}, lb::memory(64 << 20));
    std::cout << summed.results << " sums, " << kept.results << " positive\n";
  } catch (std::exception const& failed) {
    return std::cerr << failed.what() << '\n', 1;
  }
}
