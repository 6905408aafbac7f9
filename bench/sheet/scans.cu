// Plain and segmented scans: every width, direction, description, apart and in place. Exclusive ones are the same kernels. CUB
// scans by keys of 4 bytes where segments are described otherwise.
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>

#include "rows.hpp"

namespace bench::sheet {

namespace {

struct manner {
  bool reversed, in_place;
  std::string name() const { return std::string(reversed ? "_reversed" : "") + (in_place ? "_in_place" : ""); }
  auto on(device& d) const { return d.on().with(reversed ? lookback::right_to_left : lookback::left_to_right); }
};
constexpr manner manners[] = {{false, false}, {true, false}, {false, true}, {true, true}};

/// Ours and theirs over `in`, each to an array of its own, which is the input too where the scan is in place.
template <class T>
struct scanned {
  array<T> in, ours, theirs;
  scanned(device& d, std::size_t n) : in(random_items<T>(d, n)), ours(d.empty<T>(n)), theirs(d.empty<T>(n)) {}
  T const* from(manner how, array<T> const& out) const { return how.in_place ? out.data() : in.data(); }
  /// ours(from), theirs(scratch, from, to)
  template <class Ours, class Theirs>
  void run(benchmark::State& state, device& d, manner how, double described_bytes, Ours our_call, Theirs their_call) {
    row r;
    std::size_t const bytes = in.size() * sizeof(T);
    r.bytes = 2.0 * static_cast<double>(bytes) + described_bytes;
    r.ours = [&, our_call, how] { our_call(std::span(from(how, ours), ours.size())); };
    r.theirs = [&, their_call, how](cub_peer::scratch& s) { their_call(s, from(how, theirs), theirs.data()); };
    if (how.in_place) {
      r.prepare = [&, bytes] { d.put_back(in.data(), ours.data(), bytes); };
      r.prepare_theirs = [&, bytes] { d.put_back(in.data(), theirs.data(), bytes); };
    }
    r.same = {{ours.data(), theirs.data(), bytes}};
    run_row(state, d, r);
  }
};

template <class T>
void add_scans_of() {
  for (std::size_t const n : sizes<T>())
    for (manner const how : manners)
      add_row("scan_" + width<T>() + how.name(), n, [n, how](benchmark::State& state, device& d) {
        scanned<T> of(d, n);
        of.run(
            state, d, how, 0,
            [&](std::span<T const> from) { lookback::inclusive_scan(how.on(d), from, of.ours, lookback::plus<T>{}); },
            [&](cub_peer::scratch& s, T const* from, T* to) {
              sheet::scan(s, from, to, static_cast<std::int64_t>(n), how.reversed, d.stream());
            });
      });
}

/// describe(device, described) gives {segments, what it holds}; `bytes` of the description a thousand items.
template <class T, class Describe>
void add_segmented(char const* name, Describe describe) {
  for (std::size_t const n : sizes<T>())
    for (manner const how : manners)
      add_row(std::string("segmented_scan_") + name + "_" + width<T>() + how.name(), n,
              [n, how, describe](benchmark::State& state, device& d) {
                scanned<T> of(d, n);
                described const by(d, n);
                auto const held = describe(d, by);
                of.run(
                    state, d, how, held.bytes,
                    [&](std::span<T const> from) {
                      lookback::inclusive_segmented_scan(how.on(d), from, held.segments(), of.ours, lookback::plus<T>{});
                    },
                    [&](cub_peer::scratch& s, T const* from, T* to) {
                      sheet::scan_by_key(s, held.keys_of_peer(by), from, to, static_cast<std::int64_t>(n), how.reversed,
                                         d.stream());
                    });
              });
}

struct by_flags {
  described const* by;
  double bytes;
  auto segments() const { return lookback::head_flags(by->flags); }
  std::uint32_t const* keys_of_peer(described const& of) const { return of.numbers.data(); }
};
struct by_bits {
  described const* by;
  double bytes;
  auto segments() const { return lookback::head_bits(by->bits); }
  std::uint32_t const* keys_of_peer(described const& of) const { return of.numbers.data(); }
};
template <class T>
struct by_array {
  array<T> values;
  double bytes;
  std::uint32_t const* keys_of_peer(described const& of) const { return of.numbers.data(); }
};
struct by_flags32 : by_array<std::int32_t> {
  auto segments() const { return lookback::head_flags(values); }
};
template <class T>
struct by_offsets : by_array<T> {
  auto segments() const { return lookback::offsets(this->values); }
};
template <class T>
struct by_keys : by_array<T> {
  auto segments() const { return lookback::keys(this->values); }
  T const* keys_of_peer(described const&) const { return this->values.data(); }
};
struct by_rows {
  array<std::uint32_t> rows;
  double bytes;
  auto segments() const { return lookback::rows_of(row_length); }
  std::uint32_t const* keys_of_peer(described const&) const { return rows.data(); }
};

template <class Key>
auto described_by_keys(device& d, described const& by) {
  return by_keys<Key>{{by.keys<Key>(d), static_cast<double>(by.n * sizeof(Key))}};
}
template <class Offset>
auto described_by_offsets(device& d, described const& by) {
  return by_offsets<Offset>{{by.offsets_of<Offset>(d), static_cast<double>(by.segments * sizeof(Offset))}};
}

template <class T>
void add_segmented_scans_of() {
  add_segmented<T>("flags8", [](device&, described const& by) { return by_flags{&by, static_cast<double>(by.n)}; });
  add_segmented<T>("flags32", [](device& d, described const& by) {
    return by_flags32{{made<std::int32_t>(d, by.n, flag32{}), static_cast<double>(by.n * 4)}};
  });
  add_segmented<T>("bits", [](device&, described const& by) { return by_bits{&by, static_cast<double>(by.n) / 8}; });
  add_segmented<T>("offsets32", described_by_offsets<std::int32_t>);
  add_segmented<T>("offsets64", described_by_offsets<std::int64_t>);
  add_segmented<T>("rows", [](device& d, described const& by) {
    return by_rows{made<std::uint32_t>(d, by.n, number_of_row{}), 0};
  });
  add_segmented<T>("keys8", described_by_keys<std::uint8_t>);
  add_segmented<T>("keys16", described_by_keys<std::uint16_t>);
  add_segmented<T>("keys32", described_by_keys<std::uint32_t>);
  add_segmented<T>("keys64", described_by_keys<std::uint64_t>);
}

}  // namespace

void add_scans() {
  add_scans_of<std::uint8_t>();
  add_scans_of<std::uint32_t>();
  add_scans_of<std::uint64_t>();
  add_scans_of<wide>();
}

void add_segmented_scans() {
  add_segmented_scans_of<std::uint8_t>();
  add_segmented_scans_of<std::uint32_t>();
  add_segmented_scans_of<std::uint64_t>();
  add_segmented_scans_of<wide>();
}

}  // namespace bench::sheet
