#include "reduce_job.hpp"

#include <cstring>
#include <functional>

#include "chunked_job.hpp"
#include "dispatch/peers.hpp"
#include "reference.hpp"
#include "report/table.hpp"
#include "scan_job.hpp"

namespace lookback::app {

std::vector<std::span<std::byte const>> reduce_job::inputs() const {
  return {{keys.data, keys.bytes()}, {values.data, values.bytes()}};
}

std::vector<std::size_t> reduce_job::used(outputs const& out) const {
  auto const runs = static_cast<std::size_t>(count_in(out, 0));
  return {runs * dispatch::size_of(keys.type), runs * dispatch::size_of(values.type), sizeof(index_t)};
}

dispatch::reduce_request reduce_job::request(places const& at) const {
  dispatch::reduce_request made;
  made.n = values.n;
  made.key_type = keys.type;
  made.type = values.type;
  made.op = op;
  if (at.in.empty()) return made;  // asked what it is, not to run
  made.keys = at.in[0], made.values = at.in[1];
  made.keys_out = at.out[0], made.values_out = at.out[1];
  made.count = static_cast<index_t*>(at.out[2]);
  return made;
}

void reduce_job::run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  asked.reproducible = reproducible;
  dispatch::reduce_runs(on, asked);
}

namespace {

// Runs go on from chunk to chunk.
class reduce_chunks : public chunked_job {
 public:
  explicit reduce_chunks(reduce_job const& of) : job_{of} {}

  void load(item_range chunk) override { job_.keys.load(chunk.begin, chunk.count), job_.values.load(chunk.begin, chunk.count); }
  std::vector<std::size_t> room(index_t items) const override {
    auto const number = static_cast<std::size_t>(items) + 1;
    return {number * key_size_, number * size_};
  }
  std::size_t count_bytes() const override { return sizeof(index_t); }
  std::vector<std::span<std::byte const>> inputs(item_range chunk) const override {
    auto const begin = static_cast<std::size_t>(chunk.begin), count = static_cast<std::size_t>(chunk.count);
    return {{job_.keys.data + begin * key_size_, count * key_size_}, {job_.values.data + begin * size_, count * size_}};
  }
  std::vector<std::size_t> input_room(index_t items) const override {
    auto const number = static_cast<std::size_t>(items);
    return {number * key_size_, number * size_};
  }
  std::vector<array_view> largest() const override { return views(job_.values.n); }
  bool has_known_lengths() const override { return false; }
  std::vector<array_view> results() const override { return views(results_); }
  outputs counts() const override {
    outputs made;
    std::memcpy(made.emplace_back(sizeof results_).data(), &results_, sizeof results_);
    return made;
  }

 protected:
  bool ends(item_range chunk) const { return chunk.begin + chunk.count == job_.values.n; }
  std::vector<item_range> append(index_t keys, index_t results) {
    std::vector<item_range> const ranges{{keys_, keys}, {results_, results}};
    keys_ += keys, results_ += results;
    return ranges;
  }

  reduce_job const& job_;
  std::size_t key_size_ = dispatch::size_of(job_.keys.type), size_ = dispatch::size_of(job_.values.type);

 private:
  std::vector<array_view> views(index_t runs) const {
    return {{job_.keys.type, {runs}, nullptr, job_.keys.column}, {job_.values.type, {runs}, nullptr, job_.values.column}};
  }
  index_t keys_ = 0, results_ = 0;  // so far
};

// The library's carry: keys are known where runs begin, results where they end, and floats have the bits of one call.
class reduce_chunks_on_cpu final : public reduce_chunks {
 public:
  using reduce_chunks::reduce_chunks;

  index_t multiple() const override { return dispatch::chunk_multiple(job_.request({})); }
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    auto asked = job_.request(at);
    asked.n = chunk.count;
    asked.state = &state_;
    state_.is_last = ends(chunk);
    dispatch::reduce_runs(on, asked);
  }
  std::vector<index_t> made(item_range, void const* ended) const override {
    return {state_.new_keys, *static_cast<index_t const*>(ended)};
  }
  std::vector<item_range> finish(item_range chunk, void const* ended, std::vector<void*>&) override {
    auto const here = made(chunk, ended);
    return append(here[0], here[1]);
  }

 private:
  dispatch::reduce_state state_{};
};

// Keys of any type: the processor compares those on both sides of a cut.
bool equal_keys(element type, void const* left, void const* right) {
  return with_type(type, [&]<class Key>(std::type_identity<Key>) {
    Key a, b;
    std::memcpy(&a, left, sizeof a), std::memcpy(&b, right, sizeof b);
    return a == b;
  });
}

// A GPU reduces each chunk by itself. Its last run stays open, and is put before the results of the next chunk or into the first of
// them, where the processor combines the two: so that no more kernels are compiled.
class reduce_chunks_on_gpu final : public reduce_chunks {
 public:
  using reduce_chunks::reduce_chunks;

  index_t multiple() const override { return 4096; }  // any cut would do
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    auto asked = job_.request(at);
    asked.n = chunk.count;
    asked.keys_out = static_cast<std::byte*>(asked.keys_out) + key_size_;
    asked.values_out = static_cast<std::byte*>(asked.values_out) + size_;
    dispatch::reduce_runs(on, asked);
  }
  std::vector<index_t> made(item_range, void const* runs) const override {
    return std::vector(2, *static_cast<index_t const*>(runs) + 1);
  }
  std::vector<item_range> finish(item_range chunk, void const* runs, std::vector<void*>& out) override {
    auto* const keys = static_cast<std::byte*>(out[0]);
    auto* const values = static_cast<std::byte*>(out[1]);
    auto const here = static_cast<std::size_t>(*static_cast<index_t const*>(runs));
    bool const goes_on = chunk.begin > 0 && equal_keys(job_.keys.type, key_, keys + key_size_);
    bool const begins_before = chunk.begin > 0 && !goes_on;
    if (goes_on) {
      std::memcpy(keys + key_size_, key_, key_size_);
      combine(job_.values.type, job_.op, value_, values + size_);
    } else if (begins_before) {
      std::memcpy(keys, key_, key_size_), std::memcpy(values, value_, size_);
    }
    std::memcpy(key_, keys + here * key_size_, key_size_), std::memcpy(value_, values + here * size_, size_);
    if (!begins_before) out = {keys + key_size_, values + size_};
    auto const whole = static_cast<index_t>(here) + begins_before - !ends(chunk);
    return append(whole, whole);
  }

 private:
  std::byte key_[8] = {}, value_[8] = {};  // of the run that is open
};

}  // namespace

std::unique_ptr<chunked_job> reduce_job::in_chunks(back_end where, bool reproducible) const {
  if (where == back_end::cpu) return std::make_unique<reduce_chunks_on_cpu>(*this);
  // Where a cut is changes how floats are associated.
  return reproducible && dispatch::is_float(values.type) ? nullptr : std::make_unique<reduce_chunks_on_gpu>(*this);
}

std::vector<peer_call> reduce_job::peers(back_end where) const {
  return calls_of(dispatch::reduce_peers(), where, [this](places const& at) { return request(at); });
}

std::vector<array_view> reduce_job::results(outputs const& out) const {
  index_t const runs = count_in(out, 0);
  return {{keys.type, {runs}, out[0].data(), keys.column}, {values.type, {runs}, out[1].data(), values.column}};
}

byte_counts reduce_job::moved(outputs const& out) const {
  auto const bytes = used(out);
  return bytes_of(keys.bytes() + values.bytes(), bytes[0] + bytes[1]);
}

namespace {

// Keys of any type: where the run of equal ones that begins at `begin` ends, and how one reads.
struct any_keys {
  std::function<std::size_t(std::size_t begin)> end_of_run;
  std::string (*text)(std::byte const*);
};

// One type at a time: a body for each pair of types and operator took the compiler minutes.
any_keys keys_of(array const& keys) {
  return with_type(keys.type, [&]<class Key>(std::type_identity<Key>) -> any_keys {
    auto const end_of_run = [key = keys.as<Key>()](std::size_t begin) {
      std::size_t end = begin + 1;
      while (end < key.size() && key[end - 1] == key[end]) ++end;
      return end;
    };
    auto const text = [](std::byte const* at) {
      Key key;
      std::memcpy(&key, at, sizeof key);
      return text_of(key);
    };
    return {end_of_run, text};
  });
}

// What is wrong with a run, in words.
std::string difference_of_run(index_t run, std::size_t begin, std::size_t end, std::string const& found,
                              std::string const& expected) {
  return "run " + grouped(run) + ", items " + grouped(static_cast<index_t>(begin)) + " to below " +
         grouped(static_cast<index_t>(end)) + ": found " + found + ", expected " + expected;
}

}  // namespace

std::string reduce_job::first_difference(outputs const& out) const {
  auto const found = count_in(out, 0);
  auto const by = keys_of(keys);
  auto const size = dispatch::size_of(keys.type), n = static_cast<std::size_t>(keys.n);
  return with_reference(values.type, op, nullptr, [&](auto state) -> std::string {
    using T = typename decltype(state)::value_type;
    auto const in = values.as<T>();
    index_t run = 0;
    for (std::size_t begin = 0, end = 0; begin < n; begin = end, ++run) {
      end = by.end_of_run(begin);
      auto const* const key = keys.data + begin * size;
      if (run >= found) return difference_of_run(run, begin, end, "none", "key " + by.text(key));
      if (auto const* const got = out[0].data() + static_cast<std::size_t>(run) * size; std::memcmp(got, key, size) != 0)
        return difference_of_run(run, begin, end, "key " + by.text(got), by.text(key));
      state.restart();
      for (std::size_t i = begin; i < end; ++i) state.take(in[i]);
      if (T const got = out[1].as<T>()[run]; !state.accepts(got))
        return difference_of_run(run, begin, end, text_of(got), state.wanted());
    }
    return found == run ? std::string() : "found " + grouped(found) + " runs, expected " + grouped(run);
  });
}

std::string reduce_job::tolerance() const { return tolerance_of(values.type, op); }

std::string reduce_job::finding(outputs const& out) const {
  index_t const runs = count_in(out, 0);
  std::string text = grouped(runs) + " runs of equal keys";
  if (runs > 0) text += ", " + fixed_text(static_cast<double>(keys.n) / static_cast<double>(runs), 1) + " items each on average";
  return text;
}

std::unique_ptr<reduce_job> make_reduce_job(array keys, array values, operation op) {
  expect_count(keys, keys.n, values.n, "keys");
  auto made = std::make_unique<reduce_job>();
  made->title = std::string(dispatch::name_of(op)) + " by " + dispatch::name_of(keys.type) + " keys";
  made->keys = std::move(keys);
  made->values = std::move(values);
  made->op = op;
  return made;
}

std::unique_ptr<job> read_reduce_job(reduce_options const& options, input_reading* times) {
  auto keys_format = format_of(options.keys_type, options.keys_column, options.header, "--keys-dtype");
  auto format = format_of(options.type, options.column, options.header, "--dtype");
  keys_format.only_mapped = format.only_mapped = true;  // job::load() loads them, or whoever runs the job in chunks
  auto const op = operation_named(options.op);
  auto values = read_input(options.values, format, input_role::values, times);
  if (!dispatch::is_defined(op, values.type))
    throw usage_error("--op " + options.op + ": not defined for " + dispatch::name_of(values.type) +
                      ", expected plus, multiplies, min or max");
  auto keys = read_input(options.keys, keys_format, input_role::values, times);
  return make_reduce_job(std::move(keys), std::move(values), op);
}

}  // namespace lookback::app
