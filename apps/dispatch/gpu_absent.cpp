// The GPU of a build without CUDA.
#if !defined(LOOKBACK_HAS_GPU)
#include "compaction_tables.hpp"
#include "gpu.hpp"
#include "peer_tables.hpp"
#include "quicksort_tables.hpp"
#include "sort_tables.hpp"
#include "spmv_tables.hpp"

namespace lookback::dispatch {

namespace {
[[noreturn]] void refuse() { throw unavailable("no GPU in this build (it was configured without CUDA)"); }
}  // namespace

struct gpu_queue::state {};

bool has_gpu_code() { return false; }
gpu_survey survey_gpus() { return {{}, "no GPU in this build", ""}; }

gpu_memory::gpu_memory(std::size_t) { refuse(); }

gpu_queue::gpu_queue(int) { refuse(); }
gpu_queue::~gpu_queue() = default;
gpu_queue::gpu_queue(gpu_queue&&) noexcept = default;
gpu_queue& gpu_queue::operator=(gpu_queue&&) noexcept = default;
place gpu_queue::place() const { refuse(); }
void gpu_queue::copy_in(void*, void const*, std::size_t) const { refuse(); }
void gpu_queue::copy_out(void*, void const*, std::size_t) const { refuse(); }
void gpu_queue::wait() const { refuse(); }
double gpu_queue::seconds_of(std::function<void()> const&) const { refuse(); }

pinned::pinned(void const*, std::size_t) { refuse(); }

gpu_lanes::gpu_lanes(gpu_queue const&, std::size_t, std::vector<std::size_t> const&, std::vector<std::size_t> const&, std::size_t) {
  refuse();
}
void* gpu_lanes::host_in(std::size_t, std::size_t) const { refuse(); }
void* gpu_lanes::host_out(std::size_t, std::size_t) const { refuse(); }
void* gpu_lanes::device_in(std::size_t, std::size_t) const { refuse(); }
void* gpu_lanes::device_out(std::size_t, std::size_t) const { refuse(); }
void* gpu_lanes::counts(std::size_t) const { refuse(); }
void gpu_lanes::send(std::size_t, std::size_t, std::size_t) const { refuse(); }
void gpu_lanes::sent(std::size_t) const { refuse(); }
void gpu_lanes::done(std::size_t) const { refuse(); }
void gpu_lanes::wait(std::size_t) const { refuse(); }
void gpu_lanes::fetch(std::size_t, std::size_t, std::size_t) const { refuse(); }
void gpu_lanes::fetched(std::size_t) const { refuse(); }

std::vector<peer> peers_on_gpu() { return {}; }
std::vector<peer> chunk_peers_on_gpu() { return {}; }
std::vector<peer_of<select_request>> select_peers_on_gpu() { return {}; }
std::vector<peer_of<runs_request>> unique_peers_on_gpu() { return {}; }
std::vector<peer_of<runs_request>> encode_peers_on_gpu() { return {}; }
std::vector<peer_of<decode_request>> decode_peers_on_gpu() { return {}; }
std::vector<peer_of<reduce_request>> reduce_peers_on_gpu() { return {}; }
std::vector<peer_of<sort_request>> sort_peers_on_gpu() { return {}; }
std::vector<peer_of<quicksort_request>> quicksort_peers_on_gpu() { return {}; }
std::vector<peer_of<lines_request>> lines_peers_on_gpu() { return {}; }
std::vector<peer_of<records_request>> records_peers_on_gpu() { return {}; }
std::vector<spmv_peer> spmv_peers_on_gpu() { return {}; }
std::string why_no_spmv_peers() { return {}; }

void scan_on_gpu(place const&, scan_request const&) { refuse(); }
void select_gpu(place const&, select_request const&) { refuse(); }
void runs_gpu(place const&, runs_request const&) { refuse(); }
void decode_gpu(place const&, decode_request const&) { refuse(); }
void reduce_gpu(place const&, reduce_request const&) { refuse(); }
bool offers_sort_on_gpu(strategy) { return false; }
void sort_on_gpu(place const&, sort_request const&) { refuse(); }
void quicksort_gpu_8(place const&, quicksort_request const&) { refuse(); }
void quicksort_gpu_16(place const&, quicksort_request const&) { refuse(); }
void quicksort_gpu_32(place const&, quicksort_request const&) { refuse(); }
void quicksort_gpu_64(place const&, quicksort_request const&) { refuse(); }
void number_on_gpu(place const&, index_t*, index_t) { refuse(); }
void gather_on_gpu(place const&, gather_request const&) { refuse(); }
void sort_lines_on_gpu(place const&, lines_request const&) { refuse(); }
void sort_by_texts_on_gpu(place const&, records_request const&, record_column const&) { refuse(); }
void count_kmers_on_gpu(place const&, kmers_request const&) { refuse(); }
void multiply_gpu(place const&, spmv_request const&) { refuse(); }
bool offers_plan_on_gpu(spmv_request const&) { return false; }
std::unique_ptr<planned_matrix const> plan_gpu(place const&, spmv_request const&) { refuse(); }
step_sums sum_step_gpu(place const&, step_request const&) { refuse(); }
void copy_gpu(place const&, void*, void const*, std::size_t) { refuse(); }

}  // namespace lookback::dispatch
#endif
