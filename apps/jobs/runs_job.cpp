#include "runs_job.hpp"

#include <cstring>

#include "chunked_job.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"
#include "report/table.hpp"

namespace lookback::app {

std::vector<std::size_t> runs_job::room() const {
  auto const numbers = static_cast<std::size_t>(values.n) * sizeof(index_t);
  return lengths ? std::vector{values.bytes(), numbers, sizeof(index_t)} : std::vector{values.bytes(), sizeof(index_t)};
}

std::vector<std::size_t> runs_job::used(outputs const& out) const {
  auto bytes = room();
  auto const runs = static_cast<std::size_t>(count_in(out, 0));
  bytes[0] = runs * dispatch::size_of(values.type);
  if (lengths) bytes[1] = runs * sizeof(index_t);
  return bytes;
}

dispatch::runs_request runs_job::request(places const& at) const {
  dispatch::runs_request made;
  made.n = values.n;
  made.type = values.type;
  made.by_bits = by_bits;
  if (at.in.empty()) return made;  // asked what it is, not to run
  made.in = at.in[0];
  made.firsts = at.out[0];
  if (lengths) made.lengths = static_cast<index_t*>(at.out[1]);
  made.count = static_cast<index_t*>(at.out.back());
  return made;
}

void runs_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::find_runs(on, asked);
}

namespace {

// Runs go on from chunk to chunk. A chunk is looked at with the item before it, with which the open run is found again: of its
// first run it is known how long it has been before. The last run of a chunk waits for the next one.
class runs_chunks final : public chunked_job {
 public:
  explicit runs_chunks(runs_job const& of) : job_{of} {}

  void load(item_range chunk) override { job_.values.load(chunk.begin, chunk.count); }
  index_t multiple() const override { return 4096; }  // any cut would do
  std::vector<std::size_t> room(index_t items) const override {
    auto const number = static_cast<std::size_t>(items) + 1;
    return job_.lengths ? std::vector{number * size_, number * sizeof(index_t)} : std::vector{number * size_};
  }
  std::size_t count_bytes() const override { return sizeof(index_t); }
  std::vector<std::span<std::byte const>> inputs(item_range chunk) const override {
    auto const all = with_one_before(chunk);
    return {{job_.values.data + static_cast<std::size_t>(all.begin) * size_, static_cast<std::size_t>(all.count) * size_}};
  }
  std::vector<std::size_t> input_room(index_t items) const override { return {(static_cast<std::size_t>(items) + 1) * size_}; }
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    auto asked = job_.request(at);
    asked.n = with_one_before(chunk).count;
    dispatch::find_runs(on, asked);
  }
  std::vector<index_t> made(item_range, void const* counts) const override {
    return std::vector(job_.lengths ? 2 : 1, *static_cast<index_t const*>(counts));
  }
  std::vector<item_range> finish(item_range chunk, void const* counts, std::vector<void*>& out) override {
    bool const goes_on = chunk.begin > 0, ends = chunk.begin + chunk.count == job_.values.n;
    index_t const runs = *static_cast<index_t const*>(counts);
    auto* const first = static_cast<std::byte*>(out[0]);
    std::byte* const last = first + static_cast<std::size_t>(runs - 1) * size_;
    if (goes_on) std::memcpy(first, open_, size_);
    std::memcpy(open_, last, size_);
    if (job_.lengths) {
      auto* const lengths = static_cast<index_t*>(out[1]);
      if (goes_on) lengths[0] += length_ - 1;
      length_ = lengths[runs - 1];
    }
    index_t const whole = ends ? runs : runs - 1;
    item_range const here{done_, whole};
    done_ += whole;
    return std::vector(job_.lengths ? 2 : 1, here);
  }
  std::vector<array_view> largest() const override { return views(job_.values.n); }
  bool has_known_lengths() const override { return false; }
  std::vector<array_view> results() const override { return views(done_); }
  outputs counts() const override {
    outputs made;
    std::memcpy(made.emplace_back(sizeof done_).data(), &done_, sizeof done_);
    return made;
  }

 private:
  static item_range with_one_before(item_range chunk) {
    index_t const before = chunk.begin > 0 ? 1 : 0;
    return {chunk.begin - before, chunk.count + before};
  }
  std::vector<array_view> views(index_t runs) const {
    std::vector<array_view> made{{job_.values.type, {runs}, nullptr, job_.values.column}};
    if (job_.lengths) made.push_back({element::i64, {runs}, nullptr, {}});
    return made;
  }

  runs_job const& job_;
  std::size_t size_ = dispatch::size_of(job_.values.type);
  std::byte open_[8] = {};  // the first item of the run that is open
  index_t length_ = 0;      // and how long it is so far
  index_t done_ = 0;        // runs
};

}  // namespace

std::unique_ptr<chunked_job> runs_job::in_chunks(back_end, bool) const { return std::make_unique<runs_chunks>(*this); }

std::vector<peer_call> runs_job::peers(back_end where) const {
  return calls_of(lengths ? dispatch::encode_peers() : dispatch::unique_peers(), where,
                  [this](places const& at) { return request(at); });
}

std::vector<array_view> runs_job::results(outputs const& out) const {
  index_t const runs = count_in(out, 0);
  std::vector<array_view> all{{values.type, {runs}, out[0].data(), values.column}};
  if (lengths) all.push_back({element::i64, {runs}, out[1].data(), values.column.empty() ? "" : "length"});
  return all;
}

byte_counts runs_job::moved(outputs const& out) const {
  auto const bytes = used(out);
  return bytes_of(values.bytes(), bytes[0] + (lengths ? bytes[1] : 0));
}

std::string runs_job::first_difference(outputs const& out) const {
  return with_type(values.type, [&]<class T>(std::type_identity<T>) -> std::string {
    auto const in = values.as<T>();
    auto const equal = [&](T const& a, T const& b) { return by_bits ? std::memcmp(&a, &b, sizeof(T)) == 0 : a == b; };
    index_t const found = count_in(out, 0);
    index_t run = 0;
    for (std::size_t begin = 0, end = 0; begin < in.size(); begin = end, ++run) {
      for (end = begin + 1; end < in.size() && equal(in[end - 1], in[end]); ++end) {
      }
      std::string const here = "run " + grouped(run) + ", at item " + grouped(static_cast<index_t>(begin)) + ": found ";
      if (run >= found) return here + "none, expected " + text_of(in[begin]);
      if (T const got = out[0].as<T>()[run]; std::memcmp(&got, &in[begin], sizeof(T)) != 0)
        return here + text_of(got) + ", expected " + text_of(in[begin]);
      auto const length = static_cast<index_t>(end - begin);
      if (lengths && out[1].as<index_t>()[run] != length)
        return here + "length " + text_of(out[1].as<index_t>()[run]) + ", expected " + text_of(length);
    }
    return found == run ? std::string() : "found " + grouped(found) + " runs, expected " + grouped(run);
  });
}

std::string runs_job::finding(outputs const& out) const {
  index_t const runs = count_in(out, 0);
  std::string text = grouped(runs) + " runs";
  if (runs > 0) text += ", " + fixed_text(static_cast<double>(values.n) / static_cast<double>(runs), 1) + " items each on average";
  return text;
}

std::unique_ptr<runs_job> make_unique_job(array values, bool lengths) {
  auto made = std::make_unique<runs_job>();
  made->values = std::move(values);
  made->command = "unique";
  made->lengths = lengths;
  made->title = lengths ? "first items of runs and their counts" : "first items of runs";
  return made;
}

std::unique_ptr<runs_job> make_encode_job(array values) {
  auto made = std::make_unique<runs_job>();
  made->values = std::move(values);
  made->command = "rle encode";
  made->lengths = made->by_bits = true;
  made->title = "values and lengths of runs";
  return made;
}

}  // namespace lookback::app
