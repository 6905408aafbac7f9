// Runs of equal neighbours as the command line describes them: their first items, with `lengths` also how long they are.
#pragma once
#include "command.hpp"
#include "dispatch/runs.hpp"

namespace lookback::app {

/// Everything in memory and checked. `unique` compares by ==, `rle encode` the bits, so that it can be undone.
struct runs_job final : job {
  array values;
  bool lengths = false, by_bits = false;

  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override { return {{values.data, values.bytes()}}; }
  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool leaves_counts() const override { return true; }
  void load() const override { values.load(); }
  std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const override;
  bool offers(back_end where, strategy how) const override { return dispatch::offers_runs(where, how, values.type); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  byte_counts moved(outputs const& out) const override;
  std::string first_difference(outputs const& out) const override;
  std::string finding(outputs const& out) const override;

  dispatch::runs_request request(places const& at) const;
};

std::unique_ptr<runs_job> make_unique_job(array values, bool lengths);
std::unique_ptr<runs_job> make_encode_job(array values);

}  // namespace lookback::app
