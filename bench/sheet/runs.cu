// Runs as values and lengths, and back.
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>

#include "rows.hpp"

namespace bench::sheet {

namespace {

template <class T>
void add_runs_of() {
  for (std::size_t const n : sizes<T>()) {
    auto const items = static_cast<std::int64_t>(n);
    for (std::string const how : {"", "_offsets", "_in_place"})
      add_row("run_length_encode_" + width<T>() + how, n, [=](benchmark::State& state, device& d) {
        described const by(d, n);
        auto in = by.keys<T>(d), values = d.empty<T>(n), their_values = d.empty<T>(n);
        auto lengths = d.empty<std::int32_t>(n), offsets = d.empty<std::int32_t>(n), their_lengths = d.empty<std::int32_t>(n);
        auto count = d.empty<std::int64_t>(1), their_count = d.empty<std::int64_t>(1);
        row r;
        if (how == "_in_place") r.prepare = [&] { d.put_back(in.data(), values.data(), n * sizeof(T)); };
        r.ours = [&] {
          if (how == "_offsets") lookback::run_length_encode_async(d.on(), in, values, lengths, offsets, count.data());
          else if (how == "_in_place") lookback::run_length_encode_async(d.on(), values, values, lengths, count.data());
          else lookback::run_length_encode_async(d.on(), in, values, lengths, count.data());
        };
        r.theirs = [&](cub_peer::scratch& s) {
          run_length_encode(s, std::as_const(in).data(), their_values.data(), their_lengths.data(), their_count.data(), items,
                            d.stream());
        };
        std::size_t const runs = by.segments;
        r.bytes = static_cast<double>((n + runs) * sizeof(T) + runs * (how == "_offsets" ? 8 : 4));
        r.same = {{values.data(), their_values.data(), runs * sizeof(T)},
                  {lengths.data(), their_lengths.data(), runs * 4},
                  {count.data(), their_count.data(), sizeof(std::int64_t)}};
        run_row(state, d, r);
      });
    add_row("non_trivial_runs_" + width<T>(), n, [=](benchmark::State& state, device& d) {
      described const by(d, n);
      auto in = by.keys<T>(d);
      auto offsets = d.empty<std::int32_t>(n), lengths = d.empty<std::int32_t>(n), their_offsets = d.empty<std::int32_t>(n),
           their_lengths = d.empty<std::int32_t>(n);
      auto count = d.empty<std::int64_t>(1), their_count = d.empty<std::int64_t>(1);
      row r;
      r.ours = [&] { lookback::non_trivial_runs_async(d.on(), in, offsets, lengths, count.data()); };
      r.theirs = [&](cub_peer::scratch& s) {
        non_trivial_runs(s, std::as_const(in).data(), their_offsets.data(), their_lengths.data(), their_count.data(), items,
                         d.stream());
      };
      r.ours();
      auto const runs = static_cast<std::size_t>(d.fetched(count.data(), 1)[0]);
      r.bytes = static_cast<double>(n * sizeof(T) + runs * 8);
      r.same = {{offsets.data(), their_offsets.data(), runs * 4},
                {lengths.data(), their_lengths.data(), runs * 4},
                {count.data(), their_count.data(), sizeof(std::int64_t)}};
      run_row(state, d, r);
    });
    // CUB writes runs out within a block only (bench_gpu_run_length_decode has what its device-wide algorithms make of it).
    add_row("run_length_decode_" + width<T>(), n, [=](benchmark::State& state, device& d) {
      described const by(d, n);
      auto in = by.keys<T>(d), values = d.empty<T>(n), out = d.empty<T>(n);
      auto lengths = d.empty<std::int32_t>(n);
      auto count = d.empty<std::int64_t>(1);
      auto const runs = static_cast<std::size_t>(lookback::run_length_encode(d.on(), in, values, lengths));
      std::span<T const> const first_values(values.data(), runs);
      std::span<std::int32_t const> const first_lengths(lengths.data(), runs);
      row r;
      r.bytes = static_cast<double>((n + runs) * sizeof(T) + runs * 4);
      r.ours = [&] { lookback::run_length_decode_async(d.on(), first_values, first_lengths, out, count.data()); };
      r.same = {{out.data(), in.data(), n * sizeof(T)}};
      run_row(state, d, r);
    });
  }
}

}  // namespace

void add_runs() {
  add_runs_of<std::uint8_t>();
  add_runs_of<std::uint32_t>();
  add_runs_of<std::uint64_t>();
  add_runs_of<wide>();
}

}  // namespace bench::sheet
