#!/usr/bin/env bash
# A wrong call is refused by the compiler in one sentence, where it was made; what is right compiles.
#   tests/wrong_calls/run.sh COMPILER FILE [ARGUMENTS OF THE COMPILER]
# With nvcc also: without C++20, and for a device that is too old, one sentence says so. 77: there is no such compiler.
set -uo pipefail
cd "$(dirname "$0")/../.."
compiler=$1 file=tests/wrong_calls/$2
shift 2
command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; exit 77; }
case $(basename "$compiler") in
  nvcc) all=(-c -o /dev/null) front_end=(--cuda -o /dev/null) ;;  # what is right is seen by the host's compiler too
  *) all=(-fsyntax-only) front_end=(-fsyntax-only) ;;
esac
# What every call includes is read once: that is most of the time. nvcc would not know how.
prefix=()
if [ "$(basename "$compiler")" != nvcc ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  grep '^#include' "$file" >"$folder/prefix.hpp"
  if "$compiler" -Icore -Ialgorithms "$@" -x c++-header "$folder/prefix.hpp" -o "$folder/prefix.hpp.gch"; then prefix=(-include "$folder/prefix.hpp"); fi
fi
compile() { "$compiler" -Icore -Ialgorithms "${prefix[@]}" "$@" "$file" 2>&1; }
failed=0 tried=0
refuse() {  # SENTENCE ERRORS_AT_MOST ARGUMENTS...
  local sentence=$1 most=$2 said errors
  shift 2
  tried=$((tried + 1))
  if said=$(compile "${front_end[@]}" "$@"); then echo "compiles, but should not: $*"; failed=1; return; fi
  errors=$(grep -cE '(^|[ :])(fatal )?error( #[0-9]+(-D)?)?:' <<<"$said")
  if ! grep -qF -- "$sentence" <<<"$said"; then echo "$*: does not say \"$sentence\":"; head -20 <<<"$said"; failed=1
  elif [ "$errors" -gt "$most" ]; then echo "$*: $errors errors, at most $most expected"; grep -E 'error' <<<"$said" | head; failed=1
  else echo "refused with $errors errors: $sentence"; fi
}

if ! said=$(compile "${all[@]}" "$@"); then echo "what is right does not compile:"; head -40 <<<"$said"; exit 1; fi
while IFS= read -r line; do
  number=$(sed -E 's/^#(el)?if WRONG_CALL == ([0-9]+) .*/\2/' <<<"$line")
  refuse "$(sed -E 's/.*[0-9] +\/\/ //' <<<"$line")" 4 "$@" -DWRONG_CALL="$number"
done < <(grep -E '^#(el)?if WRONG_CALL == [0-9]+ +// ' "$file")
there=$(grep -cE 'if WRONG_CALL ==' "$file")
if [ "$tried" != "$there" ]; then echo "$tried of $there wrong calls were tried"; failed=1; fi
if [ "$(basename "$compiler")" = nvcc ]; then
  refuse "compile with -std=c++20" 1 "${@/-std=c++20/-std=c++17}"
  refuse "compile with -arch=sm_80" 1 "${@/-arch=sm_*/-arch=sm_75}"
fi
exit $failed
