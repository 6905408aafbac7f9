// A reduction by key as the command line describes it.
#pragma once
#include "command.hpp"
#include "dispatch/runs.hpp"

namespace lookback::app {

struct reduce_options {
  std::string keys, keys_type, keys_column;
  std::string values, type, column;
  header_line header = header_line::automatic;  // of both
  std::string op = "plus";
};

/// Everything in memory and checked.
struct reduce_job final : job {
  array keys, values;
  operation op = operation::plus;

  reduce_job() { command = "reduce-by-key"; }

  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override { return {keys.bytes(), values.bytes(), sizeof(index_t)}; }
  std::vector<std::size_t> used(outputs const& out) const override;
  bool leaves_counts() const override { return true; }
  bool offers(back_end where, strategy how) const override { return dispatch::offers_reduce(where, how, values.type, op); }
  void load() const override { keys.load(), values.load(); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  bool results_are_outputs() const override { return true; }
  byte_counts moved(outputs const& out) const override;
  std::string first_difference(outputs const& out) const override;
  std::string tolerance() const override;
  std::string finding(outputs const& out) const override;

  dispatch::reduce_request request(places const& at) const;
};

/// Throws bad_data if there is not a key for every value.
std::unique_ptr<reduce_job> make_reduce_job(array keys, array values, operation op);
std::unique_ptr<job> read_reduce_job(reduce_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
