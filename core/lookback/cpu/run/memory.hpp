// Where scratch comes from: two functions, so that a caller may own it and a test may refuse it.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "../../error.hpp"
#include "../../fn.hpp"
#include "../../observe.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// allocate gives 64-byte aligned memory or null; it may throw nothing.
struct memory {
  void* (*allocate)(std::size_t bytes, void* context);
  void (*release)(void* data, std::size_t bytes, void* context);
  void* context = nullptr;
  bool is_reserved = false;  // parts of memory that a call had before: an observation has it already
};

namespace detail {

/// Large scratch asks for pages of 2 MB: the first store to each page takes the kernel longer than a pass over 4 KB takes, and a
/// scatter to many places needs an entry of the TLB for each page.
inline constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr bool is_huge(std::size_t bytes) { return bytes >= 2 * huge_page; }
constexpr std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t{is_huge(bytes) ? huge_page : 64}; }

inline void* allocate(std::size_t bytes, void*) {
  void* const data = ::operator new(bytes, alignment_of(bytes), std::nothrow);
  if (data && is_huge(bytes)) ::madvise(data, bytes, MADV_HUGEPAGE);  // a hint: it may fail
  return data;
}
/// The same of memory that a call is about to fill, if its pages do not exist yet, as those of a fresh array: of one page that is
/// asked. A first scan of 2^24 numbers takes half the time then (docs/lab/cpu.md, 49).
inline void fill_by_huge_pages(void* data, index_t bytes) {
  auto const address = reinterpret_cast<std::uintptr_t>(data), behind = address + static_cast<std::uintptr_t>(bytes);
  auto const begin = (address + huge_page - 1) / huge_page * huge_page, end = behind / huge_page * huge_page;
  if (begin + huge_page >= end) return;
  unsigned char is_there = 1;
  void* const first = reinterpret_cast<void*>(begin);
  if (::mincore(first, 1, &is_there) == 0 && (is_there & 1) == 0) ::madvise(first, end - begin, MADV_HUGEPAGE);
}
inline void release(void* data, std::size_t bytes, void*) { ::operator delete(data, alignment_of(bytes)); }

}  // namespace detail

inline constexpr memory heap{detail::allocate, detail::release};

/// `count` elements of uninitialized storage, given back on destruction. Throws out_of_memory.
template <class T>
class scratch {
 public:
  scratch() = default;
  scratch(memory const& from, index_t count) : from_{from}, bytes_{static_cast<std::size_t>(count) * sizeof(T)} {
    if (count <= 0) return;
    if (!from.is_reserved) lookback::detail::observe_scratch(bytes_);
    data_ = from.allocate(bytes_, from.context);
    if (!data_) throw out_of_memory("lookback: cannot allocate " + std::to_string(bytes_) + " bytes of scratch memory");
  }
  scratch(scratch&& other) noexcept : from_{other.from_}, bytes_{other.bytes_}, data_{std::exchange(other.data_, nullptr)} {}
  scratch& operator=(scratch&&) = delete;
  ~scratch() {
    if (data_) from_.release(data_, bytes_, from_.context);
  }
  T* data() const { return static_cast<T*>(data_); }

 private:
  memory from_{heap};
  std::size_t bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
