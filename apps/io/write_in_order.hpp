// A long text that several threads make, a part each, while one of them writes.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <lookback/cpu/run/machine.hpp>
#include <lookback/fn.hpp>
#include <string>
#include <thread>
#include <vector>

#include "output_file.hpp"

namespace lookback::app {

/// Appends to `to` what make(part, text) appends to an empty text, for parts 0, 1, ... of `parts`. make is called on `threads`
/// threads (0: one per core), this one among them. Throws what make or writing threw first, by the order of parts.
template <class Make>
void write_in_order(output_file& to, index_t parts, int threads, Make const& make) {
  index_t const wanted = std::min<index_t>(threads > 0 ? threads : cpu::usable_cores(), parts);
  std::atomic<index_t> next{0}, written{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;  // belongs to the one whose turn it is
  auto const help = [&] {
    std::string text;
    for (index_t part; (part = next.fetch_add(1, std::memory_order_relaxed)) < parts;) {
      std::exception_ptr mine;
      try {
        text.clear();
        if (!failed.load(std::memory_order_relaxed)) make(part, text);
      } catch (...) {
        mine = std::current_exception();
      }
      // acquire: who stored this number has written all parts before, and left its failure.
      for (index_t now; (now = written.load(std::memory_order_acquire)) != part;) written.wait(now, std::memory_order_acquire);
      if (!failure && !mine) try {
          to.write(text);
        } catch (...) {
          mine = std::current_exception();
        }
      if (!failure) failure = mine;
      if (failure) failed.store(true, std::memory_order_relaxed);
      written.store(part + 1, std::memory_order_release);
      written.notify_all();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (index_t t = 1; t < wanted; ++t) helpers.emplace_back(help);
    help();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lookback::app
