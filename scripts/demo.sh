#!/usr/bin/env bash
# From a bare machine to every command run on real input: installs what is missing, builds only the program, runs `lookback demo`.
#   scripts/demo.sh [--gpu|--cpu] [arguments of `lookback demo`, such as --data DIR]
# The GPU part is built where a GPU is present, or with --gpu.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find_cuda.sh

gpu=OFF
if has_gpu && has_nvcc; then gpu=ON; fi
case "${1:-}" in
  --gpu) gpu=ON; shift ;;
  --cpu) gpu=OFF; shift ;;
esac

scripts/install_dependencies.sh program
build=build/demo
mkdir -p build
echo "Building the program (GPU part: $gpu) in $build ..."
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOOKBACK_GPU="$gpu" -DLOOKBACK_TESTS=OFF -DLOOKBACK_BENCH=OFF >"$build.log" 2>&1 ||
  { cat "$build.log" >&2; exit 70; }
cmake --build "$build" --target lookback_program >>"$build.log" 2>&1 || { tail -n 60 "$build.log" >&2; exit 70; }
exec "$build/lookback" demo "$@"
