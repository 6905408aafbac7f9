#!/usr/bin/env bash
# Every header compiles alone: .hpp with any C++20 compiler, .cuh with nvcc (where it is), to PTX: its own errors
# and warnings, of host code too, without what g++ would say of that.
#   tests/headers.sh COMPILER hpp|cuh [user]
# With "user" those alone that a user's code includes: the others are no less checked, but by whoever changes them.
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=$1 kind=$2

compile_alone() {
  local root=$1 header=$2 compiler=$3 name
  name=${header#"$root"/}
  case "$header" in
    *.hpp) echo "#include <$name>" | "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror -Icore -Ialgorithms -fsyntax-only -x c++ - ;;
    *.cuh) f=$(mktemp --suffix=.cu) && echo "#include <$name>" >"$f" &&
           "$compiler" -std=c++20 -arch=sm_90 -Werror all-warnings -Icore -Ialgorithms -ptx -o /dev/null "$f" && rm -f "$f" ;;
  esac || { echo "does not compile alone: $header"; return 1; }
}
export -f compile_alone

list=$(find core $(ls -d algorithms 2>/dev/null) -name "*.$kind" | sort)  # algorithms/ may not be there yet
if [ "${3:-}" = user ]; then list=$(grep -E '^(core|algorithms)/lookback/((cpu|gpu)/)?[^/]*$' <<<"$list"); fi
[ -n "$list" ] || { echo "no .$kind headers"; exit 1; }
echo "$list" | xargs -P "$(nproc)" -I{} bash -c 'compile_alone "$(echo {} | cut -d/ -f1)" {} "$0"' "$compiler"
echo "$(echo "$list" | wc -l) .$kind headers compile alone"
