// Sorting the lines of a text, as the command line describes it.
#pragma once
#include "command.hpp"
#include "dispatch/lines.hpp"
#include "io/text_file.hpp"

namespace lookback::app {

struct lines_options {
  std::string in, out;
  bool unique = false, count = false;
};

/// Everything in memory.
struct lines_job final : job {
  text_file file;
  array characters, begins;
  index_t lines = 0;
  bool unique = false, counts_lines = false;  // one of each; and how many there are before it

  lines_job() { command = "sort-lines"; }

  array const& items() const override { return characters; }
  std::vector<std::span<std::byte const>> inputs() const override {
    return {{characters.data, characters.bytes()}, {begins.data, begins.bytes()}};
  }
  std::vector<std::size_t> room() const override;
  bool leaves_counts() const override { return true; }
  bool offers(back_end where, strategy how) const override { return dispatch::offers_lines(where, how); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::optional<outside_program> outside(int threads, std::string const& out) const override;
  std::vector<array_view> results(outputs const&) const override { return {}; }
  bool write_text(outputs const& out, output_file& to, int threads) const override;
  byte_counts moved(outputs const& out) const override;
  std::string moved_text() const override { return "text, read and written"; }
  std::string first_difference(outputs const& out) const override;
  std::string reference() const override { return "std::stable_sort of strings"; }
  std::string finding(outputs const& out) const override;

  dispatch::lines_request request(places const& at) const;

 private:
  /// The numbers of the lines that come out, in order.
  std::span<std::uint32_t const> order_in(outputs const& out) const;
  /// A line without its end.
  std::string_view line(std::uint32_t number) const;
};

/// Throws what reading throws.
std::unique_ptr<lines_job> make_lines_job(lines_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
