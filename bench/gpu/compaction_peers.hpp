// Enters CUB's compacting algorithms into a contest.
#pragma once
#include "../peers/compaction.hpp"
#include "peers.hpp"

namespace bench {

template <class T>
void enter_select_peers(contest& c, device& d, timing how, T const* in, T* out, std::int64_t* count, std::size_t n, below<T> keep) {
  enter_with_scratch(c, d, "cub", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::select_if(s, in, out, count, static_cast<std::int64_t>(n), keep, d.stream());
  });
}
template <class T>
void enter_flagged_peers(contest& c, device& d, T const* in, std::uint8_t const* flags, T* out, std::int64_t* count,
                         std::size_t n) {
  enter_with_scratch(c, d, "cub", timing::single, [=, &d](cub_peer::scratch& s) {
    cub_peer::select_flagged(s, in, flags, out, count, static_cast<std::int64_t>(n), d.stream());
  });
}
template <class T, class PutBack>
void enter_select_in_place_peers(contest& c, device& d, PutBack put_back, T* data, std::int64_t* count, std::size_t n,
                                 below<T> keep) {
  cub_peer::scratch need;
  cub_peer::select_in_place(need, data, count, static_cast<std::int64_t>(n), keep, d.stream());
  auto const memory = std::make_shared<array<std::byte>>(need.bytes);
  c.enter("cub", d.timed_after(put_back, [=, &d] {
    cub_peer::scratch s{memory->data(), memory->size()};
    cub_peer::select_in_place(s, data, count, static_cast<std::int64_t>(n), keep, d.stream());
  }));
}
template <class T>
void enter_partition_peers(contest& c, device& d, T const* in, T* out, T*, std::int64_t* count, std::size_t n, below<T> keep,
                           bool) {
  enter_with_scratch(c, d, "cub", timing::single, [=, &d](cub_peer::scratch& s) {
    cub_peer::partition_if(s, in, out, count, static_cast<std::int64_t>(n), keep, d.stream());
  });
}
template <class T>
void enter_unique_peers(contest& c, device& d, timing how, T const* in, T* out, std::int64_t* count, std::size_t n) {
  enter_with_scratch(c, d, "cub", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::unique(s, in, out, count, static_cast<std::int64_t>(n), d.stream());
  });
}

inline void enter_encode_peers(contest& c, device& d, timing how, std::uint32_t const* in, std::uint32_t* values,
                               std::int32_t* lengths, std::int64_t* count, std::size_t n) {
  enter_with_scratch(c, d, "cub", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::run_length_encode(s, in, values, lengths, count, static_cast<std::int64_t>(n), d.stream());
  });
}
inline void enter_non_trivial_peers(contest& c, device& d, timing how, std::uint32_t const* in, std::int32_t* offsets,
                                    std::int32_t* lengths, std::int64_t* count, std::size_t n) {
  enter_with_scratch(c, d, "cub", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::non_trivial_runs(s, in, offsets, lengths, count, static_cast<std::int64_t>(n), d.stream());
  });
}
inline void enter_decode_peers(contest& c, device& d, timing how, std::uint32_t const* values, std::int32_t const* lengths,
                               std::size_t runs, std::uint32_t* out, std::size_t n) {
  auto const number = static_cast<std::int64_t>(runs);
  enter_with_scratch(c, d, "cub_by_scan", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::run_length_decode_by_scan(s, values, lengths, number, out, static_cast<std::int64_t>(n), d.stream());
  });
  enter_with_scratch(c, d, "cub_by_copies", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::run_length_decode_by_copies(s, values, lengths, number, out, d.stream());
  });
}
inline void enter_reduce_peers(contest& c, device& d, timing how, std::uint32_t const* keys, float const* values,
                               std::uint32_t* keys_out, float* sums, std::int64_t* count, std::size_t n) {
  enter_with_scratch(c, d, "cub", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::reduce_by_key(s, keys, values, keys_out, sums, count, static_cast<std::int64_t>(n), d.stream());
  });
}

}  // namespace bench
