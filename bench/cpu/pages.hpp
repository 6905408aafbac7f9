// Arrays on pages of a known size: 2 MB where the kernel grants them, or the 4 KB that a plain vector has.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace bench {

/// Memory mapped, advised and touched. Contiguous and sized, so that it is passed to the library as it is.
template <class T>
class array {
 public:
  array(std::size_t n, bool huge) : n_(n), mapped_((n * sizeof(T) / huge_page + 2) * huge_page) {
    void* const at = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(at);
    auto const skip = (huge_page - reinterpret_cast<std::size_t>(base_) % huge_page) % huge_page;
    madvise(base_, mapped_, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    data_ = reinterpret_cast<T*>(base_ + skip);
    std::memset(static_cast<void*>(data_), 0, n * sizeof(T));
  }
  array(array&& other) noexcept : n_(other.n_), mapped_(other.mapped_), base_(other.base_), data_(other.data_) {
    other.base_ = nullptr;
  }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  ~array() {
    if (base_) munmap(base_, mapped_);
  }
  T* begin() { return data_; }
  T* end() { return data_ + n_; }
  T const* begin() const { return data_; }
  T const* end() const { return data_ + n_; }
  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return n_; }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
  std::size_t n_, mapped_;
  std::byte* base_;
  T* data_;
};

}  // namespace bench
