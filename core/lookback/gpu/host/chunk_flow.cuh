// Chunks of a stream on their way through a device: copied to it, worked on and copied back at the same time. What goes from chunk
// to chunk stays on the device: only the thread that brings results waits.
#pragma once
#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "../../policy.hpp"
#include "check.cuh"
#include "chunk_lanes.cuh"
#include "policy.cuh"
#include "workspace.cuh"

namespace lookback::gpu {

namespace detail {

/// Two places on the device for what goes from chunk to chunk: blocks that start late still read what came in.
template <class Carry>
class states_of_chunks {
 public:
  template <class On>
  On const& next(On const& on) const {
    return on;
  }
};
template <class T, class Key>
class states_of_chunks<carry<T, Key>> {
  using state = carried<T, Key>;

 public:
  template <class On>
  auto next(On const& on) {
    state* const places = static_cast<state*>(memory_.get());
    carry<T, Key> const here{chunks_ == 0 ? nullptr : places + chunks_ % 2, places + (chunks_ + 1) % 2};
    ++chunks_;
    return on.with(here);
  }

 private:
  device_memory memory_ = on_device_memory(2 * sizeof(state));
  std::uint64_t chunks_ = 0;
};

}  // namespace detail

/// A flow of chunks of `items` items, as lookback/stream.hpp uses it: room(s) is filled, run(s) enqueues, results(s) waits and
/// brings them; each is called by one thread at a time, chunk after chunk.
template <class On, class Verb>
class chunk_flow {
  using item = typename Verb::item;
  using result = typename Verb::result;
  static_assert(std::is_trivially_copyable_v<item> && std::is_trivially_copyable_v<result>, "items of a GPU are bytes");

 public:
  static constexpr bool fetches = true;
  static constexpr bool runs_on_what_it_is = false;
  static constexpr std::size_t slots = 6;
  static constexpr std::size_t most_bytes = std::size_t{384} << 20;

  chunk_flow(On const& on, Verb verb, std::size_t items, bool)
      : on_{on},
        verb_{std::move(verb)},
        lanes_(on.stream, slots, std::array{items * sizeof(item)}, std::array{items * sizeof(result)}, sizeof(index_t)) {
    if (!on.scratch) on_.scratch = &scratch_.emplace();
  }

  item* room(std::size_t s) const { return static_cast<item*>(lanes_.host_in(s)); }
  void run(std::size_t s, std::span<item const> in) {
    lanes_.send(s, 0, in.size_bytes());
    lanes_.sent(s);
    items_[s] = in.size();
    verb_(states_.next(on_), std::span<item const>(static_cast<item*>(lanes_.device_in(s)), in.size()),
          std::span<result>(static_cast<result*>(lanes_.device_out(s)), in.size()), static_cast<index_t*>(lanes_.counts(s)));
    lanes_.done(s);
  }
  std::span<result const> results(std::size_t s) {
    lanes_.wait(s);
    std::size_t number = items_[s];
    if constexpr (Verb::counts) number = static_cast<std::size_t>(*static_cast<index_t const*>(lanes_.counts(s)));
    lanes_.fetch(s, 0, number * sizeof(result));
    lanes_.fetched(s);
    return {static_cast<result const*>(lanes_.host_out(s)), number};
  }

 private:
  On on_;
  Verb verb_;
  std::optional<workspace> scratch_;
  detail::states_of_chunks<typename Verb::carry_type> states_;
  chunk_lanes lanes_;  // ends first: it waits
  std::size_t items_[slots] = {};
};

/// How lookback/stream.hpp finds it.
template <class Strategy, class Carry, class Tuning, class Verb>
chunk_flow<policy<Strategy, Carry, Tuning>, Verb> chunk_flow_of(policy<Strategy, Carry, Tuning> const&, std::type_identity<Verb>);

}  // namespace lookback::gpu
