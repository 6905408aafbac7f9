// What a command does between reading and writing: arrays go in, arrays come out, and the library, a peer or a copy runs it. All
// that times, compares, checks and shows knows nothing else of a command.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dispatch/scan.hpp"
#include "io/output_file.hpp"
#include "io/read_array.hpp"
#include "io/write_array.hpp"

namespace lookback::app {

/// Where the inputs and outputs of a job lie when it runs, in the job's order; readable there.
struct places {
  std::vector<void const*> in;
  std::vector<void*> out;
};

struct byte_counts {
  double read = 0, written = 0;
  double all() const { return read + written; }
};
inline byte_counts bytes_of(std::size_t read, std::size_t written) {
  return {static_cast<double>(read), static_cast<double>(written)};
}

/// The outputs in host memory. The last one holds the counts of a job that has any.
using outputs = std::vector<host_memory>;

/// One way to run a job: a strategy of the library's, a peer, or the ceiling.
using job_function = std::function<void(dispatch::place const&, places const&)>;
struct peer_call {
  char const* name;
  bool is_ceiling;  // moves bytes and does nothing else: nobody can be faster
  job_function run;
};

/// Another program that does the same from file to file, as a process of its own.
struct outside_program {
  std::string name;                // of its row in a table
  std::string program;             // looked for where the shell does
  std::vector<std::string> words;  // the command, and its arguments
};

class chunked_job;

class job {
 public:
  virtual ~job() = default;

  std::string command;  // "scan"
  std::string title;    // "inclusive plus, by keys"
  /// The title without what no tuning depends on, such as numbers to compare with.
  virtual std::string manner() const { return title; }

  /// What it is about: its number and type stand in every table.
  virtual array const& items() const = 0;
  virtual std::vector<std::span<std::byte const>> inputs() const = 0;
  /// Bytes that each output may take. Index_t counts, where there are some, are the last output.
  virtual std::vector<std::size_t> room() const = 0;
  /// Bytes of them that hold something once it has run.
  virtual std::vector<std::size_t> used(outputs const&) const { return room(); }
  virtual bool leaves_counts() const { return false; }
  /// Works in the first output, which begins as a copy of the first input.
  virtual bool in_place() const { return false; }

  /// Brings inputs into memory that are only mapped so far.
  virtual void load() const {}
  /// The job by chunks there, by the library's own choice of a strategy; nothing where it needs all of its input at once.
  virtual std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const;

  /// The same by the kernels of a peer that takes chunks.
  virtual std::unique_ptr<chunked_job> in_chunks_by_peer(back_end where) const;

  /// Was it compiled for this back end? Asked for the textbook's form only where there is one.
  virtual bool offers(back_end where, strategy how) const = 0;
  virtual bool has_textbook_form() const { return false; }
  /// Is its result every value of a scan, and which? Some strategies need that.
  virtual dispatch::values_of stored_values() const { return dispatch::values_of::no_scan; }
  /// Runs it; on the GPU only enqueues it.
  virtual void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const = 0;
  /// The library's own forms on a back end that are none of its strategies, because they need a first run to prepare themselves.
  virtual std::vector<peer_call> prepared_forms(back_end) const { return {}; }
  /// What there is to know of these once they have run: whole lines, or nothing.
  virtual std::string about_prepared(back_end) const { return {}; }
  /// Other implementations on a back end, the ceiling last.
  virtual std::vector<peer_call> peers(back_end where) const = 0;
  /// A program that writes what this command does to `out`, on at most so many threads; nothing where nobody knows one.
  virtual std::optional<outside_program> outside(int /*threads*/, std::string const& /*out*/) const { return {}; }
  /// What there is to know of these peers: whole lines, or nothing.
  virtual std::string about_peers(back_end) const { return {}; }

  /// What goes to files, in the order of the command's output options.
  virtual std::vector<array_view> results(outputs const&) const = 0;
  /// Does it say there where they lie in the outputs, and look at nothing but the counts? Then the others may lie on a GPU.
  virtual bool results_are_outputs() const { return false; }
  /// A text in their place, for the one output of a job whose result is no array.
  virtual std::optional<std::string> text_result(outputs const&) const { return {}; }
  /// Writes that text, by `threads` (0: one per core). False where there is none.
  virtual bool write_text(outputs const& out, output_file& to, int /*threads*/) const {
    auto const text = text_result(out);
    if (text) to.write(*text);
    return text.has_value();
  }
  /// What it must at least read and write.
  virtual byte_counts moved(outputs const&) const = 0;
  double moved_bytes(outputs const& made) const { return moved(made).all(); }
  /// What these bytes are, where that is no matter of course; may be empty.
  virtual std::string moved_text() const { return {}; }
  /// Against a plain loop, or what reference() names: nothing, or where the first difference is and what it is.
  virtual std::string first_difference(outputs const&) const = 0;
  virtual std::string reference() const { return "a plain loop"; }
  /// What the comparison is: "exact", "16 eps sum|x|" ...
  virtual std::string tolerance() const { return "exact"; }
  /// What there is to tell of the result: "kept 12 of 100"; may be empty.
  virtual std::string finding(outputs const&) const { return {}; }
  /// Figures of the same for the report.
  virtual std::vector<std::pair<std::string, double>> facts(outputs const&) const { return {}; }
  /// What the result falls short of although every step was right: then it is written, and the command fails. Usually nothing.
  virtual std::string shortcoming(outputs const&) const { return {}; }
};

/// A job that leaves counts.
inline index_t count_in(outputs const& out, int number) { return out.back().as<index_t>()[number]; }

/// "kept 12 of 100 (12.0 %)"
std::string share_text(std::string const& verb, index_t part, index_t whole);

/// The calls of those peers of a back end that take a job's request. `request_at(places)` is that request where it runs.
template <class Peers, class RequestAt>
std::vector<peer_call> calls_of(Peers const& peers, back_end where, RequestAt request_at) {
  std::vector<peer_call> list;
  for (auto const& peer : peers)
    if (peer.where == where && peer.takes(request_at(places{})))
      list.push_back({peer.name, peer.is_ceiling,
                      [run = peer.run, request_at](dispatch::place const& on, places const& at) { run(on, request_at(at)); }});
  return list;
}

/// "i32", "f64" ...
inline char const* type_name(job const& of) { return dispatch::name_of(of.items().type); }

/// Reads files and checks them. Throws usage_error, no_input, bad_data naming file and place.
using job_reader = std::function<std::unique_ptr<job>(input_reading*)>;

/// Throws mismatch, naming `who`, if the result is not that of the reference.
inline void expect_valid(job const& of, outputs const& got, std::string const& who) {
  auto const difference = of.first_difference(got);
  if (!difference.empty()) throw mismatch(who + " (" + of.title + "): differs from " + of.reference() + ": " + difference);
}

}  // namespace lookback::app
