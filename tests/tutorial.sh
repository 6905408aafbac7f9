#!/usr/bin/env bash
# The programs of docs/tutorial.md compile as they stand and print the lines below them.
#   tests/tutorial.sh COMPILER
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v at="$work" '
  /^```cpp$/ { ++n; file = at "/" n ".cpp"; next }
  /^```$/ { if (file) close(file); file = ""; expects = 1; next }
  file { print >file; next }
  expects && /^    / { sub(/^    /, ""); print >(at "/" n ".txt"); expects = 0 }
' docs/tutorial.md
steps=$(find "$work" -name '*.cpp' | wc -l)
[ "$steps" = 5 ] || { echo "docs/tutorial.md has $steps programs, expected 5"; exit 1; }
for ((step = 1; step <= steps; ++step)); do
  "$1" -std=c++20 -O0 -Wall -Wextra -Icore -Ialgorithms "$work/$step.cpp" -o "$work/step" -ltbb
  printed=$("$work/step" | sed 's/ *$//')
  [ "$printed" = "$(cat "$work/$step.txt")" ] || { echo "step $step printed: $printed"; echo "expected:       $(cat "$work/$step.txt")"; exit 1; }
done
echo "$steps programs print what docs/tutorial.md says"
