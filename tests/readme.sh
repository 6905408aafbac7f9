#!/usr/bin/env bash
# The programs that README.md shows are whole: they compile with the lines below them, and print what their comments say. The one for the
# GPU is compiled where nvcc is, and run where a GPU is.
#   tests/readme.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find_cuda.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block LANGUAGE FILE: the first fenced block of that language
block() { awk -v begin="\`\`\`$1" '$0 == begin { inside = 1; next } $0 == "```" { if (inside) exit } inside' README.md >"$work/$2"; }
# line COMMAND: the first indented line that begins with it, with files in the work folder and without remarks
line() { grep -m1 -E "^    $1 " README.md | sed -E "s|#.*||; s|sum\.cpp|$work/sum.cpp|; s|sum\.cu|$work/sum.cu|; s|-o sum|-o $work/sum|"; }

block cpp sum.cpp
eval "$(line 'g\+\+')"
[ "$("$work/sum")" = "3 4 8 9 14 " ]
echo "sum.cpp compiles and prints its sums"
if has_nvcc; then
  block cuda sum.cu
  rm "$work/sum"
  eval "$(line nvcc)"
  if has_gpu; then [ "$("$work/sum")" = "1 3 6 10 15 " ]; fi
  echo "sum.cu compiles"
fi
