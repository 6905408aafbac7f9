// One result a run of keys, or a segment in every description. CUB sums by offsets and by keys.
#include <lookback/reduce_by_key.hpp>

#include "rows.hpp"

namespace bench::sheet {

namespace {

struct end_of_row {
  std::int64_t n;
  __device__ std::int32_t operator()(std::size_t r) const {
    return static_cast<std::int32_t>(min(static_cast<std::int64_t>(r) * row_length, n));
  }
};

template <class T>
void add_reductions_of() {
  for (std::size_t const n : sizes<T>()) {
    auto const items = static_cast<std::int64_t>(n);
    for (bool const in_place : {false, true})
      add_row("reduce_by_key_4B_" + width<T>() + (in_place ? "_keys_in_place" : ""), n, [=](benchmark::State& state, device& d) {
        described const by(d, n);
        auto const keys = by.keys<std::uint32_t>(d);
        auto values = random_items<T>(d, n), sums = d.empty<T>(n), their_sums = d.empty<T>(n);
        auto keys_out = d.empty<std::uint32_t>(n), their_keys = d.empty<std::uint32_t>(n);
        auto count = d.empty<std::int64_t>(1), their_count = d.empty<std::int64_t>(1);
        row r;
        if (in_place) r.prepare = [&] { d.put_back(keys.data(), keys_out.data(), n * 4); };
        r.ours = [&] {
          if (in_place) lookback::reduce_by_key_async(d.on(), keys_out, values, keys_out, sums, count.data());
          else lookback::reduce_by_key_async(d.on(), keys, values, keys_out, sums, count.data());
        };
        r.theirs = [&](cub_peer::scratch& s) {
          reduce_by_key(s, keys.data(), std::as_const(values).data(), their_keys.data(), their_sums.data(), their_count.data(),
                        items, d.stream());
        };
        std::size_t const runs = by.segments;
        r.bytes = static_cast<double>((n + runs) * (sizeof(T) + 4));
        r.same = {{sums.data(), their_sums.data(), runs * sizeof(T)},
                  {keys_out.data(), their_keys.data(), runs * 4},
                  {count.data(), their_count.data(), sizeof(std::int64_t)}};
        run_row(state, d, r);
      });
    for (std::string const kind : {"flags8", "flags32", "bits", "offsets32", "offsets64", "rows", "keys32"})
      add_row("segmented_reduce_" + kind + "_" + width<T>(), n, [=](benchmark::State& state, device& d) {
        described const by(d, n);
        bool const in_rows = kind == "rows";
        std::size_t const number = in_rows ? (n + row_length - 1) / row_length : by.segments;
        auto values = random_items<T>(d, n), sums = d.empty<T>(n), their_sums = d.empty<T>(n);
        auto const offsets32 = in_rows ? made<std::int32_t>(d, number + 1, end_of_row{items}) : by.offsets_of<std::int32_t>(d);
        auto const offsets64 = by.offsets_of<std::int64_t>(d);
        auto const flags = made<std::int32_t>(d, kind == "flags32" ? n : 1, flag32{});
        auto count = d.empty<std::int64_t>(1);
        row r;
        r.ours = [&] {
          auto const sum = [&](auto const& segments) {
            lookback::segmented_reduce_async(d.on(), values, segments, sums, count.data());
          };
          if (kind == "flags8") sum(lookback::head_flags(by.flags));
          else if (kind == "flags32") sum(lookback::head_flags(flags));
          else if (kind == "bits") sum(lookback::head_bits(by.bits));
          else if (kind == "offsets32") sum(lookback::offsets(offsets32));
          else if (kind == "offsets64") sum(lookback::offsets(offsets64));
          else if (kind == "rows") sum(lookback::rows_of(row_length));
          else sum(lookback::keys(by.numbers));
        };
        r.theirs = [&](cub_peer::scratch& s) {
          segmented_sum(s, std::as_const(values).data(), offsets32.data(), their_sums.data(), static_cast<std::int64_t>(number),
                        d.stream());
        };
        auto const row_numbers = made<std::uint32_t>(d, in_rows ? n : 1, number_of_row{});
        auto their_keys = d.empty<std::uint32_t>(n);
        auto their_count = d.empty<std::int64_t>(1);
        r.other_of_theirs = [&](cub_peer::scratch& s) {
          reduce_by_key(s, in_rows ? row_numbers.data() : by.numbers.data(), std::as_const(values).data(), their_keys.data(),
                        their_sums.data(), their_count.data(), items, d.stream());
        };
        double const described_bytes = kind == "flags8"      ? static_cast<double>(n)
                                       : kind == "flags32"   ? static_cast<double>(n * 4)
                                       : kind == "bits"      ? static_cast<double>(n) / 8
                                       : kind == "offsets32" ? static_cast<double>(number * 4)
                                       : kind == "offsets64" ? static_cast<double>(number * 8)
                                       : kind == "keys32"    ? static_cast<double>(n * 4)
                                                             : 0;
        r.bytes = static_cast<double>((n + number) * sizeof(T)) + described_bytes;
        r.same = {{sums.data(), their_sums.data(), number * sizeof(T)}};
        run_row(state, d, r);
      });
  }
}

}  // namespace

void add_reductions() {
  add_reductions_of<std::uint8_t>();
  add_reductions_of<std::uint32_t>();
  add_reductions_of<std::uint64_t>();
  add_reductions_of<wide>();
}

}  // namespace bench::sheet
