// Runs to be written out, as the command line describes them.
#pragma once
#include "command.hpp"
#include "dispatch/runs.hpp"

namespace lookback::app {

struct decode_options : input_words {
  std::string lengths, lengths_type, lengths_column;
};

/// Everything in memory and checked.
struct decode_job final : job {
  array values, lengths;  // i64
  index_t total = 0;      // items of all runs

  decode_job() { command = "rle decode", title = "runs written out"; }

  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override;
  bool leaves_counts() const override { return true; }
  bool offers(back_end where, strategy how) const override { return dispatch::offers_decode(where, how); }
  void load() const override;
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  byte_counts moved(outputs const& out) const override;
  std::string first_difference(outputs const& out) const override;
  std::string finding(outputs const& out) const override;

  dispatch::decode_request request(places const& at) const;
};

/// Throws bad_data naming the length that is none.
std::unique_ptr<decode_job> make_decode_job(array values, array lengths);
std::unique_ptr<job> read_decode_job(decode_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
