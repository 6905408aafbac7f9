// Sorting the rows of a delimited text by columns, as the command line describes it.
#pragma once
#include "command.hpp"
#include "dispatch/records.hpp"
#include "io/text_file.hpp"
#include "io/text_table.hpp"

namespace lookback::app {

struct records_options {
  std::string in, out;
  std::string by;  // columns, with commas between
  bool descending = false;
  header_line header = header_line::automatic;
};

/// Everything in memory.
struct records_job final : job {
  text_file file;
  text_layout layout;
  text_table table;
  array characters;  // of the whole text
  bool descending = false;

  records_job() { command = "sort-table"; }

  array const& items() const override { return characters; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool offers(back_end where, strategy how) const override { return dispatch::offers_records(where, how); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const&) const override { return {}; }
  std::optional<std::string> text_result(outputs const& out) const override;
  bool write_text(outputs const& out, output_file& to, int threads) const override;
  byte_counts moved(outputs const& out) const override;
  std::string moved_text() const override { return "fields of these columns, and places of rows"; }
  std::string first_difference(outputs const& out) const override;
  std::string reference() const override { return "std::stable_sort of the fields"; }
  std::string finding(outputs const& out) const override;

  dispatch::records_request request(places const& at) const;

 private:
  void append_rows(outputs const& out, index_t first, index_t last, std::string& text) const;
};

/// layout.note tells of a header that was found. Throws usage_error for an empty name; what reading throws.
std::unique_ptr<records_job> make_records_job(records_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
