// A selection as the command line describes it.
#pragma once
#include <optional>

#include "command.hpp"
#include "dispatch/select.hpp"
#include "io/scalar.hpp"

namespace lookback::app {

struct select_options : input_words {
  // One of these five says what is kept.
  std::string below, above, equal, flags;
  std::vector<std::string> between;  // none, or low and high
  std::string flags_type, flags_column;
  bool rejects = false, in_place = false;
};

enum class condition { below, above, equal, between, flagged };

/// Everything in memory and checked.
struct select_job final : job {
  array values, flags;
  condition keeps = condition::flagged;
  scalar low{}, high{};    // between: both; below: high; above, equal: low
  scalar first{}, last{};  // the same as the least and the greatest value that is kept, which is what the library is asked for
  bool rejects = false, works_in_place = false;

  select_job() { command = "select"; }

  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool leaves_counts() const override { return true; }
  bool in_place() const override { return works_in_place; }
  std::string manner() const override;
  void load() const override { values.load(), flags.load(); }
  std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const override;
  std::unique_ptr<chunked_job> in_chunks_by_peer(back_end where) const override;
  bool offers(back_end where, strategy how) const override { return dispatch::offers_select(where, how, request({})); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  bool results_are_outputs() const override { return true; }
  byte_counts moved(outputs const& out) const override;
  std::string first_difference(outputs const& out) const override;
  std::string finding(outputs const& out) const override;

  dispatch::select_request request(places const& at) const;
};

/// What is kept, of items in memory: for flags `flags`, a byte each; else low and high. Names the job.
std::unique_ptr<select_job> make_select_job(array values, condition keeps, scalar low, scalar high, array flags = {});

std::unique_ptr<job> read_select_job(select_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
