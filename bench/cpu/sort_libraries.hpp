// Sorts of libraries that may be there: compiled apart, so that only that file asks whether they are.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

/// A key and what moves with it, as libraries sort them.
template <class Key>
struct valued_key {
  std::uint32_t value;
  Key key;
  friend bool operator<(valued_key const& a, valued_key const& b) { return a.key < b.key; }
};

/// vqsort of Highway (Debian: libhwy-dev), one thread. Of u32, u64, f32 and u32 with values.
bool has_vqsort();
template <class T>
void vqsort(T* data, std::size_t n);

/// ips4o (Debian: libips4o-dev), by so many threads. Of the same and u64 with values. Not stable.
bool has_ips4o();
template <class T>
void ips4o_sort(T* data, std::size_t n, int threads);

}  // namespace bench
