// The CPU side of the harness: which policies a test runs under, and where its arrays lie.
#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <lookback/cpu.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <lookback/strategy.hpp>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../sanitized.hpp"

/// What a lambda says so that the device may call it: nothing here.
#define ON_DEVICE

namespace harness {

inline constexpr bool on_gpu = false;
inline bool sees_copy_engine() { return true; }
inline bool small() { return sanitized; }
using few_types = ::testing::Types<std::int8_t, std::int32_t, double>;
using number_types = std::conditional_t<sanitized, few_types,
                                        ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::int32_t, std::uint32_t,
                                                         std::int64_t, std::uint64_t, float, double>>;
/// Sums of unsigned integers are those of signed ones, bit for bit, and number_types has both for plain scans.
using segmented_types = std::conditional_t<sanitized, few_types,
                                           ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>>;

/// Another word whenever it is asked for.
inline std::uint32_t any_moment() {
  static thread_local std::uint32_t word = 0;
  return word = word * 0x5851F42Du + 0x14057B7Fu;
}
/// Sizes that a tool can bear: n, or much less under a sanitizer.
inline std::size_t up_to(std::size_t n) { return small() && n > 10007 ? 10007 : n; }
inline int drawn_cases(int n) { return small() ? n / 10 : n; }

/// Never a reason: a CPU is always there. GPU tests skip where this gives one.
inline char const* why_not() { return nullptr; }

/// Bytes readable and writable where the scan runs.
class memory {
 public:
  explicit memory(std::size_t bytes) : data_(::operator new(bytes, alignment)) {}
  ~memory() { ::operator delete(data_, alignment); }
  memory(memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
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
  void* data_;
};

/// A tile of the default policy, and how many tiles a look-back takes in at once.
template <class T>
std::size_t tile_items() {
  return static_cast<std::size_t>(tile_items(lookback::cpu::on(2), lookback::index_t{sizeof(T)}));
}
inline constexpr std::size_t look_back_window = 8;
/// As many as the policies below have at most.
inline std::size_t workers() { return 3; }

/// Items after which a chunk of `on` may end without changing a bit of a float.
template <class T, class On>
std::size_t tile_items_under(On const& on) {
  return static_cast<std::size_t>(tile_items(on, lookback::index_t{sizeof(T)}));
}

/// Tiles so small that a thousand items make hundreds of them.
inline lookback::cpu::tuning small_tiles(lookback::index_t items) {
  lookback::cpu::tuning t;
  t.tile_items = items;
  t.serial_below_bytes = 1;
  return t;
}

template <class Body, class On>
void run_under(char const* name, On const& on, Body& body) {
  SCOPED_TRACE(::testing::Message() << "policy " << name);
  body(on);
}

/// Runs `body(on)` under every policy that must give the same answer.
template <class Body>
void each_policy(Body body) {
  using namespace lookback;
  run_under("seq", cpu::seq, body);
  run_under("on(1)", cpu::on(1), body);
  run_under("on(2)", cpu::on(2), body);
  run_under("on(2), tiles of 64", cpu::on(2).with(small_tiles(64)), body);
  run_under("on(8) threads, tiles of 192", cpu::on(8).with(cpu::std_threads).with(small_tiles(192)), body);
  run_under("reduce_then_scan on(2), tiles of 128", cpu::on(2).with(reduce_then_scan{}).with(small_tiles(128)), body);
}

/// The same but for the strategy that reads twice.
template <class Body>
void each_one_pass_policy(Body body) {
  using namespace lookback;
  run_under("seq", cpu::seq, body);
  run_under("on(2), tiles of 64", cpu::on(2).with(small_tiles(64)), body);
  run_under("on(8) threads, tiles of 192", cpu::on(8).with(cpu::std_threads).with(small_tiles(192)), body);
}

/// The same, and every strategy of the CPU: with few workers and with many, in tiles of which there are many.
template <class Body>
void each_strategy(Body body) {
  using namespace lookback;
  each_policy(body);
  run_under("chained on(2), tiles of 64", cpu::on(2).with(chained{}).with(small_tiles(64)), body);
  run_under("chained on(8) threads, tiles of 192", cpu::on(8).with(cpu::std_threads).with(chained{}).with(small_tiles(192)), body);
  run_under("waiting_look_back on(2), tiles of 64", cpu::on(2).with(waiting_look_back{}).with(small_tiles(64)), body);
  run_under("waiting_look_back on(8) threads, tiles of 192",
            cpu::on(8).with(cpu::std_threads).with(waiting_look_back{}).with(small_tiles(192)), body);
  run_under("immediate_look_back on(2), tiles of 64", cpu::on(2).with(immediate_look_back{}).with(small_tiles(64)), body);
  run_under("immediate_look_back on(8) threads, tiles of 192",
            cpu::on(8).with(cpu::std_threads).with(immediate_look_back{}).with(small_tiles(192)), body);
  run_under("auxiliary_block on(2), tiles of 64", cpu::on(2).with(auxiliary_block{}).with(small_tiles(64)), body);
  run_under("auxiliary_block on(8) threads, tiles of 192",
            cpu::on(8).with(cpu::std_threads).with(auxiliary_block{}).with(small_tiles(192)), body);
}

/// The same, and those that have scans alone which store every value as it is.
template <class Body>
void each_strategy_of_scans(Body body) {
  using namespace lookback;
  each_strategy(body);
  run_under("scan_then_propagate on(1)", cpu::on(1).with(scan_then_propagate{}), body);
  run_under("scan_then_propagate on(2), tiles of 64", cpu::on(2).with(scan_then_propagate{}).with(small_tiles(64)), body);
  run_under("scan_then_propagate on(8) threads, tiles of 192",
            cpu::on(8).with(cpu::std_threads).with(scan_then_propagate{}).with(small_tiles(192)), body);
}

/// Segmented scans as plain scans of pairs, in one pass and in two.
template <class Body>
void each_lifted(Body body) {
  using namespace lookback;
  using in_one_pass = lifted<decoupled_look_back>;
  run_under("lifted on(2)", cpu::on(2).with(in_one_pass{}), body);
  run_under("lifted on(2), tiles of 64", cpu::on(2).with(in_one_pass{}).with(small_tiles(64)), body);
  run_under("lifted on(8) threads, tiles of 192", cpu::on(8).with(cpu::std_threads).with(in_one_pass{}).with(small_tiles(192)),
            body);
  run_under("lifted reduce_then_scan on(2), tiles of 128", cpu::on(2).with(lifted<reduce_then_scan>{}).with(small_tiles(128)),
            body);
}

/// On a GPU a test may be about the number of passes alone.
template <class Body>
void each_number_of_passes(Body body) {
  each_strategy(body);
}

/// The policies whose float results are a function of the input alone: all of the CPU.
template <class Body>
void each_steady_policy(Body body) {
  each_policy(body);
}

/// The policies that `reproducible` promises the same bits for.
template <class Body>
void each_reproducible_policy(Body body) {
  using namespace lookback;
  auto const levels = {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512};
  for (auto const simd : levels)
    for (int const threads : {1, 2, 3}) {
      cpu::tuning t;
      t.simd = simd;
      SCOPED_TRACE("SIMD level " + std::to_string(static_cast<int>(simd)) + ", threads " + std::to_string(threads));
      body(cpu::on(threads).with(cpu::std_threads).with(reproducible).with(t));
    }
}

/// Are results by offsets of more than 16 bytes reproducible here?
inline constexpr bool has_tree_of_wide_items = true;

/// The same where segments are offsets: a tile of the tree may be all of the engine's, and any strategy will do.
template <class Body>
void each_reproducible_policy_by_ends(Body body) {
  using namespace lookback;
  each_reproducible_policy(body);
  run_under("seq", cpu::seq.with(reproducible), body);
  run_under("on(8) threads, small tiles", cpu::on(8).with(cpu::std_threads).with(reproducible).with(small_tiles(64)), body);
  run_under("on(3), tiles of three", cpu::on(3).with(reproducible).with(small_tiles(12'000)), body);
  run_under("reduce_then_scan on(3)", cpu::on(3).with(reproducible).with(reduce_then_scan{}).with(small_tiles(8'000)), body);
}

/// Policies that leave the same bits of floats as results of segments: any number of threads, one SIMD level.
template <class Body>
void each_run(Body body) {
  using namespace lookback;
  for (int const threads : {1, 2, 3, 8}) {
    SCOPED_TRACE("threads " + std::to_string(threads));
    body(cpu::on(threads).with(cpu::std_threads).with(reproducible));
  }
  run_under("seq", cpu::seq.with(reproducible), body);
  run_under("on(2)", cpu::on(2).with(reproducible), body);
}

/// As a user has it, on two threads.
inline auto default_policy() { return lookback::cpu::on(2); }

/// Returns when everything that was started under `on` is done.
template <class On>
void wait(On const&) {}

inline constexpr auto count_atomically = [](int* counter) {
  std::atomic_ref<int>(*counter).fetch_add(1, std::memory_order_relaxed);
};

}  // namespace harness
