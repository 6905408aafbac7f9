#!/usr/bin/env bash
# From a bare machine to every command run on real input: installs what is missing, builds only the program, runs `lookback demo`.
#   scripts/demo.sh [--gpu|--cpu] [arguments of `lookback demo`, such as --data DIR]
# The GPU part is built where a GPU is present, or with --gpu. LOOKBACK_PRESET names another preset, LOOKBACK_CONFIGURE holds more
# arguments for CMake. scripts/test.sh goes on with what is built here, and the other way, where both use one preset.
set -euo pipefail
words=() before=""  # a folder is meant from where the caller stands
for word in "$@"; do
  case "$before:$word" in
    --data:*) word=$(realpath -m -- "$word") ;;
    :--data=*) word=--data=$(realpath -m "${word#--data=}") ;;
  esac
  words+=("$word")
  if [ "$word" = --data ]; then before=--data; else before=""; fi
done
set -- "${words[@]}"
cd "$(dirname "$0")/.."
. scripts/find_cuda.sh

preset=${LOOKBACK_PRESET:-cpu}
if [ -z "${LOOKBACK_PRESET:-}" ] && has_gpu && has_nvcc; then preset=gpu; fi
case "${1:-}" in
  --gpu) preset=gpu; shift ;;
  --cpu) preset=cpu; shift ;;
esac

scripts/install_dependencies.sh program
build=build/$preset
mkdir -p $build
log=$build/demo.log
failed() { tail -n 60 "$log" >&2; exit 70; }
# The program alone, unless somebody has asked for more in this folder before. A newer compiler's new warning stops nobody.
configure=(cmake --preset "$preset")
if [ "${CI:-}" != true ]; then configure+=(--compile-no-warning-as-error); fi
if [ -n "${LOOKBACK_CONFIGURE:-}" ]; then read -ra more <<<"$LOOKBACK_CONFIGURE"; configure+=("${more[@]}"); fi
if [ ! -f $build/CMakeCache.txt ]; then configure+=(-DLOOKBACK_TESTS=OFF -DLOOKBACK_BENCH=OFF); fi
minutes=ten
if [ "$preset" = gpu ]; then minutes=thirty; fi
echo "Building the program ($preset) in $build: some $minutes minutes on two cores the first time; how far it is: $log ..."
"${configure[@]}" >"$log" 2>&1 || failed
cmake --build --preset "$preset" --target lookback_program >>"$log" 2>&1 || failed
exec $build/lookback demo "$@"
