// select_if, partition_if, unique: every width, way to say what is kept, apart and in place.
#include <lookback/partition_if.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>

#include "rows.hpp"

namespace bench::sheet {

namespace {

/// An input, an output of each side, and counts.
template <class T>
struct compacted {
  std::size_t n;
  array<T> in, ours, theirs;
  array<std::int64_t> count, their_count;
  compacted(device& d, array<T> input)
      : n(input.size()),
        in(std::move(input)),
        ours(d.empty<T>(n)),
        theirs(d.empty<T>(n)),
        count(d.empty<std::int64_t>(3)),
        their_count(d.empty<std::int64_t>(3)) {}
  compacted(device& d, std::size_t items) : compacted(d, random_items<T>(d, items)) {}

  /// One call of ours says how much is kept.
  std::size_t kept(device& d, row const& r) {
    if (r.prepare) r.prepare();
    r.ours();
    return static_cast<std::size_t>(d.fetched(count.data(), 1)[0]);
  }
  void in_place(device& d, row& r) {
    std::size_t const bytes = n * sizeof(T);
    r.prepare = [this, &d, bytes] { d.put_back(in.data(), ours.data(), bytes); };
    r.prepare_theirs = [this, &d, bytes] { d.put_back(in.data(), theirs.data(), bytes); };
  }
  /// Reads all and what is `beside` each item, writes the kept, which are the same on both sides.
  void run(benchmark::State& state, device& d, row& r, double beside = 0) {
    std::size_t const left = kept(d, r);
    r.bytes = static_cast<double>((n + left) * sizeof(T)) + beside;
    r.same = {{ours.data(), theirs.data(), left * sizeof(T)}, {count.data(), their_count.data(), sizeof(std::int64_t)}};
    run_row(state, d, r);
  }
};

struct half_of {
  __host__ __device__ std::uint8_t operator()(std::size_t i) const { return hash(i + 7) & 1; }
};
struct half_of_byte {
  __host__ __device__ std::uint8_t operator()(std::size_t byte) const {
    unsigned bits = 0;
    for (unsigned k = 0; k < 8; ++k) bits |= static_cast<unsigned>(half_of{}(byte * 8 + k)) << k;
    return static_cast<std::uint8_t>(bits);
  }
};

template <class T>
void add_selections_of() {
  for (std::size_t const n : sizes<T>()) {
    auto const items = static_cast<std::int64_t>(n);
    add_row("select_if_" + width<T>(), n, [=](benchmark::State& state, device& d) {
      compacted<T> of(d, n);
      row r;
      r.ours = [&] { lookback::select_if_async(d.on(), of.in, of.ours, has_bit{0}, of.count.data()); };
      r.theirs = [&](cub_peer::scratch& s) {
        select_if(s, std::as_const(of.in).data(), of.theirs.data(), of.their_count.data(), items, d.stream());
      };
      of.run(state, d, r);
    });
    add_row("select_if_" + width<T>() + "_in_place", n, [=](benchmark::State& state, device& d) {
      compacted<T> of(d, n);
      row r;
      of.in_place(d, r);
      r.ours = [&] { lookback::select_if_async(d.on(), of.ours, has_bit{0}, of.count.data()); };
      r.theirs = [&](cub_peer::scratch& s) { select_in_place(s, of.theirs.data(), of.their_count.data(), items, d.stream()); };
      of.run(state, d, r);
    });
    // By half of random bytes, as flags, as bits and as a stencil.
    for (std::string const by : {"flags", "bits", "stencil"})
      for (bool const in_place : {false, true})
        add_row("select_by_" + by + "_" + width<T>() + (in_place ? "_in_place" : ""), n, [=](benchmark::State& state, device& d) {
          compacted<T> of(d, n);
          auto const flags = made<std::uint8_t>(d, n, half_of{}), bits = made<std::uint8_t>(d, (n + 7) / 8, half_of_byte{});
          row r;
          if (in_place) of.in_place(d, r);
          r.ours = [&] {
            std::span<T const> const from(in_place ? of.ours.data() : of.in.data(), n);
            if (by == "bits") lookback::select_flagged_async(d.on(), from, lookback::packed_flags(bits), of.ours, of.count.data());
            else if (by == "flags") lookback::select_flagged_async(d.on(), from, flags, of.ours, of.count.data());
            else lookback::select_if_async(d.on(), from, lookback::stencil(flags), of.ours, has_bit{0}, of.count.data());
          };
          r.theirs = [&](cub_peer::scratch& s) {
            select_flagged(s, in_place ? of.theirs.data() : std::as_const(of.in).data(), flags.data(), of.theirs.data(),
                           of.their_count.data(), items, d.stream());
          };
          of.run(state, d, r, static_cast<double>(by == "bits" ? n / 8 : n));
        });
  }
}

template <class T>
void add_partitions_of() {
  for (std::size_t const n : sizes<T>()) {
    auto const items = static_cast<std::int64_t>(n);
    double const all = 2.0 * static_cast<double>(n * sizeof(T));
    for (std::string const to : {"one_output", "one_output_stable", "two_outputs"})
      add_row("partition_if_" + to + "_" + width<T>(), n, [=](benchmark::State& state, device& d) {
        compacted<T> of(d, n);
        auto rest = d.empty<T>(to == "two_outputs" ? n : 0);
        row r;
        r.bytes = all;
        r.ours = [&] {
          if (to == "two_outputs") lookback::partition_if_async(d.on(), of.in, of.ours, rest, has_bit{0}, of.count.data());
          else if (to == "one_output") lookback::partition_if_async(d.on(), of.in, of.ours, has_bit{0}, of.count.data());
          else lookback::partition_if_async(d.on().with(lookback::stable), of.in, of.ours, has_bit{0}, of.count.data());
        };
        r.theirs = [&](cub_peer::scratch& s) {
          partition_if(s, std::as_const(of.in).data(), of.theirs.data(), of.their_count.data(), items, d.stream());
        };
        std::size_t const kept = of.kept(d, r), rejected = n - kept;
        r.same = {{of.ours.data(), of.theirs.data(), kept * sizeof(T)},
                  {of.count.data(), of.their_count.data(), sizeof(std::int64_t)}};
        // CUB has its rejects in reverse.
        if (to == "one_output") r.same.push_back({of.ours.data() + kept, of.theirs.data() + kept, rejected * sizeof(T)});
        else
          r.same.push_back({to == "two_outputs" ? rest.data() : of.ours.data() + kept, of.theirs.data() + kept,
                            rejected * sizeof(T), sizeof(T), true});
        run_row(state, d, r);
      });
    add_row("partition_if_three_" + width<T>(), n, [=](benchmark::State& state, device& d) {
      compacted<T> of(d, n);
      auto second = d.empty<T>(n), rest = d.empty<T>(n), their_second = d.empty<T>(n), their_rest = d.empty<T>(n);
      row r;
      r.bytes = all;
      r.ours = [&] { lookback::partition_if_async(d.on(), of.in, of.ours, second, rest, has_bit{0}, has_bit{1}, of.count.data()); };
      r.theirs = [&](cub_peer::scratch& s) {
        partition_three(s, std::as_const(of.in).data(), of.theirs.data(), their_second.data(), their_rest.data(),
                        of.their_count.data(), items, d.stream());
      };
      r.ours();
      auto const counts = d.fetched(of.count.data(), 3);
      r.same = {{of.ours.data(), of.theirs.data(), static_cast<std::size_t>(counts[0]) * sizeof(T)},
                {second.data(), their_second.data(), static_cast<std::size_t>(counts[1]) * sizeof(T)},
                {rest.data(), their_rest.data(), static_cast<std::size_t>(counts[2]) * sizeof(T)},
                {of.count.data(), of.their_count.data(), 2 * sizeof(std::int64_t)}};
      run_row(state, d, r);
    });
  }
}

template <class T>
void add_uniques_of() {
  for (std::size_t const n : sizes<T>()) {
    auto const items = static_cast<std::int64_t>(n);
    for (bool const in_place : {false, true}) {
      add_row("unique_" + width<T>() + (in_place ? "_in_place" : ""), n, [=](benchmark::State& state, device& d) {
        described const by(d, n);
        compacted<T> of(d, by.keys<T>(d));
        row r;
        if (in_place) of.in_place(d, r);
        r.ours = [&] {
          if (in_place) lookback::unique_async(d.on(), of.ours, of.count.data());
          else lookback::unique_async(d.on(), of.in, of.ours, of.count.data());
        };
        r.theirs = [&](cub_peer::scratch& s) {  // in place CUB has none
          unique(s, std::as_const(of.in).data(), of.theirs.data(), of.their_count.data(), items, d.stream());
        };
        r.prepare_theirs = nullptr;
        of.run(state, d, r);
      });
      add_row("unique_by_key_4B_" + width<T>() + (in_place ? "_in_place" : ""), n, [=](benchmark::State& state, device& d) {
        described const by(d, n);
        auto const keys = by.keys<std::uint32_t>(d);
        auto keys_out = d.empty<std::uint32_t>(n), their_keys = d.empty<std::uint32_t>(n);
        compacted<T> of(d, n);
        row r;
        if (in_place) {
          r.prepare = [&] {
            d.put_back(of.in.data(), of.ours.data(), n * sizeof(T));
            d.put_back(keys.data(), keys_out.data(), n * 4);
          };
        }
        r.ours = [&] {
          if (in_place) lookback::unique_by_key_async(d.on(), keys_out, of.ours, keys_out, of.ours, of.count.data());
          else lookback::unique_by_key_async(d.on(), keys, of.in, keys_out, of.ours, of.count.data());
        };
        r.theirs = [&](cub_peer::scratch& s) {
          unique_by_key(s, keys.data(), std::as_const(of.in).data(), their_keys.data(), of.theirs.data(), of.their_count.data(),
                        items, d.stream());
        };
        std::size_t const left = of.kept(d, r);
        r.bytes = static_cast<double>((n + left) * (sizeof(T) + 4));
        r.same = {{of.ours.data(), of.theirs.data(), left * sizeof(T)},
                  {keys_out.data(), their_keys.data(), left * 4},
                  {of.count.data(), of.their_count.data(), sizeof(std::int64_t)}};
        run_row(state, d, r);
      });
    }
  }
}

}  // namespace

void add_compactions() {
  add_selections_of<std::uint8_t>();
  add_selections_of<std::uint32_t>();
  add_selections_of<std::uint64_t>();
  add_selections_of<wide>();
  add_partitions_of<std::uint8_t>();
  add_partitions_of<std::uint32_t>();
  add_partitions_of<std::uint64_t>();
  add_partitions_of<wide>();
  add_uniques_of<std::uint8_t>();
  add_uniques_of<std::uint32_t>();
  add_uniques_of<std::uint64_t>();
  add_uniques_of<wide>();
}

}  // namespace bench::sheet
