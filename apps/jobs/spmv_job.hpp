// A product of a sparse matrix and a vector as the command line describes it.
#pragma once
#include "command.hpp"
#include "dispatch/spmv.hpp"
#include "io/matrix.hpp"
#include "io/scalar.hpp"

namespace lookback::app {

struct spmv_options {
  std::string matrix;
  std::string x, y;          // files, empty for none
  std::string type, column;  // of raw and text vectors
  header_line header = header_line::automatic;
  std::string alpha, beta;  // empty for 1 and 0
  std::string precision;    // f32, f64, or empty: as the parts say
};

/// Everything in memory, checked and of one type. The matrix's arrays keep their order.
struct spmv_job final : job {
  matrix a;
  array x, y;  // y: what beta scales, or nothing
  scalar alpha, beta;
  bool scales = false, adds = false;  // by alpha; beta y, beta not 0

  spmv_job();

  array const& items() const override { return a.values; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override { return {static_cast<std::size_t>(a.rows) * dispatch::size_of(a.values.type)}; }
  bool in_place() const override { return adds; }
  std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const override;
  bool offers(back_end where, strategy how) const override;
  dispatch::values_of stored_values() const override { return dispatch::values_of::products; }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> prepared_forms(back_end where) const override;
  std::string about_prepared(back_end where) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::string about_peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  bool results_are_outputs() const override { return true; }
  byte_counts moved(outputs const&) const override;
  std::string moved_text() const override;
  std::string first_difference(outputs const& out) const override;
  std::string reference() const override;
  std::string tolerance() const override;
  std::string finding(outputs const&) const override;
  std::vector<std::pair<std::string, double>> facts(outputs const&) const override;

  dispatch::spmv_request request(places const& at) const;

 private:
  struct plan_made;
  std::shared_ptr<std::optional<plan_made>> plan_;  // nothing before it is made
};

/// y = A x. Without x it is 1 + j mod 7. Throws bad_data for vectors whose length does not match.
std::unique_ptr<spmv_job> make_spmv_job(matrix a, std::optional<array> x = {}, std::optional<element> precision = {});
std::unique_ptr<job> read_spmv_job(spmv_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
