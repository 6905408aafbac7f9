// Enters the GPU's peers into a contest.
#pragma once
#include <memory>

#include "../peers/scan.hpp"
#include "harness.hpp"

namespace bench {

/// `call(scratch)` once without memory says how much it needs, then is timed with it.
template <class Call>
void enter_with_scratch(contest& c, device& d, std::string name, timing how, Call call) {
  cub_peer::scratch need;
  call(need);
  auto const memory = std::make_shared<array<std::byte>>(need.bytes);
  c.enter(std::move(name), d.timed(how, [=] {
    cub_peer::scratch s{memory->data(), memory->size()};
    call(s);
  }));
}

template <class T>
void enter_scan_peers(contest& c, device& d, timing how, T const* in, T* out, std::size_t n, bool exclusive) {
  enter_with_scratch(c, d, "cub", how, [=, &d](cub_peer::scratch& s) {
    cub_peer::scan(s, in, out, static_cast<std::int64_t>(n), exclusive, d.stream());
  });
  if (how == timing::graph) return;  // Thrust does not promise that its calls can be captured
  c.enter("thrust", d.timed(how, [=, &d] { cub_peer::thrust_scan(in, out, static_cast<std::int64_t>(n), exclusive, d.stream()); }));
}

template <class T>
void enter_matrix_peers(contest& c, device& d, T const* in, T* out, std::size_t n) {
  enter_with_scratch(c, d, "cub", timing::single, [=, &d](cub_peer::scratch& s) {
    cub_peer::scan_matrices(s, in, out, static_cast<std::int64_t>(n), d.stream());
  });
}

/// Arrays that the peers of a segmented scan need beside ours.
struct segmented_peers {
  array<std::uint8_t> flags;
  array<std::int32_t> keys;
  segmented_peers(device& d, std::vector<std::int32_t> const& starts)
      : flags(d.filled(flags_at(starts))), keys(d.filled(keys_at(starts))) {}

  void enter(contest& c, device& d, std::int32_t const* in, std::int32_t* out, std::size_t n) const {
    auto const count = static_cast<std::int64_t>(n);
    enter_with_scratch(c, d, "cub_lifted", timing::single, [=, &d, f = flags.data()](cub_peer::scratch& s) {
      cub_peer::segmented_lifted(s, f, in, out, count, d.stream());
    });
    enter_with_scratch(c, d, "cub_by_key", timing::single, [=, &d, k = keys.data()](cub_peer::scratch& s) {
      cub_peer::segmented_by_keys(s, k, in, out, count, d.stream());
    });
  }
};

}  // namespace bench
