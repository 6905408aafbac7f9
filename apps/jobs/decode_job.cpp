#include "decode_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "chunked_job.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"

namespace lookback::app {

std::vector<std::span<std::byte const>> decode_job::inputs() const {
  return {{values.data, values.bytes()}, {lengths.data, lengths.bytes()}};
}

std::vector<std::size_t> decode_job::room() const {
  return {static_cast<std::size_t>(total) * dispatch::size_of(values.type), sizeof(index_t)};
}

dispatch::decode_request decode_job::request(places const& at) const {
  dispatch::decode_request made;
  made.runs = values.n;
  made.type = values.type;
  made.n = total;
  if (at.in.empty()) return made;  // asked what it is, not to run
  made.values = at.in[0], made.lengths = static_cast<index_t const*>(at.in[1]);
  made.out = at.out[0], made.count = static_cast<index_t*>(at.out[1]);
  return made;
}

void decode_job::load() const {
  // A page that is not there yet costs nothing to ask for: the system would say no when it is too late.
  auto const memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  double const bytes = static_cast<double>(total) * static_cast<double>(dispatch::size_of(values.type));
  if (bytes > memory)
    throw out_of_memory(lengths.from + ": no memory for the " + bytes_text(bytes) + " of " + grouped(total) +
                        " items (this machine has " + bytes_text(memory) + ")");
  values.load();
}

void decode_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::write_runs(on, asked);
}

namespace {

// Before item `taken` of a run.
struct place_in_runs {
  index_t run = 0, taken = 0;
};

// What is cut are the items that are written. A run that is cut is two of other lengths.
class decode_chunks : public chunked_job {
 public:
  explicit decode_chunks(decode_job const& of) : job_{of}, lengths_{of.lengths.as<index_t>()} {}

  index_t items(job const&) const override { return job_.total; }
  index_t multiple() const override { return 4096; }  // any cut would do
  std::vector<std::size_t> room(index_t items) const override { return {static_cast<std::size_t>(items) * size_}; }
  std::vector<index_t> made(item_range chunk, void const*) const override { return {chunk.count}; }
  std::vector<item_range> finish(item_range chunk, void const*, std::vector<void*>&) override { return {chunk}; }
  std::vector<array_view> largest() const override { return {{job_.values.type, {job_.total}, nullptr, job_.values.column}}; }
  outputs counts() const override {
    outputs made;
    std::memcpy(made.emplace_back(sizeof job_.total).data(), &job_.total, sizeof job_.total);
    return made;
  }

 protected:
  // Goes on over the runs of so many items, and calls piece(run, items of it) for each that is not empty.
  template <class Piece>
  void pass(index_t items, Piece piece) {
    for (index_t left = items; left > 0;) {
      index_t const length = lengths_[static_cast<std::size_t>(end_.run)] - end_.taken, some = std::min(length, left);
      if (some > 0) piece(end_.run, some);
      if (some < length) end_.taken += some;
      else ++end_.run, end_.taken = 0;
      left -= some;
    }
  }
  void load_values(place_in_runs begin) { job_.values.load(begin.run, end_.run + (end_.taken > 0 ? 1 : 0) - begin.run); }

  decode_job const& job_;
  std::span<index_t const> lengths_;
  std::size_t size_ = dispatch::size_of(job_.values.type);
  place_in_runs end_{};  // of what was loaded
};

// Who loads a chunk finds its runs, and hands them to who runs it.
class decode_chunks_on_cpu final : public decode_chunks {
 public:
  using decode_chunks::decode_chunks;

  void load(item_range chunk) override {
    auto const begin = end_;
    pass(chunk.count, [](index_t, index_t) {});
    load_values(begin);
    std::lock_guard const lock(mutex_);
    found_.emplace_back(begin, end_);
  }
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    auto [begin, end] = [&] {
      std::lock_guard const lock(mutex_);
      auto const first = found_.front();
      found_.pop_front();
      return first;
    }();
    auto* to = static_cast<std::byte*>(at.out[0]);
    auto const write = [&](index_t run, index_t runs, index_t const* lengths, index_t items) {
      index_t count = 0;
      auto asked = job_.request({});
      asked.values = job_.values.data + static_cast<std::size_t>(run) * size_;
      asked.lengths = lengths, asked.runs = runs;
      asked.out = to, asked.n = items, asked.count = &count;
      dispatch::write_runs(on, asked);
      to += static_cast<std::size_t>(items) * size_;
    };
    index_t left = chunk.count;
    if (begin.taken > 0) {
      index_t const some = std::min(left, lengths_[static_cast<std::size_t>(begin.run)] - begin.taken);
      write(begin.run, 1, &some, some);
      left -= some, ++begin.run;
    }
    if (index_t const whole = left - end.taken; whole > 0)
      write(begin.run, end.run - begin.run, lengths_.data() + begin.run, whole), left -= whole;
    if (left > 0) write(end.run, 1, &left, left);
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<place_in_runs, place_in_runs>> found_;  // loaded, but not yet run
};

// A GPU is brought the runs of a chunk, with what it has of those that are cut. Empty ones are left out: of these there may be any
// number.
class decode_chunks_on_gpu final : public decode_chunks {
 public:
  using decode_chunks::decode_chunks;

  void load(item_range chunk) override {
    auto const begin = end_;
    index_t pieces = 0;
    pass(chunk.count, [&](index_t, index_t) { ++pieces; });
    load_values(begin);
    auto const behind = end_.run + (end_.taken > 0 ? 1 : 0);
    if (pieces == behind - begin.run) take_all(begin, behind);
    else take_pieces(begin, chunk.count);
  }
  std::vector<std::span<std::byte const>> inputs(item_range) const override {
    return {values_here_, std::as_bytes(std::span(lengths_here_))};
  }
  std::vector<std::size_t> input_room(index_t items) const override {
    auto const most = static_cast<std::size_t>(most_runs(items));
    return {most * size_, most * sizeof(index_t)};
  }
  std::size_t count_bytes() const override { return sizeof(index_t); }
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    auto asked = job_.request(at);
    asked.runs = static_cast<index_t>(at.in_bytes[1] / sizeof(index_t));
    asked.n = chunk.count;
    dispatch::write_runs(on, asked);
  }
  std::vector<item_range> finish(item_range chunk, void const* counts, std::vector<void*>&) override {
    if (*static_cast<index_t const*>(counts) != chunk.count)
      throw device_error("internal error: the runs that were brought to the device are not those of the chunk");
    return {chunk};
  }

 private:
  // Runs without an empty one among them lie one behind another.
  void take_all(place_in_runs begin, index_t behind) {
    auto const first = static_cast<std::size_t>(begin.run), number = static_cast<std::size_t>(behind - begin.run);
    values_here_ = {job_.values.data + first * size_, number * size_};
    lengths_here_.assign(lengths_.data() + first, lengths_.data() + first + number);
    lengths_here_.front() -= begin.taken;
    if (end_.taken > 0) lengths_here_.back() = end_.run == begin.run ? end_.taken - begin.taken : end_.taken;
  }
  void take_pieces(place_in_runs begin, index_t items) {
    auto const end = std::exchange(end_, begin);
    runs_.clear(), lengths_here_.clear();
    pass(items, [&](index_t run, index_t some) { runs_.push_back(run), lengths_here_.push_back(some); });
    end_ = end;
    gathered_.resize(runs_.size() * size_);
    dispatch::with_width_of(size_, [&]<class Bits>(Bits) {
      for (std::size_t k = 0; k < runs_.size(); ++k)
        std::memcpy(gathered_.data() + k * sizeof(Bits), job_.values.data + static_cast<std::size_t>(runs_[k]) * sizeof(Bits),
                    sizeof(Bits));
    });
    values_here_ = gathered_;
  }
  // Of any chunk of so many items.
  index_t most_runs(index_t items) const {
    index_t most = 0, here = 0, left = items;
    for (index_t length : lengths_)
      while (length > 0) {
        index_t const some = std::min(length, left);
        length -= some, left -= some, ++here;
        if (left > 0) continue;
        most = std::max(most, here);
        here = 0, left = items;
      }
    return std::max(most, here);
  }

  // Of the chunk that was loaded.
  std::span<std::byte const> values_here_;
  std::vector<index_t> runs_, lengths_here_;
  std::vector<std::byte> gathered_;
};

}  // namespace

std::unique_ptr<chunked_job> decode_job::in_chunks(back_end where, bool) const {
  if (total == 0) return nullptr;
  if (where == back_end::gpu) return std::make_unique<decode_chunks_on_gpu>(*this);
  return std::make_unique<decode_chunks_on_cpu>(*this);
}

std::vector<peer_call> decode_job::peers(back_end where) const {
  return calls_of(dispatch::decode_peers(), where, [this](places const& at) { return request(at); });
}

std::vector<array_view> decode_job::results(outputs const& out) const {
  return {{values.type, {total}, out[0].data(), values.column}};
}

byte_counts decode_job::moved(outputs const&) const { return bytes_of(values.bytes() + lengths.bytes(), room()[0]); }

std::string decode_job::first_difference(outputs const& out) const {
  if (count_in(out, 0) != total) return "found " + grouped(count_in(out, 0)) + " items, expected " + grouped(total);
  auto const size = dispatch::size_of(values.type);
  auto const* got = out[0].data();
  for (index_t r = 0, item = 0; r < values.n; ++r)
    for (index_t k = 0; k < lengths.as<index_t>()[static_cast<std::size_t>(r)]; ++k, ++item, got += size)
      if (std::memcmp(got, values.data + static_cast<std::size_t>(r) * size, size) != 0)
        return "item " + grouped(item) + " is not the value of run " + grouped(r);
  return {};
}

std::string decode_job::finding(outputs const&) const { return grouped(total) + " items of " + grouped(values.n) + " runs"; }

std::unique_ptr<decode_job> make_decode_job(array values, array lengths) {
  if (dispatch::is_float(lengths.type))
    refuse(lengths.from, "type", std::string("lengths of ") + dispatch::name_of(lengths.type), "integers");
  expect_count(lengths, lengths.n, values.n, "lengths");
  auto made = std::make_unique<decode_job>();
  // What the library would refuse too, but here with the file's name, and before there is an output.
  with_type(lengths.type, [&]<class T>(std::type_identity<T>) {
    auto const in = lengths.as<T>();
    for (std::size_t r = 0; r < in.size(); ++r) {
      if (in[r] < T{}) refuse(lengths.from, "item " + text_of(r), text_of(in[r]), "a length of at least 0");
      if (static_cast<std::uint64_t>(in[r]) > static_cast<std::uint64_t>(std::numeric_limits<index_t>::max() - made->total))
        refuse(lengths.from, "item " + text_of(r), text_of(in[r]), "lengths whose sum is below 2^63");
      made->total += static_cast<index_t>(in[r]);
    }
  });
  made->lengths = lengths.type == element::i64 ? std::move(lengths) : converted(lengths, element::i64);
  made->values = std::move(values);
  return made;
}

std::unique_ptr<job> read_decode_job(decode_options const& options, input_reading* times) {
  auto format = format_of(options.type, options.column, options.header, "--dtype");
  format.only_mapped = true;  // job::load() loads it, or whoever runs the job in chunks; lengths are all looked at
  auto const lengths_format = format_of(options.lengths_type, options.lengths_column, options.header, "--lengths-dtype");
  auto values = read_input(options.in, format, input_role::values, times);
  return make_decode_job(std::move(values), read_input(options.lengths, lengths_format, input_role::values, times));
}

}  // namespace lookback::app
