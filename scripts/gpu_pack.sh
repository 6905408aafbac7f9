#!/usr/bin/env bash
# Builds the GPU preset and gathers what a machine with a GPU, but without our packages, needs to test and measure it: GPU tests,
# GPU benchmarks, the program, what the tuner tries, the shared libraries beside them (their rpath is $ORIGIN) and gpu_check.sh, in build/gpu_pack.
#   scripts/gpu_pack.sh [target ...]      all GPU tests and benchmarks and the program, unless targets are named
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find_cuda.sh
has_nvcc || { echo "needs nvcc" >&2; exit 69; }

build=build/gpu pack=build/gpu_pack
# They run, elsewhere. As in test.sh, a newer compiler's new warning stops nobody.
if [ ! -f $build/build.ninja ]; then
  configure=(cmake --preset gpu)
  if [ "${CI:-}" != true ]; then configure+=(--compile-no-warning-as-error); fi
  "${configure[@]}" >/dev/null
fi
if [ $# -gt 0 ]; then targets=("$@"); else
  mapfile -t targets < <(ninja -C $build -t targets all | grep -oE '^(test_gpu_|bench_gpu_|bench_transfers|docs_api_gpu|lookback_program|lookback_tunings)[a-z_0-9]*' | sort -u)
fi
ninja -C $build "${targets[@]}"

rm -rf $pack && mkdir -p $pack
for target in "${targets[@]}"; do
  if [ "$target" = lookback_program ]; then target=lookback; fi
  if [ "$target" = lookback_tunings ]; then target=liblookback_tunings.so; fi
  binary=$(find $build -maxdepth 2 -type f -name "$target" -perm -u+x | head -n 1)
  [ -n "$binary" ] || { echo "no such binary: $target" >&2; exit 70; }
  strip -o "$pack/$target" "$binary"
done
# The C and C++ libraries stay: the other machine's are at least as new, and its own tools need them.
for binary in $pack/test_gpu_* $pack/bench_gpu_* $pack/lookback; do if [ -f "$binary" ]; then ldd "$binary"; fi; done |
  awk '$3 ~ /^\// && $1 ~ /^lib(tbb|benchmark|gomp|z|hwy|atomic)/ { print $3 }' | sort -u | while read -r library; do cp -L "$library" $pack/; done
cp scripts/gpu_check.sh scripts/gpu_program_check.sh bench/compare bench/files.py $pack/
if [ -d tests/data ]; then cp -r tests/data $pack/; fi
git describe --always --dirty >$pack/commit.txt
du -sh $pack
