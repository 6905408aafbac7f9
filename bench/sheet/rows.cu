// Inputs in every description, and how a row is measured.
#include <lookback/scan.hpp>

#include "rows.hpp"

namespace bench::sheet {

namespace {
std::size_t places_of_heads(device& d, array<std::uint8_t> const& flags, array<std::int64_t>& to) {
  auto const n = static_cast<lookback::index_t>(flags.size());
  return static_cast<std::size_t>(lookback::select_flagged(d.on(), lookback::generate(n, place{}), flags, to));
}
}  // namespace

described::described(device& d, std::size_t items)
    : n(items),
      flags(made<std::uint8_t>(d, n, begins{})),
      bits(made<std::uint8_t>(d, (n + 7) / 8, byte_of_bits{})),
      numbers(n),
      offsets(n + 1),
      segments(places_of_heads(d, flags, offsets)) {
  lookback::inclusive_scan(d.on(), flags, numbers, lookback::plus<std::uint32_t>{});
  auto const end = static_cast<std::int64_t>(n);
  must(cudaMemcpyAsync(offsets.data() + segments, &end, sizeof end, cudaMemcpyHostToDevice, d.stream()));
  must(cudaStreamSynchronize(d.stream()));
}

void run_row(benchmark::State& state, device& d, row const& r) {
  contest c(r.bytes, r.bytes);
  auto const enter = [&](char const* name, std::function<void()> const& prepare, std::function<void()> const& call) {
    if (prepare) c.enter(name, d.timed_after(prepare, call));
    else c.enter(name, d.timed(timing::single, call));
  };
  enter("lookback", r.prepare, r.ours);
  auto const enter_peer = [&](char const* name, row::peer const& call) {
    cub_peer::scratch need;
    if (r.prepare_theirs) r.prepare_theirs();
    call(need);
    auto const memory = std::make_shared<array<std::byte>>(std::max<std::size_t>(need.bytes, 1));
    enter(name, r.prepare_theirs, [&call, memory] {
      cub_peer::scratch s{memory->data(), memory->size()};
      call(s);
    });
  };
  if (r.theirs) enter_peer("cub", r.theirs);
  if (r.other_of_theirs) enter_peer("cub_by_key", r.other_of_theirs);
  auto const half = static_cast<std::size_t>(r.bytes / 2);
  auto a = d.empty<std::uint8_t>(half), b = d.empty<std::uint8_t>(half);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), half));
  c.run(state);

  // The last round has left results of both.
  auto count = d.empty<unsigned long long>(1);
  for (auto const& each : r.same)
    differ_kernel<<<1056, 256, 0, d.stream()>>>(static_cast<unsigned char const*>(each.ours),
                                                static_cast<unsigned char const*>(each.theirs), each.bytes, each.width,
                                                each.reversed, count.data());
  must(cudaGetLastError());
  if (auto const found = d.fetched(count.data(), 1)[0])
    throw std::runtime_error(std::to_string(found) + " bytes differ from what they must be");
}

}  // namespace bench::sheet

int main(int argc, char** argv) {
  return bench::run_cases(argc, argv, [] {
    bench::sheet::add_scans();
    bench::sheet::add_segmented_scans();
    bench::sheet::add_compactions();
    bench::sheet::add_runs();
    bench::sheet::add_reductions();
  });
}
