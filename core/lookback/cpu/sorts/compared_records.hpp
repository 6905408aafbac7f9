// What a sort by comparisons moves: an item, and behind it what moves along.
//
//   | item | values ... |   up to 32 bytes, and of keys alone whatever they have
//   | item | place      |   more: what belongs to the item is gathered at the end (gather.hpp)
#pragma once
#include <cstddef>
#include <type_traits>

#include "../../model/sort_job.hpp"
#include "../simd/unit.hpp"
#include "records.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class T, int Bytes>
struct item_record {
  T item;
  std::byte beside[static_cast<std::size_t>(Bytes)];
};
template <class T>
struct item_record<T, 0> {
  T item;
};

/// Everything that belongs to an item lies in its record.
template <class Job>
struct item_packing {
  using T = typename Job::item_type;
  static constexpr int values = packed_bytes<decltype(Job::beside)>;
  static constexpr bool fits = values == 0 || static_cast<int>(sizeof(T)) + values <= most_record_bytes;
  using record_type = item_record<T, values>;

  Job job;
  store_way how;

  T const& item(index_t i) const { return job.in[i]; }
  /// The record of item i.
  record_type operator()(index_t i) const {
    if constexpr (values == 0) return {job.in[i]};
    else {
      record_type r{job.in[i], {}};
      pack_columns<static_cast<int>(sizeof(T))>(r, job.beside, i);
      return r;
    }
  }
  /// Stores what m sorted records hold at places `at` and on.
  void unpack(record_type const* from, index_t m, index_t at) const {
    if (job.out) unpack_items(from, m, job.out + at, how);
    unpack_columns<static_cast<int>(sizeof(T))>(from, m, job.beside, at, how);
  }
  template <class Record>
  static void unpack_items(Record const* from, index_t m, T* to, store_way const& how) {
    store_lines(to, m, how, [=](T* here, index_t first, index_t count) {
      for (index_t k = 0; k < count; ++k) get_from(from[first + k], 0, here + k);
    });
  }
};

/// The place of an item lies behind it.
template <class Job, class Place>
struct item_and_place {
  using T = typename Job::item_type;
  struct record_type {
    T item;
    Place place;
  };

  Job job;
  Place* places;
  store_way how;

  T const& item(index_t i) const { return job.in[i]; }
  record_type operator()(index_t i) const { return {job.in[i], static_cast<Place>(i)}; }
  void unpack(record_type const* from, index_t m, index_t at) const {
    if (job.out) item_packing<Job>::unpack_items(from, m, job.out + at, how);
    store_lines(places + at, m, how, [=](Place* here, index_t first, index_t count) {
      for (index_t k = 0; k < count; ++k) here[k] = from[first + k].place;
    });
  }
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
