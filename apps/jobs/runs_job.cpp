#include "runs_job.hpp"

#include <cstring>

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

double runs_job::moved_bytes(outputs const& out) const {
  auto const bytes = used(out);
  return static_cast<double>(values.bytes() + bytes[0] + (lengths ? bytes[1] : 0));
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
