// The CPU's peers of sparse products: Eigen, on one thread and by OpenMP, and the loop that one writes.
#include "arena.hpp"
#include "peer_tables.hpp"
#include "spmv_eigen.hpp"

namespace lookback::dispatch {

namespace {

spmv_function start_loop() {
  return [](place const&, spmv_request const& r) { multiply_with_loop(r); };
}
spmv_function start_eigen() {
  return [](place const&, spmv_request const& r) { multiply_with_eigen(r, 1); };
}
spmv_function start_eigen_threads() {
  return [](place const& on, spmv_request const& r) { multiply_with_eigen(r, on.threads); };
}
// The values alone, to a place of its own: the result is no room for them.
spmv_function start_copy() {
  return [to = std::make_shared<std::vector<std::byte>>()](place const& on, spmv_request const& r) {
    to->resize(static_cast<std::size_t>(r.nonzeros) * size_of(r.type));
    copy_in_arena(on, to->data(), r.values, to->size());
  };
}

}  // namespace

std::vector<spmv_peer> spmv_peers_on_cpu() {
  std::vector<spmv_peer> list{{"Eigen", back_end::cpu, false, eigen_takes, start_eigen}};
  if (eigen_has_threads()) list.push_back({"Eigen OpenMP", back_end::cpu, false, eigen_takes, start_eigen_threads});
  list.push_back({"loop", back_end::cpu, false, [](spmv_request const&) { return true; }, start_loop});
  list.push_back({"memcpy", back_end::cpu, true, [](spmv_request const&) { return true; }, start_copy});
  return list;
}

}  // namespace lookback::dispatch
