#!/usr/bin/env bash
# Tests and measures on a machine with a GPU, from the binaries that scripts/gpu_pack.sh gathered (this script lies beside them).
#   gpu_check.sh [tests] [program] [sanitizer] [bench] [-- arguments of every test or benchmark]      all of them unless named
# Logs and bench_*.json go to ${OUT:-.}; the last line counts. A tool that the machine refuses is "not run", never "passed".
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-.}
export LOOKBACK_COMMIT=${LOOKBACK_COMMIT:-$(cat "$here/commit.txt" 2>/dev/null || echo unknown)}
wanted=""
while [ $# -gt 0 ] && [ "$1" != -- ]; do wanted="$wanted $1"; shift; done
if [ "${1:-}" = -- ]; then shift; fi
wanted=${wanted:-tests program sanitizer bench}
passed=0 failed=0 not_run=0

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || { echo "no GPU in this machine: nothing was run"; exit 69; }

# verdict NAME CODE LOG: one line, and the log's end if it failed
verdict() {
  if [ "$2" = 0 ]; then echo "passed   $1"; passed=$((passed + 1)); return; fi
  echo "FAILED   $1 (exit $2)"
  failed=$((failed + 1))
  grep -E "Failure|FAILED|Error|=========|element|terminate|what" "$3" | head -n 25
}

run_tests() {
  local binary name log=$out/tests.log
  : >"$log"
  for binary in "$here"/test_gpu_* "$here"/docs_api_gpu; do
    [ -x "$binary" ] || continue
    name=$(basename "$binary")
    timeout "${TEST_SECONDS:-240}" "$binary" "$@" >"$out/one.log" 2>&1
    verdict "$name" $? "$out/one.log"
    grep -E "^\[ +(PASSED|SKIPPED|FAILED) +\]" "$out/one.log" | head -n 3
    cat "$out/one.log" >>"$log"
  done
  rm -f "$out/one.log"
}

run_program() {
  if [ ! -x "$here/lookback" ]; then echo "not run  program: not packed"; not_run=$((not_run + 1)); return; fi
  timeout "${PROGRAM_SECONDS:-500}" "$here/gpu_program_check.sh" "$here/lookback" >"$out/program.log" 2>&1
  local code=$?
  verdict "$(tail -n 1 "$out/program.log")" $code "$out/program.log"
}

# One share of the tests of a binary under one tool; says passed, FAILED or "not run" and why.
sanitize() {
  local tool=$1 binary=$2 share=$3 shares=$4 turn=$5 code
  local name="$tool $(basename "$binary") $((share + 1))/$shares" log="$out/$tool.$(basename "$binary").$share.$turn.log"
  local options=()
  # racecheck knows no barrier of some warps: passes of sorts are left out (pipelines/scatter.cuh says where).
  [ "$tool" = racecheck ] && name="$name turn $turn" && options=(--kernel-regex-exclude kns=scatter_kernel)
  GTEST_TOTAL_SHARDS=$shares GTEST_SHARD_INDEX=$share LOOKBACK_TOOL=$tool LOOKBACK_TURN=$turn timeout "${SANITIZER_SECONDS:-120}" compute-sanitizer --tool "$tool" "${options[@]}" --error-exitcode 99 "$binary" \
    --gtest_filter="${SANITIZER_FILTER:-*}" >"$log" 2>&1
  code=$?
  if grep -qE "Device not supported|Unable to (find|load)|not supported on this" "$log"; then
    echo "not run  $name: $(grep -m1 -oE 'Device not supported|Unable to .*|not supported on this.*' "$log")"
  elif [ $code = 124 ] && ! grep -qE "=========.*(Invalid|hazard|Uninitialized|Barrier)" "$log"; then
    echo "not run  $name: no end within ${SANITIZER_SECONDS:-120} s, no error in $(grep -cE '^\[ +OK' "$log") tests until then"
  elif ! grep -q "ERROR SUMMARY\|RACECHECK SUMMARY" "$log"; then
    echo "not run  $name: the tool gave no summary (exit $code)"
  elif [ $code = 0 ]; then
    echo "passed   $name"
  else
    echo "FAILED   $name (exit $code)"
    grep -E "Failure|FAILED|Error|=========" "$log" | head -n 12
  fi
}

# Small sizes only: the tools are a hundred times slower. LOOKBACK_SMALL tells the tests. Several at once share the GPU.
run_sanitizer() {
  local lines=$out/sanitizer.log
  if ! command -v compute-sanitizer >/dev/null; then
    echo "not run  compute-sanitizer: not installed"; not_run=$((not_run + 4)); return
  fi
  export LOOKBACK_SMALL=1 out
  export -f sanitize
  local shares turns turn
  for tool in ${SANITIZER_TOOLS:-memcheck racecheck initcheck synccheck}; do
    for binary in "$here"/test_gpu_${SANITIZER_TESTS:-*}; do
      [ -x "$binary" ] || continue
      shares=${SANITIZER_SHARES:-4} turns=0
      if [ "$tool" = racecheck ]; then  # some tests take minutes: one a process, each case under one policy a turn
        shares=$("$binary" --gtest_list_tests --gtest_filter="${SANITIZER_FILTER:-*}" | grep -c '^  ') turns=${SANITIZER_TURNS:-0 1 2}
        if [[ $binary == *test_gpu_strategies || $binary == *test_gpu_chunks ]]; then turns=${SANITIZER_TURNS:-0 1 2 3 4 5 6 7 8}; fi  # a turn for each
        [ "$shares" -gt 0 ] || echo "$tool $binary 0 1 0"
      fi
      for turn in $turns; do
        for ((share = 0; share < shares; ++share)); do echo "$tool $binary $share $shares $turn"; done
      done
    done
  done | xargs -P "${SANITIZER_JOBS:-6}" -L 1 bash -c 'sanitize "$@"' sanitize | tee "$lines"
  passed=$((passed + $(grep -c '^passed' "$lines"))) failed=$((failed + $(grep -c '^FAILED' "$lines")))
  not_run=$((not_run + $(grep -c '^not run' "$lines")))
  unset LOOKBACK_SMALL
}

run_bench() {
  local binary name
  for binary in "$here"/bench_gpu_*; do
    [ -x "$binary" ] || continue
    name=$(basename "$binary")
    timeout "${BENCH_SECONDS:-400}" "$binary" --benchmark_out="$out/$name.json" --benchmark_out_format=json "$@" >"$out/$name.log" 2>&1
    verdict "$name" $? "$out/$name.log"
    python3 "$here/compare" "$out/$name.json"
  done
}

for what in $wanted; do
  case "$what" in
    tests) run_tests "$@" ;;
    program) run_program ;;
    sanitizer) run_sanitizer "$@" ;;
    bench) run_bench "$@" ;;
    *) echo "unknown: $what (tests, program, sanitizer, bench)" >&2; exit 64 ;;
  esac
done
echo "$not_run not run"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
