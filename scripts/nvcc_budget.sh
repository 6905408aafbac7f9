#!/usr/bin/env bash
# Compile time is part of the design: counts the kernels of a build and the seconds that nvcc took, and holds them to a budget. Seconds
# depend on the machine and on what else it does, by a factor of two: they are compared with what nvcc took in the same build for the
# files that are CUB's and Thrust's (peers), which no change of ours makes longer.
#   scripts/nvcc_budget.sh BUILD_DIR      after a build from scratch with Ninja
set -euo pipefail
build=$1
most_kernels=${LOOKBACK_MOST_KERNELS:-6100}  # tests and the page of examples instantiate two thirds; sorts, for every type of keys and what moves along, more than half (segments: six each); sorts by comparisons, for every type of items, 1100 (by samples: seven each); strategies that are there to be compared, in the program, tests and benchmarks, 2100; calls that are cut into chunks 110
most_times=18
if grep -q "^CMAKE_CUDA_FLAGS_RELEASE:.*-Ofc" "$build/CMakeCache.txt"; then most_times=15; fi  # preset gpu-compile
most_times=${LOOKBACK_MOST_TIMES_PEERS:-$most_times}

# Ninja logs start and end of every command in milliseconds; the last entry of an output counts.
objects=$(awk -F'\t' '$4 ~ /(\.cu\.o|\.ptx)$/ { took[$4] = ($2 - $1) / 1000 } END { for (o in took) printf "%.1f %s\n", took[o], o }' "$build/.ninja_log")
[ -n "$objects" ] || { echo "no CUDA objects in $build"; exit 1; }
seconds_of() { { grep -E "$@" <<<"$objects" || true; } | awk '{ s += $1 } END { printf "%d", s }'; }
peers=$(seconds_of peers)
seconds=$(seconds_of -v peers)
[ "$peers" -gt 0 ] || { echo "no CUDA objects of peers in $build"; exit 1; }
times=$(awk "BEGIN { printf \"%.1f\", $seconds / $peers }")
kernels=0
while read -r _ object; do
  [ -f "$build/$object" ] || continue
  # They, or where there is more than PTX their host sides: ours are all named so. Not what is made for each of them (apart where
  # the host's code is not optimized), nor their cold halves.
  case $object in
    *.ptx) names=(awk '/\.entry / { sub(/\(.*/, ""); print "0 T", $NF }') ;;
    *) names=(nm) ;;
  esac
  kernels=$((kernels + $("${names[@]}" "$build/$object" | grep -vF .cold | c++filt | grep -vF __wrapper__device_stub_ | grep -cE '^[0-9a-f]+ [tTwW] (void )?(lookback::gpu::|(lookback::dispatch::)?\(anonymous namespace\)::)[a-z_]*_kernel' || true)))
done <<<"$objects"
echo "$objects" | sort -rn | head -n 4
echo "nvcc: $kernels kernels (at most $most_kernels), $seconds s of compilation on $(nproc) cores, $times times the $peers s of the peers (at most $most_times)"
[ "$kernels" -le "$most_kernels" ] && awk "BEGIN { exit !($times <= $most_times) }"
