#!/usr/bin/env bash
# The same order at every SIMD level where the compiler may fuse multiplications, as it does unless it is told: the library's own targets
# tell it, and headers that are read early keep that, so this is compiled by itself.
#   tests/contraction/run.sh COMPILER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -std=c++20 -O3 -ffp-contract=fast -I"$here/../../core" -I"$here/../../algorithms" "$here/quicksort.cpp" -o "$work/program" -ltbb -pthread
"$work/program"
echo "the same order at every level"
