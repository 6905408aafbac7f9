// The few machine instructions that CUDA C++ does not name, each with the promise that the engine relies on.
#pragma once
#include <cstdint>
#include <nv/target>
#include <type_traits>

namespace lookback::gpu::ptx {

__device__ __forceinline__ std::uint32_t shared_address(void const* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// The same pointer to shared memory, kept in a register: else it is made of where shared memory begins wherever it is used.
template <class T>
__device__ __forceinline__ T* opaque(T* p) {
  std::uint32_t address = shared_address(p);
  asm("" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// Does this device have a copy engine (sm_90)? A constant in every kernel.
__device__ __forceinline__ bool has_copy_engine() { NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (return true;), (return false;)) }

// ---- mbarrier: counts arrivals and arriving bytes; a wait that returns has acquired what they released.

__device__ __forceinline__ void barrier_init(std::uint64_t* barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

/// Barrier number `id` of the block's 16, for `threads` of it.
__device__ __forceinline__ void barrier_of(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
/// The same for who waits for nobody: others need not wait for what comes after.
__device__ __forceinline__ void barrier_pass(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ __forceinline__ void barrier_arrive(std::uint64_t* barrier) {
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(shared_address(barrier)) : "memory");
}

/// One arrival, and `bytes` more to come from bulk copies (sm_90).
__device__ __forceinline__ void barrier_arrive_expecting(std::uint64_t* barrier, std::uint32_t bytes) {
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                             : "memory");))
}

/// The calling thread arrives once its own earlier cp.async copies are in shared memory (sm_80).
__device__ __forceinline__ void barrier_arrive_after_copies(std::uint64_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

__device__ __forceinline__ void barrier_wait(std::uint64_t* barrier, std::uint32_t parity) {
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
                    (asm volatile("{\n.reg .pred done;\nWAIT%=:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done "
                                  "bra DONE%=;\nbra WAIT%=;\nDONE%=:\n}" ::"r"(shared_address(barrier)),
                                  "r"(parity)
                                  : "memory");),
                    (asm volatile("{\n.reg .pred done;\nWAIT%=:\nmbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n@done bra "
                                  "DONE%=;\nbra WAIT%=;\nDONE%=:\n}" ::"r"(shared_address(barrier)),
                                  "r"(parity)
                                  : "memory");))
}

// ---- copies between global and shared memory. Addresses and sizes of all of them are multiples of 16 bytes.

/// Asynchronous copy by the copy engine; arrives on `barrier` with its bytes (sm_90).
__device__ __forceinline__ void bulk_load(void* to, void const* from, std::uint32_t bytes, std::uint64_t* barrier) {
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                                 shared_address(to)),
                             "l"(from), "r"(bytes), "r"(shared_address(barrier))
                             : "memory");))
}

/// The same of what nobody reads again: in L2 it makes room for others first (sm_90).
__device__ __forceinline__ void bulk_load_once(void* to, void const* from, std::uint32_t bytes, std::uint64_t* barrier) {
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (asm volatile("{\n.reg .b64 first;\ncreatepolicy.fractional.L2::evict_first.b64 first, 1.0;\n"
                             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
                             "[%3], first;\n}" ::"r"(shared_address(to)),
                             "l"(from), "r"(bytes), "r"(shared_address(barrier))
                             : "memory");))
}

/// Reads what others will read again, and nobody writes from the begin of the kernel to its end: in L2 it makes room for others
/// last (sm_90; words of 4 and 8 bytes, others as they are read without). A kernel that begins while the one before it runs needs
/// another kernel between it and whoever writes what is read.
struct load_to_stay {
  template <class T>
  __device__ __forceinline__ T operator()(T const* from) const {
    constexpr bool one_word = (sizeof(T) == 4 || sizeof(T) == 8) && alignof(T) == sizeof(T);
    if constexpr (one_word) NV_IF_TARGET(NV_PROVIDES_SM_90, (return in_one(from);))
    return *from;
  }

 private:
  template <class T>
  __device__ __forceinline__ static T in_one(T const* from) {
    std::uint64_t last;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(last));
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> word;
    if constexpr (sizeof(T) == 4) asm("ld.global.nc.L2::cache_hint.b32 %0, [%1], %2;" : "=r"(word) : "l"(from), "l"(last));
    else asm("ld.global.nc.L2::cache_hint.b64 %0, [%1], %2;" : "=l"(word) : "l"(from), "l"(last));
    return __builtin_bit_cast(T, word);
  }
};

/// Asks for the line of an address to be brought into L2; nobody waits for it.
__device__ __forceinline__ void prefetch(void const* from) { asm volatile("prefetch.global.L2 [%0];" ::"l"(from)); }
/// The same of a stretch of memory (sm_90).
__device__ __forceinline__ void bulk_prefetch(void const* from, std::uint32_t bytes) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");))
}

/// Asynchronous copy out; joins the calling thread's open group (sm_90).
__device__ __forceinline__ void bulk_store(void* to, void const* from, std::uint32_t bytes) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                                                "r"(shared_address(from)), "r"(bytes)
                                                : "memory");))
}
__device__ __forceinline__ void bulk_commit() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("cp.async.bulk.commit_group;" ::: "memory");))
}

/// Waits until at most `Open` of the calling thread's groups still read shared memory.
template <int Open>
__device__ __forceinline__ void bulk_wait_read() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Open) : "memory");))
}

/// The same until they are written.
template <int Open>
__device__ __forceinline__ void bulk_wait() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Open) : "memory");))
}

/// Asynchronous copy of 16 bytes by the calling thread (sm_80).
__device__ __forceinline__ void copy_16(void* to, void const* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

/// The same of 4, 8 or 16 bytes. Addresses are multiples of these.
template <int Bytes>
__device__ __forceinline__ void copy_async(void* to, void const* from) {
  if constexpr (Bytes == 16) copy_16(to, from);
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(Bytes) : "memory");
}
/// The copies that the calling thread started since the last group are a group.
__device__ __forceinline__ void copies_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `Open` groups of the calling thread are under way.
template <int Open>
__device__ __forceinline__ void copies_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Open) : "memory");
}

/// What ordinary stores wrote to shared memory before this, the copy engine sees after the next barrier.
__device__ __forceinline__ void fence_for_copy_engine() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("fence.proxy.async.shared::cta;" ::: "memory");))
}
__device__ __forceinline__ void fence_barrier_init() {
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
                    (asm volatile("fence.mbarrier_init.release.cluster;" ::
                                      : "memory");),
                    (__threadfence_block();))
}

// ---- kernels that overlap (sm_90): the next one of a stream may start while this one runs, if it was launched so, and waits
// before it touches memory.

__device__ __forceinline__ void let_next_kernel_start() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("griddepcontrol.launch_dependents;" ::: "memory");))
}
/// Returns when every kernel before this one in its stream has ended and its memory can be read.
__device__ __forceinline__ void wait_for_kernel_before() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("griddepcontrol.wait;" ::: "memory");))
}

// ---- single words of global memory, whole, at device scope.

__device__ __forceinline__ std::uint64_t load_relaxed(std::uint64_t const* p) {
  std::uint64_t v;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ void store_relaxed(std::uint64_t* p, std::uint64_t v) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
struct alignas(16) word_128 {
  std::uint64_t low, high;
};
__device__ __forceinline__ word_128 load_relaxed(word_128 const* p) {
  word_128 v;
  asm volatile("{\n.reg .b128 w;\nld.relaxed.gpu.global.b128 w, [%2];\nmov.b128 {%0, %1}, w;\n}"
               : "=l"(v.low), "=l"(v.high)
               : "l"(p)
               : "memory");
  return v;
}
__device__ __forceinline__ void store_relaxed(word_128* p, word_128 v) {
  asm volatile("{\n.reg .b128 w;\nmov.b128 w, {%1, %2};\nst.relaxed.gpu.global.b128 [%0], w;\n}" ::"l"(p), "l"(v.low), "l"(v.high)
               : "memory");
}

/// Who reads a value stored by store_release also sees everything that the storing thread wrote before.
__device__ __forceinline__ std::uint64_t load_acquire(std::uint64_t const* p) {
  std::uint64_t v;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ void store_release(std::uint64_t* p, std::uint64_t v) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}

/// Stores `v` if the word is `expected`, and says whether it was. Then this thread sees what the one wrote that has released it.
__device__ __forceinline__ bool replace_acquire(std::uint64_t* p, std::uint64_t expected, std::uint64_t v) {
  std::uint64_t before;
  asm volatile("atom.acquire.gpu.global.cas.b64 %0, [%1], %2, %3;" : "=l"(before) : "l"(p), "l"(expected), "l"(v) : "memory");
  return before == expected;
}

/// Returns the value before. What this thread wrote or read before is done when another thread sees the new value.
__device__ __forceinline__ std::uint32_t add_acquire_release(std::uint32_t* p, std::uint32_t v) {
  std::uint32_t before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(v) : "memory");
  return before;
}

}  // namespace lookback::gpu::ptx
