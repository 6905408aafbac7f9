// Host memory for arrays: page-aligned, in large pages where the system has them, zero at first.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <string>
#include <utility>

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

class host_memory {
 public:
  host_memory() = default;
  /// Throws out_of_memory with the number of bytes.
  explicit host_memory(std::size_t bytes) : bytes_{bytes} {
    if (bytes == 0) return;
    void* const got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED)
      throw out_of_memory("no memory for " + bytes_text(static_cast<double>(bytes)) + " (" + text_of(bytes) + " bytes)");
    data_ = got;
    if (bytes >= (std::size_t{4} << 20)) madvise(data_, bytes, MADV_HUGEPAGE);
  }
  /// Of somebody else, who keeps it for as long: to be read.
  static host_memory view(std::byte const* data, std::size_t bytes) {
    host_memory made;
    made.data_ = const_cast<std::byte*>(data), made.bytes_ = bytes, made.is_view_ = true;
    return made;
  }
  ~host_memory() {
    if (data_ && !is_view_) munmap(data_, bytes_);
  }
  host_memory(host_memory&& other) noexcept { *this = std::move(other); }
  host_memory& operator=(host_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(is_view_, other.is_view_);
    return *this;
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_view_ = false;
};

}  // namespace lookback::app
