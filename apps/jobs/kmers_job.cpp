#include "kmers_job.hpp"

#include <algorithm>
#include <map>

#include "dispatch/peers.hpp"
#include "io/memory_left.hpp"
#include "io/numbers.hpp"
#include "report/clock.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

std::string letters_of(std::uint64_t word, int k) {
  std::string text(static_cast<std::size_t>(k), ' ');
  for (auto at = text.rbegin(); at != text.rend(); ++at, word >>= 2) *at = "ACGT"[word & 3];
  return text;
}

index_t shown(kmers_job const& job, outputs const& out) { return std::min(job.top, count_in(out, 1)); }

// Windows inside of one sequence: those that are words, and those that hold another letter.
struct windows {
  index_t words = 0, skipped = 0;
};
windows windows_of(sequences const& all, int k) {
  windows found;
  index_t inside = 0, good = 0;  // letters since the sequence began, and since the last other letter
  for (std::uint8_t const letter : all.letters.as<std::uint8_t>()) {
    inside = letter == sequences::between ? 0 : inside + 1;
    good = letter >= sequences::other ? 0 : good + 1;
    found.words += good >= k;
    found.skipped += inside >= k && good < k;
  }
  return found;
}

// From the text again, sharing nothing with what is checked.
using word_counts = std::map<std::string, index_t>;
void count_words(word_counts& counts, std::string const& sequence, std::size_t k) {
  for (std::size_t i = 0; i + k <= sequence.size(); ++i)
    if (auto const word = sequence.substr(i, k); word.find_first_not_of("ACGT") == std::string::npos) ++counts[word];
}
word_counts counts_of(std::string_view text, std::size_t k) {
  word_counts counts;
  std::string sequence;
  bool in_header = false, at_begin = true;
  for (char const c : text) {
    if (at_begin && c == '>') {
      count_words(counts, sequence, k);
      sequence.clear();
      in_header = true;
    }
    at_begin = c == '\n';
    if (at_begin) in_header = false;
    else if (!in_header && c != '\r' && c != ' ' && c != '\t')
      sequence += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  count_words(counts, sequence, k);
  return counts;
}

}  // namespace

std::vector<std::size_t> kmers_job::room() const {
  auto const words = static_cast<std::size_t>(read.letters.n) * sizeof(std::uint64_t);
  return {words, words, words, 2 * sizeof(index_t)};
}

// What it works in stays there.
std::vector<std::size_t> kmers_job::used(outputs const& out) const {
  auto const bytes = static_cast<std::size_t>(shown(*this, out)) * sizeof(std::uint64_t);
  return {bytes, bytes, 0, 2 * sizeof(index_t)};
}

dispatch::kmers_request kmers_job::request(places const& at) const {
  dispatch::kmers_request made;
  made.n = read.letters.n;
  made.k = k;
  if (at.in.empty()) return made;  // asked what it is, not to run
  made.letters = static_cast<std::uint8_t const*>(at.in[0]);
  made.kmers = static_cast<std::uint64_t*>(at.out[0]);
  made.lengths = static_cast<index_t*>(at.out[1]);
  made.windows = static_cast<std::uint64_t*>(at.out[2]);
  made.counts = static_cast<index_t*>(at.out[3]);
  return made;
}

void kmers_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::count_kmers(on, asked);
}

std::vector<peer_call> kmers_job::peers(back_end where) const {
  return calls_of(dispatch::kmers_peers(), where, [this](places const& at) { return request(at); });
}

std::optional<std::string> kmers_job::text_result(outputs const& out) const {
  std::string text = "kmer,count\n";
  for (index_t i = 0; i < shown(*this, out); ++i)
    text += letters_of(out[0].as<std::uint64_t>()[i], k) + "," + text_of(out[1].as<index_t>()[i]) + "\n";
  return text;
}

byte_counts kmers_job::moved(outputs const& out) const {
  auto const bytes = used(out);
  return bytes_of(read.letters.bytes(), bytes[0] + bytes[1]);
}

std::string kmers_job::first_difference(outputs const& out) const {
  auto const counts = counts_of(file.text(), static_cast<std::size_t>(k));
  std::vector<std::pair<std::string, index_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
  if (count_in(out, 1) != std::ssize(order))
    return "found " + grouped(count_in(out, 1)) + " different words, expected " + grouped(std::ssize(order));
  for (index_t i = 0; i < shown(*this, out); ++i) {
    auto const& [word, count] = order[static_cast<std::size_t>(i)];
    auto const got = letters_of(out[0].as<std::uint64_t>()[i], k);
    if (got != word || out[1].as<index_t>()[i] != count)
      return "row " + grouped(i) + ": found " + got + ", " + grouped(out[1].as<index_t>()[i]) + ", expected " + word + ", " +
             grouped(count);
  }
  return {};
}

std::string kmers_job::finding(outputs const& out) const {
  std::string text = grouped(count_in(out, 0)) + " words in " + grouped(read.number) +
                     (read.number == 1 ? " sequence, " : " sequences, ") + grouped(count_in(out, 1)) + " of them different";
  if (!shows_table || shown(*this, out) == 0) return text;
  table rows({"kmer", "count"}, 1);
  for (index_t i = 0; i < shown(*this, out); ++i)
    rows.add({letters_of(out[0].as<std::uint64_t>()[i], k), grouped(out[1].as<index_t>()[i])});
  auto lines = rows.text();
  lines.pop_back();
  return text + "\n" + lines;
}

std::unique_ptr<kmers_job> make_kmers_job(kmers_options const& options, input_reading* times) {
  auto made = std::make_unique<kmers_job>();
  made->file = read_text_file(options.in, times);
  stopwatch clock;
  made->read = parse_fasta(made->file);
  if (times) times->parse += clock.lap();
  auto const& letters = made->read.letters;
  expect_memory(options.in, "counting the words of " + grouped(letters.n) + " letters", static_cast<std::size_t>(letters.n),
                3 * sizeof(std::uint64_t));
  made->k = options.k;
  made->top = options.top;
  made->shows_table = options.out.empty();
  made->title = "words of " + text_of(options.k) + " letters";
  auto const [words, skipped] = windows_of(made->read, options.k);
  if (skipped > 0)
    note(options.in + ": skipped " + grouped(skipped) + (skipped == 1 ? " window that holds" : " windows that hold") +
         " another letter than A, C, G and T");
  if (words == 0) note(options.in + ": found no window of " + text_of(options.k) + " letters A, C, G and T: the table is empty");
  return made;
}

}  // namespace lookback::app
