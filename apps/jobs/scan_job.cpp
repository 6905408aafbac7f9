#include "scan_job.hpp"

#include <cstring>

#include "check_scan.hpp"
#include "chunked_job.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"
#include "mark_begins.hpp"
#include "offsets.hpp"
#include "reference.hpp"
#include "report/clock.hpp"

namespace lookback::app {

using dispatch::name_of;

std::string title_of(scan_job const& job, std::string const& kind) {
  std::string text = std::string(job.exclusive ? "exclusive " : "inclusive ") + name_of(job.op) + (job.reverse ? ", reverse" : "");
  return kind.empty() ? text : text + ", by " + kind;
}

operation operation_named(std::string const& name) {
  for (int op = 0; op <= static_cast<int>(operation::bit_xor); ++op)
    if (name == name_of(static_cast<operation>(op))) return static_cast<operation>(op);
  throw usage_error("--op: found '" + name + "', expected plus, multiplies, min, max, and, or, xor");
}

void describe_segments(scan_job& job, std::string const& kind, array description) {
  index_t const n = job.values.n;
  if (kind == "heads") {
    expect_count(description, description.n, n, "flags");
    job.description = as_flags(std::move(description), true);
    job.heads = dispatch::size_of(job.description.type) == 1 ? head_flags(job.description.as<std::uint8_t>())
                                                             : head_flags(job.description.as<std::uint32_t>());
  } else if (kind == "head-bits") {
    if (dispatch::size_of(description.type) != 1)
      refuse(description.from, "type", std::string("bits in ") + name_of(description.type), "packed bits in u8");
    expect_count(description, description.n, n / 8 + (n % 8 != 0), "bytes of bits");
    job.description = std::move(description);
    job.heads = head_bits(job.description.as<std::uint8_t>());
  } else if (kind == "offsets") {
    job.heads = offsets_of(description, n);
    job.description = std::move(description);
  } else {
    expect_count(description, description.n, n, "keys");
    job.description = std::move(description);
    job.heads =
        with_type(job.description.type, [&]<class T>(std::type_identity<T>) { return segments(keys(job.description.as<T>())); });
  }
  job.title = title_of(job, kind);
}

void describe_rows(scan_job& job, index_t length) {
  job.heads = rows_of(length);
  job.title = title_of(job, "rows of " + grouped(length));
}

std::unique_ptr<scan_job> read_scan_job(scan_options const& options, input_reading* times) {
  auto const format = format_of(options.type, options.column, options.header, "--dtype");
  auto const segments_format = format_of(options.segments_type, options.segments_column, options.header, "--segments-dtype");
  auto const as = format_of(options.as, {}, {}, "--as").type;
  auto mapped_format = format;
  auto mapped_segments_format = segments_format;
  // job::load() loads them, or whoever runs the job in chunks. Offsets are checked.
  mapped_format.only_mapped = mapped_segments_format.only_mapped = true;
  auto made = std::make_unique<scan_job>();
  auto& job = *made;
  job.op = operation_named(options.op);
  job.exclusive = options.exclusive;
  job.reverse = options.reverse;
  job.values = read_input(options.in, mapped_format, input_role::values, times);
  element const type = as ? *as : job.values.type;
  if (!dispatch::is_defined(job.op, type))
    throw usage_error("--op " + options.op + ": not defined for " + name_of(type) + ", expected plus, multiplies, min or max");
  if (type != job.values.type) {
    stopwatch clock;
    job.values = converted(job.values, type);
    if (times) times->parse += clock.lap();
  }
  if (options.has_initial) job.initial = parse_scalar(options.initial, job.values.type, "--init");
  job.title = title_of(job, {});
  for (auto const& [kind, path] : {std::pair{"heads", &options.heads},
                                   {"head-bits", &options.head_bits},
                                   {"offsets", &options.offsets},
                                   {"keys", &options.keys}})
    if (!path->empty())
      describe_segments(job, kind,
                        read_input(*path, kind[0] == 'o' ? segments_format : mapped_segments_format,
                                   kind[0] == 'h' ? input_role::flags : input_role::values, times));
  if (options.row_length > 0) describe_rows(job, options.row_length);
  return made;
}

std::vector<std::span<std::byte const>> scan_job::inputs() const {
  std::vector<std::span<std::byte const>> all{{values.data, values.bytes()}};
  if (heads && heads->data) all.emplace_back(description.data, description.bytes());
  return all;
}

// The request to run where everything lies at `at`; `moved` holds its segments there.
static dispatch::scan_request request_of(scan_job const& job, places const& at, segments& moved) {
  dispatch::scan_request made;
  if (job.heads) {
    moved = *job.heads;
    if (moved.data && at.in.size() > 1) moved.data = at.in[1];
    made.heads = &moved;
  }
  if (!at.in.empty()) made.in = at.in[0], made.out = at.out[0];
  made.n = job.values.n;
  made.type = job.values.type;
  made.op = job.op;
  made.initial = job.initial ? job.initial->bytes : nullptr;
  made.exclusive = job.exclusive;
  made.reverse = job.reverse;
  return made;
}

void scan_job::run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const {
  segments moved{};
  auto request = request_of(*this, at, moved);
  request.reproducible = reproducible;
  request.how = how;
  dispatch::scan(on, request);
}

namespace {

// Flags, bits and keys are the chunk's own, offsets and rows those of the whole.
bool is_of_chunk(segments const& s) {
  return s.kind == segment_kind::flags8 || s.kind == segment_kind::flags32 || s.kind == segment_kind::bits || is_keys(s);
}
// The description of the segments of a chunk.
segments of_items(segments const& whole, item_range chunk, element type) {
  if (!is_of_chunk(whole)) return whole;
  auto part = whole;
  auto const* const data = static_cast<std::byte const*>(whole.data);
  part.data = whole.kind == segment_kind::bits ? data + chunk.begin / 8
                                               : data + chunk.begin * static_cast<index_t>(dispatch::size_of(type));
  part.count = chunk.count;
  return part;
}

class scan_chunks : public chunked_job {
 public:
  scan_chunks(scan_job const& of, bool reproducible, dispatch::peer const* by = nullptr)
      : job_{of}, reproducible_{reproducible}, by_{by} {}

  std::string kernels_of() const override { return by_ ? by_->name : chunked_job::kernels_of(); }

  bool is_reversed() const override { return job_.reverse; }
  void load(item_range chunk) override {
    job_.values.load(chunk.begin, chunk.count);
    if (!job_.heads || !is_of_chunk(*job_.heads)) return;
    index_t const per = job_.heads->kind == segment_kind::bits ? 8 : 1;  // items that an element describes
    job_.description.load(chunk.begin / per, (chunk.count + per - 1) / per);
  }
  index_t multiple() const override { return dispatch::chunk_multiple(job_.values.type, reproducible_); }
  std::vector<std::size_t> room(index_t items) const override {
    return {static_cast<std::size_t>(items) * dispatch::size_of(job_.values.type)};
  }
  std::size_t state_bytes() const override { return sizeof(dispatch::scan_state); }
  std::vector<std::span<std::byte const>> inputs(item_range chunk) const override {
    std::size_t const size = dispatch::size_of(job_.values.type), count = static_cast<std::size_t>(chunk.count);
    std::vector<std::span<std::byte const>> all{{job_.values.data + static_cast<std::size_t>(chunk.begin) * size, count * size}};
    if (has_own_description())
      all.emplace_back(static_cast<std::byte const*>(of_items(*job_.heads, chunk, job_.description.type).data),
                       description_bytes(chunk.count));
    return all;
  }
  std::vector<std::size_t> input_room(index_t items) const override {
    auto all = room(items);
    if (has_own_description()) all.push_back(description_bytes(items));
    return all;
  }
  void run(dispatch::place const& on, item_range chunk, chunk_places const& at) override {
    segments part{};
    auto request = request_of(job_, {}, part);
    if (job_.heads) part = segments_of(chunk, at), request.heads = &part;
    request.in = at.in[0];
    request.out = at.out[0];
    request.n = chunk.count;
    request.reproducible = reproducible_;
    request.state = at.state_in ? static_cast<dispatch::scan_state*>(at.state_in) : &state_;
    request.state_out = static_cast<dispatch::scan_state*>(at.state_out);
    if (by_) by_->run(on, request);
    else dispatch::scan(on, request);
  }
  std::vector<index_t> made(item_range chunk, void const*) const override { return {chunk.count}; }
  std::vector<item_range> finish(item_range chunk, void const*, std::vector<void*>&) override { return {chunk}; }
  std::vector<array_view> largest() const override { return {{job_.values.type, job_.values.shape, nullptr, job_.values.column}}; }

 protected:
  virtual segments segments_of(item_range chunk, chunk_places const& at) const {
    auto part = of_items(*job_.heads, chunk, job_.description.type);
    if (has_own_description()) part.data = at.in[1];
    return part;
  }
  scan_job const& job_;

 private:
  bool has_own_description() const { return job_.heads && is_of_chunk(*job_.heads); }
  std::size_t description_bytes(index_t items) const {
    if (job_.heads->kind == segment_kind::bits) return static_cast<std::size_t>(items + 7) / 8;
    return static_cast<std::size_t>(items) * dispatch::size_of(job_.description.type);
  }

  bool reproducible_;
  dispatch::peer const* by_;
  dispatch::scan_state state_{};
};

// A GPU is brought bits in the place of keys, which have more bytes, and of offsets and rows, which speak of the whole.
class scan_chunks_by_bits final : public scan_chunks {
 public:
  using scan_chunks::scan_chunks;

  void load(item_range chunk) override {
    scan_chunks::load(chunk);
    bits_.resize(static_cast<std::size_t>(chunk.count + 7) / 8);
    mark_begins(*job_.heads, chunk.begin, chunk.count, bits_);
  }
  std::vector<std::span<std::byte const>> inputs(item_range chunk) const override {
    return {scan_chunks::inputs(chunk)[0], std::as_bytes(std::span(bits_))};
  }
  std::vector<std::size_t> input_room(index_t items) const override {
    return {room(items)[0], static_cast<std::size_t>(items + 7) / 8};
  }

 private:
  segments segments_of(item_range chunk, chunk_places const& at) const override {
    return {segment_kind::bits, at.in[1], chunk.count};
  }
  std::vector<std::uint8_t> bits_;  // of the chunk that was loaded
};

}  // namespace

std::unique_ptr<chunked_job> scan_job::in_chunks(back_end where, bool reproducible) const {
  if (where == back_end::gpu && heads && (is_keys(*heads) || !is_of_chunk(*heads)))
    return std::make_unique<scan_chunks_by_bits>(*this, reproducible);
  // From the end a carry counts whole rows.
  if (reverse && heads && heads->kind == segment_kind::rows && values.n % heads->count != 0) return nullptr;
  return std::make_unique<scan_chunks>(*this, reproducible);
}

std::unique_ptr<chunked_job> scan_job::in_chunks_by_peer(back_end where) const {
  segments unmoved{};
  auto const request = request_of(*this, {}, unmoved);
  for (auto const& peer : dispatch::chunk_peers())
    if (peer.where == where && peer.takes(request)) return std::make_unique<scan_chunks>(*this, false, &peer);
  return nullptr;
}

std::vector<peer_call> scan_job::peers(back_end where) const {
  std::vector<peer_call> list;
  segments unmoved{};
  auto const request = request_of(*this, {}, unmoved);
  for (auto const& peer : dispatch::peers())
    if (peer.where == where && peer.takes(request))
      list.push_back({peer.name, peer.is_ceiling, [this, run = peer.run](dispatch::place const& on, places const& at) {
                        segments moved{};
                        run(on, request_of(*this, at, moved));
                      }});
  return list;
}

std::vector<array_view> scan_job::results(outputs const& out) const {
  return {{values.type, values.shape, out[0].data(), values.column}};
}

byte_counts scan_job::moved(outputs const&) const {
  return bytes_of(values.bytes() + (heads && heads->data ? description.bytes() : 0), values.bytes());
}

std::string scan_job::first_difference(outputs const& out) const { return app::first_difference(*this, out[0].data()); }

std::string scan_job::tolerance() const { return tolerance_of(values.type, op); }

}  // namespace lookback::app
