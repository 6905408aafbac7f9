#include "job.hpp"

#include "chunked_job.hpp"
#include "io/numbers.hpp"
#include "report/table.hpp"

namespace lookback::app {

std::unique_ptr<chunked_job> job::in_chunks(back_end, bool) const { return nullptr; }
std::unique_ptr<chunked_job> job::in_chunks_by_peer(back_end) const { return nullptr; }

std::string share_text(std::string const& verb, index_t part, index_t whole) {
  std::string text = verb + " " + grouped(part) + " of " + grouped(whole);
  if (whole > 0) text += " (" + fixed_text(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %)";
  return text;
}

}  // namespace lookback::app
