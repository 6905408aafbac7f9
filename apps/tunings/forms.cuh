// Every configuration of a command that is compiled ahead, as a list that the compiler writes: a grid of threads and bytes, and at
// a few tiles the other axes.
#pragma once
#include <vector>

#include "dispatch/on_queue.cuh"
#include "dispatch/tuned_form.hpp"

namespace lookback::dispatch {

/// The forms of each unit.
std::vector<tuned_forms> scan_forms_u32();
std::vector<tuned_forms> scan_forms_f32();
std::vector<tuned_forms> scan_forms_f64();
std::vector<tuned_forms> select_forms();
std::vector<tuned_forms> encode_forms();
std::vector<tuned_forms> reduce_forms();

/// Blocks that share a multiprocessor of an sm_90: by the shared memory of their slots, and so that a thread has 40 registers.
constexpr int blocks_that_fit(int threads, int bytes_per_thread, int slots) {
  int const memory = slots * (threads * bytes_per_thread + 512) + 3072;
  return std::min(227 * 1024 / (memory + 1024), 1536 / threads);
}

template <class Network>
constexpr char const* network_name() {
  if (std::is_same_v<Network, gpu::sklansky>) return "sklansky";
  if (std::is_same_v<Network, gpu::brent_kung>) return "brent_kung";
  return std::is_same_v<Network, gpu::raking> ? "raking" : "kogge_stone";
}
template <class Loads>
constexpr char const* loads_name() {
  return std::is_same_v<Loads, gpu::coalesced>       ? "coalesced"
         : std::is_same_v<Loads, gpu::strided_loads> ? "strided_loads"
                                                     : "by_copy_engine";
}

/// Form<Tuning>::make() sets the function of its command.
template <template <class> class Form>
class list_of_forms {
 public:
  /// Of sizes that no multiprocessor has room for there is none. Blocks: 0 for as many as fit.
  template <int Threads, int Bytes, int Slots = 3, int Blocks = 0, class Network = gpu::kogge_stone,
            class Loads = gpu::by_copy_engine>
  list_of_forms& add() {
    constexpr int most = blocks_that_fit(Threads, Bytes, Slots), blocks = Blocks == 0 ? most : Blocks;
    if constexpr (most >= 1 && blocks <= most) {
      auto form = Form<gpu::tuning<Threads, Bytes, Slots, blocks, Network, Loads, gpu::any_strides>>::make();
      form.sizes = {Threads, Bytes, Slots, blocks, network_name<Network>(), loads_name<Loads>(), Blocks == 0};
      forms_.push_back(form);
    }
    return *this;
  }
  template <int... Bytes>
  list_of_forms& add_grid(std::integer_sequence<int, Bytes...>) {
    (add_row<128, Bytes...>(), add_row<192, Bytes...>(), add_row<256, Bytes...>(), add_row<320, Bytes...>());
    (add_row<384, Bytes...>(), add_row<448, Bytes...>(), add_row<512, Bytes...>(), add_row<640, Bytes...>());
    (add_row<768, Bytes...>(), add_row<896, Bytes...>());
    return *this;
  }
  /// The other axes at one tile.
  template <int Threads, int Bytes>
  list_of_forms& add_others() {
    add<Threads, Bytes, 4>().template add<Threads, Bytes, 5>();
    add<Threads, Bytes, 3, 1>().template add<Threads, Bytes, 3, 2>().template add<Threads, Bytes, 3, 3>();
    add<Threads, Bytes, 3, 0, gpu::sklansky>().template add<Threads, Bytes, 3, 0, gpu::brent_kung>();
    add<Threads, Bytes, 3, 0, gpu::raking>();
    add<Threads, Bytes, 3, 0, gpu::kogge_stone, gpu::coalesced>();
    add<Threads, Bytes, 3, 0, gpu::kogge_stone, gpu::strided_loads>();
    return *this;
  }
  std::vector<tuned_form> const& all() const { return forms_; }

 private:
  template <int Threads, int... Bytes>
  void add_row() {
    (add<Threads, Bytes>(), ...);
  }
  std::vector<tuned_form> forms_;
};
using few_bytes = std::integer_sequence<int, 16, 32, 48, 64, 80, 96, 112, 128, 144>;

}  // namespace lookback::dispatch
