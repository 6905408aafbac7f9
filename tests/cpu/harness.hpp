// The CPU side of the harness: which policies a test runs under, and where its arrays lie.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <lookback/cpu.hpp>
#include <lookback/strategy.hpp>
#include <new>
#include <string>
#include <vector>

namespace harness {

inline constexpr bool on_gpu = false;

/// Never: a CPU is always there. GPU tests skip where this gives a reason.
inline char const* why_not() { return nullptr; }

/// Bytes readable and writable where the scan runs.
class memory {
 public:
  explicit memory(std::size_t bytes) : bytes_(bytes), data_(::operator new(bytes, alignment)) {}
  ~memory() { ::operator delete(data_, alignment); }
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  void write(std::size_t at, void const* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(data() + at, from, bytes);
  }
  void read(std::size_t at, void* to, std::size_t bytes) const {
    if (bytes != 0) std::memcpy(to, data() + at, bytes);
  }

 private:
  static constexpr std::align_val_t alignment{256};
  std::size_t bytes_;
  void* data_;
};

/// Runs `body(on)` under every policy that must give the same answer.
template <class Body>
void each_policy(Body body) {
  auto const run = [&](char const* name, auto const& on) {
    SCOPED_TRACE(std::string("policy ") + name);
    body(on);
  };
  run("cpu::seq", lookback::cpu::seq);
  run("cpu::on(1)", lookback::cpu::on(1));
  run("cpu::on(2)", lookback::cpu::on(2));
  run("cpu::on(8)", lookback::cpu::on(8));
  run("cpu::on(3) reduce_then_scan", lookback::cpu::on(3).with(lookback::reduce_then_scan{}));
}

}  // namespace harness
