#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the whole test suite through ctest.
#   scripts/test.sh [arguments of ctest, such as -R scan]
# GPU parts are built where nvcc is (architecture of the GPU present, else sm_90; CUDAARCHS=... chooses another); GPU tests say
# SKIPPED, with the reason, where no GPU is. LOOKBACK_CONFIGURE holds more arguments for CMake.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find_cuda.sh

scripts/install_dependencies.sh tests
preset=$(full_preset)
if [ "$preset" = cpu ]; then echo "No nvcc: the GPU parts are not built."; fi
configure=(cmake --preset "$preset" -DLOOKBACK_TESTS=ON -DLOOKBACK_BENCH=ON -DLOOKBACK_TESTS_OF_ASAN=ON -DLOOKBACK_QUICK=OFF -DLOOKBACK_GPU_PTX=OFF)
# A newer compiler's new warning is no failed test; the check of a change is strict.
if [ "${CI:-}" != true ]; then configure+=(--compile-no-warning-as-error); fi
if [ -n "${CUDAARCHS:-}" ]; then configure+=(-DCMAKE_CUDA_ARCHITECTURES="$CUDAARCHS"); fi
if [ -n "${LOOKBACK_CONFIGURE:-}" ]; then read -ra more <<<"$LOOKBACK_CONFIGURE"; configure+=("${more[@]}"); fi
"${configure[@]}"
cmake --build --preset "$preset"
if [ "$preset" != cpu ] && ! has_gpu; then echo "No GPU in this machine: the GPU tests are built and SKIPPED."; fi
# Tests of the program wait for it, others for threads: two more than cores.
ctest --preset "$preset" -j $(($(nproc) + 2)) --timeout 600 "$@"
