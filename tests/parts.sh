#!/usr/bin/env bash
# Each part of a back end is enough for its verbs, and reads nothing of what other verbs need. Prints how many of our headers a unit
# reads that includes a verb and its part.
#   tests/parts.sh g++|nvcc
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $compiler in
  *nvcc) end=cuh unit=$work/unit.cu on='gpu::on(nullptr)' back=gpu flags=(-arch=sm_90 -O0 -Ofc=max) ;;
  *) end=hpp unit=$work/unit.cpp on='cpu::on(2)' back=cpu flags=(-O0) ;;
esac
flags+=(-std=c++20 -Icore -Ialgorithms)

# part NAME UNWANTED VERB=CALL...: a unit with each CALL compiles by the verb's header and the part's, and reads no header like UNWANTED.
part() {
  local name=$1 unwanted=$2 verbs="" pair
  shift 2
  {
    for pair in "$@"; do echo "#include <lookback/${pair%%=*}.hpp>"; done
    [ $back = gpu ] || echo "#include <lookback/cpu/on.hpp>"
    echo "#include <lookback/$back/$name.$end>"
    echo "#include <span>"
    echo "using ints = std::span<int>;"
    for pair in "$@"; do
      echo "void call_${pair%%=*}([[maybe_unused]] ints a, [[maybe_unused]] ints b, [[maybe_unused]] ints c) { using namespace lookback; ${pair#*=}; }"
      verbs="$verbs ${pair%%=*}"
    done
  } >"$unit"
  # A sort takes nvcc longer than all others together, and the part says all that the root says of sorts.
  [ "$back $name" = "gpu sorts" ] || "$compiler" "${flags[@]}" -c "$unit" -o "$work/unit.o"
  "$compiler" "${flags[@]}" -M "$unit" | tr -s ' \\' '\n' | grep -E '^(core|algorithms)/' | sort -u >"$work/read"
  if grep -E "$unwanted" "$work/read"; then echo "$name.$end reads what$verbs do not need"; exit 1; fi
  echo "$back/$name.$end with$verbs: $(wc -l <"$work/read") headers"
}
part scans 'merge_path\.cuh|(sinks|host|engine)/(scan_)?(compact|per_segment|distribute)|/sorts/' \
  "scan=inclusive_scan($on, a, b)" "segmented_scan=inclusive_segmented_scan($on, a, keys(b), c)"
part compactions 'merge_path\.cuh|(sinks|host|engine)/(scan_)?(each|per_segment|reproducible_ends|distribute)|/sorts/' \
  "select_if=select_flagged($on, a, b, c)" "unique=lookback::unique($on, a, b)"
part reductions '(sinks|host|engine)/scan_scatter|/sorts/' \
  "reduce_by_key=reduce_by_key($on, a, a, b, c)" "run_length_encode=run_length_encode($on, a, b, c)"
part sorts '(host|engine)/(scan_compact|scan_per_segment)' "radix_sort=radix_sort($on, a, b)" "quicksort=quicksort($on, a, [](int x, int y) { return x < y; })"
