// Enters CUB's radix sort into a contest: with 32-bit sizes, its fastest form, and with 64-bit ones.
#pragma once
#include "../peers/sort.hpp"
#include "../sorts.hpp"
#include "peers.hpp"

namespace bench {

template <class Key>
void enter_sort_peers(contest& c, device& d, Key const* in, Key* out, std::size_t n) {
  auto const enter = [&](char const* name, auto number) {
    enter_with_scratch(c, d, name, timing::single,
                       [=, &d](cub_peer::scratch& s) { cub_peer::sort_keys(s, in, out, number, d.stream()); });
  };
  enter("cub", static_cast<int>(n));
  enter("cub_64", n);
}

template <class Key>
void enter_sort_pairs_peers(contest& c, device& d, Key const* in, std::uint32_t const* values, Key* out, std::uint32_t* values_out,
                            std::size_t n) {
  auto const enter = [&](char const* name, auto number) {
    enter_with_scratch(c, d, name, timing::single,
                       [=, &d](cub_peer::scratch& s) { cub_peer::sort_pairs(s, in, values, out, values_out, number, d.stream()); });
  };
  enter("cub", static_cast<int>(n));
  enter("cub_64", n);
}

/// Pairs of keys and places that were written before and are not timed; sorted keys go to an array that nobody asked for.
inline void enter_argsort_peers(contest& c, device& d, std::uint32_t const* in, std::uint32_t* indices, std::size_t n) {
  auto const places = std::make_shared<array<std::uint32_t>>(generated<std::uint32_t>(d, n, number_of<std::uint32_t>{}));
  auto const keys_out = std::make_shared<array<std::uint32_t>>(n);
  auto const enter = [&](char const* name, auto number) {
    enter_with_scratch(c, d, name, timing::single, [=, &d](cub_peer::scratch& s) {
      cub_peer::sort_pairs(s, in, places->data(), keys_out->data(), indices, number, d.stream());
    });
  };
  enter("cub", static_cast<int>(n));
  enter("cub_64", n);
}

}  // namespace bench
