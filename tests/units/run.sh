#!/usr/bin/env bash
# Two units of one program, built for different machines: each runs its own code, in whichever order they are linked. The emulated machine
# knows no AVX-512, so that the wrong code ends there. Exits with 77 (skipped) where it cannot be emulated.
#   tests/units/run.sh COMPILER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
compiler=$1
command -v qemu-x86_64 >/dev/null || { echo "SKIPPED: needs qemu-user"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "SKIPPED: needs an x86-64 machine"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build() { "$compiler" -std=c++20 -O1 "$@" -I"$here/../../core" -I"$here/../../algorithms"; }
build -march=x86-64-v4 -c "$here/v4.cpp" -o "$work/v4.o"
build -march=x86-64 -c "$here/baseline.cpp" -o "$work/baseline.o"
build -march=x86-64 -c "$here/main.cpp" -o "$work/main.o"
for order in "v4.o baseline.o" "baseline.o v4.o"; do
  (cd "$work" && "$compiler" main.o $order -o program -ltbb)
  "$work/program"
  qemu-x86_64 -cpu Haswell "$work/program" 2>"$work/log" || { cat "$work/log"; echo "linked as $order: the unit for any machine ran code of the other"; exit 1; }
done
echo "each unit runs its own code"
