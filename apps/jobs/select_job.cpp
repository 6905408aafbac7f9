#include "select_job.hpp"

#include <cmath>

#include "chunked_job.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"

namespace lookback::app {

namespace {

template <class T>
struct range {
  T low, high;  // both belong to it; none does where high is below low
};

// The values that a condition keeps, as a range with both ends: what the library is asked for.
template <class T>
range<T> kept_range(condition keeps, T low, T high) {
  using limits = std::numeric_limits<T>;
  constexpr bool floats = std::is_floating_point_v<T>;
  T const least = floats ? -limits::infinity() : limits::lowest(), most = floats ? limits::infinity() : limits::max();
  constexpr range<T> nothing{T{1}, T{0}};
  auto const before = [&](T x) { return floats ? static_cast<T>(std::nextafter(x, least)) : static_cast<T>(x - T{1}); };
  auto const after = [&](T x) { return floats ? static_cast<T>(std::nextafter(x, most)) : static_cast<T>(x + T{1}); };
  switch (keeps) {
    case condition::below:
      return high == least ? nothing : range<T>{least, before(high)};
    case condition::above:
      return low == most ? nothing : range<T>{after(low), most};
    case condition::between:
      return high == least ? nothing : range<T>{low, before(high)};
    default:
      return {low, low};
  }
}

// The condition as the command says it: what the result is checked against.
template <class T>
bool is_kept(select_job const& job, std::size_t i, T x) {
  auto const low = job.low.as<T>(), high = job.high.as<T>();
  switch (job.keeps) {
    case condition::below:
      return x < high;
    case condition::above:
      return x > low;
    case condition::equal:
      return x == low;
    case condition::between:
      return low <= x && x < high;
    default:
      return job.flags.as<std::uint8_t>()[i] != 0;
  }
}

template <class T>
std::string title_of(condition keeps, scalar low, scalar high) {
  std::string const a = text_of(low.as<T>()), b = text_of(high.as<T>());
  switch (keeps) {
    case condition::below:
      return "below " + b;
    case condition::above:
      return "above " + a;
    case condition::equal:
      return "equal to " + a;
    case condition::between:
      return "from " + a + " to below " + b;
    default:
      return "by flags";
  }
}

}  // namespace

std::vector<std::span<std::byte const>> select_job::inputs() const {
  std::vector<std::span<std::byte const>> all{{values.data, values.bytes()}};
  if (keeps == condition::flagged) all.emplace_back(flags.data, flags.bytes());
  return all;
}

std::vector<std::size_t> select_job::room() const {
  std::size_t const counts = (rejects ? 2 : 1) * sizeof(index_t);
  return rejects ? std::vector{values.bytes(), values.bytes(), counts} : std::vector{values.bytes(), counts};
}

std::vector<std::size_t> select_job::used(outputs const& out) const {
  auto bytes = room();
  for (std::size_t k = 0; k + 1 < bytes.size(); ++k)
    bytes[k] = static_cast<std::size_t>(count_in(out, static_cast<int>(k))) * dispatch::size_of(values.type);
  return bytes;
}

dispatch::select_request select_job::request(places const& at) const {
  dispatch::select_request made;
  made.n = values.n;
  made.type = values.type;
  made.low = &first, made.high = &last;
  if (at.in.empty()) {  // asked what it is, not to run: which arrays there are, and which of them are one
    static std::uint8_t anywhere[4];
    made.in = &anywhere[0], made.kept = &anywhere[works_in_place ? 0 : 1];
    if (rejects) made.rejected = &anywhere[2];
    if (keeps == condition::flagged) made.flags = &anywhere[3];
    return made;
  }
  made.in = at.in[0];
  made.kept = at.out[0];
  if (keeps == condition::flagged) made.flags = static_cast<std::uint8_t const*>(at.in[1]);
  if (rejects) made.rejected = at.out[1];
  made.counts = static_cast<index_t*>(at.out.back());
  return made;
}

void select_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::select(on, asked);
}

namespace {

class select_chunks final : public chunked_job {
 public:
  using peer = dispatch::peer_of<dispatch::select_request>;
  explicit select_chunks(select_job const& of, peer const* by = nullptr) : job_{of}, by_{by} {}

  std::string kernels_of() const override { return by_ ? by_->name : chunked_job::kernels_of(); }

  void load(item_range chunk) override {
    job_.values.load(chunk.begin, chunk.count);
    if (job_.keeps == condition::flagged) job_.flags.load(chunk.begin, chunk.count);
  }
  index_t multiple() const override { return 4096; }  // any cut would do
  std::vector<std::size_t> room(index_t items) const override {
    return std::vector(outputs_, static_cast<std::size_t>(items) * size_);
  }
  std::size_t count_bytes() const override { return sizeof done_; }
  std::vector<std::span<std::byte const>> inputs(item_range chunk) const override {
    auto const count = static_cast<std::size_t>(chunk.count);
    std::vector<std::span<std::byte const>> all{{job_.values.data + static_cast<std::size_t>(chunk.begin) * size_, count * size_}};
    if (job_.keeps == condition::flagged) all.emplace_back(job_.flags.data + chunk.begin, count);
    return all;
  }
  std::vector<std::size_t> input_room(index_t items) const override {
    auto const count = static_cast<std::size_t>(items);
    if (job_.keeps == condition::flagged) return {count * size_, count};
    return {count * size_};
  }
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    auto asked = job_.request(at);
    asked.n = chunk.count;
    if (by_) by_->run(on, asked);
    else dispatch::select(on, asked);
  }
  std::vector<index_t> made(item_range, void const* counts) const override {
    auto const* const number = static_cast<index_t const*>(counts);
    return {number, number + outputs_};
  }
  std::vector<item_range> finish(item_range chunk, void const* counts, std::vector<void*>&) override {
    std::vector<item_range> ranges;
    for (auto const number : made(chunk, counts)) {
      auto& done = done_[ranges.size()];
      ranges.push_back({done, number});
      done += number;
    }
    return ranges;
  }
  std::vector<array_view> largest() const override {
    return std::vector(outputs_, array_view{job_.values.type, {job_.values.n}, nullptr, job_.values.column});
  }
  bool has_known_lengths() const override { return false; }
  std::vector<array_view> results() const override {
    auto made = largest();
    for (std::size_t k = 0; k < outputs_; ++k) made[k].shape = {done_[k]};
    return made;
  }
  outputs counts() const override {
    outputs made;
    auto& both = made.emplace_back(sizeof done_);
    std::memcpy(both.data(), done_, sizeof done_);
    return made;
  }

 private:
  select_job const& job_;
  peer const* by_;
  std::size_t outputs_ = job_.rejects ? 2 : 1, size_ = dispatch::size_of(job_.values.type);
  index_t done_[2] = {0, 0};  // kept and rejected so far
};

}  // namespace

std::unique_ptr<chunked_job> select_job::in_chunks(back_end, bool) const {
  if (works_in_place) return nullptr;  // it is asked to work on a whole
  return std::make_unique<select_chunks>(*this);
}

// A peer needs no carry: what is kept of a chunk does not depend on the chunks before it.
std::unique_ptr<chunked_job> select_job::in_chunks_by_peer(back_end where) const {
  if (works_in_place || where == back_end::cpu) return nullptr;
  for (auto const& peer : dispatch::select_peers())
    if (peer.where == where && !peer.is_ceiling && peer.takes(request({}))) return std::make_unique<select_chunks>(*this, &peer);
  return nullptr;
}

std::vector<peer_call> select_job::peers(back_end where) const {
  auto list = calls_of(dispatch::select_peers(), where, [this](places const& at) { return request(at); });
  if (works_in_place) std::erase_if(list, [](peer_call const& peer) { return peer.is_ceiling; });  // copies nothing over itself
  return list;
}

std::vector<array_view> select_job::results(outputs const& out) const {
  std::vector<array_view> all;
  for (int k = 0; k < (rejects ? 2 : 1); ++k)
    all.push_back({values.type, {count_in(out, k)}, out[static_cast<std::size_t>(k)].data(), values.column});
  return all;
}

byte_counts select_job::moved(outputs const& out) const {
  auto const bytes = used(out);
  return bytes_of(values.bytes() + (keeps == condition::flagged ? flags.bytes() : 0), bytes[0] + (rejects ? bytes[1] : 0));
}

std::string select_job::first_difference(outputs const& out) const {
  return with_type(values.type, [&]<class T>(std::type_identity<T>) -> std::string {
    auto const in = values.as<T>();
    index_t number[2] = {0, 0};
    for (std::size_t i = 0; i < in.size(); ++i) {
      int const to = is_kept(*this, i, in[i]) ? 0 : 1;
      index_t const place = number[to]++;
      if (to == 1 && !rejects) continue;
      if (place >= count_in(out, to) || std::memcmp(out[static_cast<std::size_t>(to)].as<T>() + place, &in[i], sizeof(T)) != 0)
        return std::string(to == 0 ? "kept" : "rejected") + " item " + grouped(place) + ": found " +
               (place >= count_in(out, to) ? "none" : text_of(out[static_cast<std::size_t>(to)].as<T>()[place])) + ", expected " +
               text_of(in[i]) + ", item " + grouped(static_cast<index_t>(i)) + " of the input";
    }
    for (int to = 0; to < (rejects ? 2 : 1); ++to)
      if (number[to] != count_in(out, to))
        return std::string(to == 0 ? "kept: " : "rejected: ") + "found " + grouped(count_in(out, to)) + " items, expected " +
               grouped(number[to]);
    return {};
  });
}

std::string select_job::manner() const {
  constexpr char const* names[] = {"below", "above", "equal", "between", "by flags"};
  return std::string(names[static_cast<int>(keeps)]) + (rejects ? ", rejected items too" : "") +
         (works_in_place ? ", in place" : "");
}

std::string select_job::finding(outputs const& out) const {
  auto text = share_text("kept", count_in(out, 0), values.n);
  if (works_in_place)
    text += "; in place, which saves " + bytes_text(static_cast<double>(values.bytes())) + " of memory for an output";
  return text;
}

std::unique_ptr<select_job> make_select_job(array values, condition keeps, scalar low, scalar high, array flags) {
  if (keeps == condition::flagged) expect_count(flags, flags.n, values.n, "flags");
  auto made = std::make_unique<select_job>();
  made->keeps = keeps;
  made->low = low, made->high = high;
  with_type(values.type, [&]<class T>(std::type_identity<T>) {
    auto const kept = kept_range(keeps, low.as<T>(), high.as<T>());
    made->first = scalar_of(kept.low), made->last = scalar_of(kept.high);
    made->title = title_of<T>(keeps, low, high);
  });
  made->values = std::move(values);
  made->flags = std::move(flags);
  return made;
}

std::unique_ptr<job> read_select_job(select_options const& options, input_reading* times) {
  auto format = format_of(options.type, options.column, options.header, "--dtype");
  auto flags_format = format_of(options.flags_type, options.flags_column, options.header, "--flags-dtype");
  format.only_mapped = flags_format.only_mapped = true;  // job::load() loads them, or whoever runs the job in chunks
  auto values = read_input(options.in, format, input_role::values, times);
  scalar low{}, high{};
  auto const parsed = [&](std::string const& text, char const* option) { return parse_scalar(text, values.type, option); };
  std::unique_ptr<select_job> made;
  if (!options.flags.empty()) {
    auto flags = as_flags(read_input(options.flags, flags_format, input_role::flags, times));
    made = make_select_job(std::move(values), condition::flagged, low, high, std::move(flags));
  } else if (!options.between.empty()) {
    low = parsed(options.between[0], "--between"), high = parsed(options.between[1], "--between");
    made = make_select_job(std::move(values), condition::between, low, high);
  } else if (!options.below.empty()) {
    high = parsed(options.below, "--below");
    made = make_select_job(std::move(values), condition::below, low, high);
  } else if (!options.above.empty()) {
    low = parsed(options.above, "--above");
    made = make_select_job(std::move(values), condition::above, low, high);
  } else {
    low = parsed(options.equal, "--equal");
    made = make_select_job(std::move(values), condition::equal, low, high);
  }
  made->rejects = options.rejects;
  made->works_in_place = options.in_place;
  if (options.rejects) made->title += ", rejected items too";
  if (options.in_place) made->title += ", in place";
  return made;
}

}  // namespace lookback::app
