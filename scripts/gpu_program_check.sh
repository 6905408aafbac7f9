#!/usr/bin/env bash
# The program on a machine with a GPU: every type and operator, plain and by segments, gives the same file as on the CPU.
#   scripts/gpu_program_check.sh PROGRAM [items]
# Sums and products of floats need not have the same bits: there --validate decides, which allows what rounding may do.
set -uo pipefail
program=$(realpath "$1") n=${2:-3000017}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 70
export program

# one TYPE OP WORDS...: a line for people if it failed.
one() {
  local type=$1 op=$2 to=$BASHPID
  shift 2
  if "$program" scan $type.npy -o $to.gpu.npy --on gpu --op $op "$@" --validate --quiet &&
    "$program" scan $type.npy -o $to.cpu.npy --on cpu --op $op "$@" --quiet &&
    { [[ $type$op == f??plus || $type$op == f??multiplies ]] || cmp $to.gpu.npy $to.cpu.npy; }; then
    echo "passed"
  else
    echo "FAILED   $type $op $*"
  fi
  rm -f $to.gpu.npy $to.cpu.npy
}
export -f one

"$program" gen segments --mean 37 --form flags --n "$n" -o heads.npy --quiet || exit 70
for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
  range=""
  if [ $type = f32 ] || [ $type = f64 ]; then range="--low -1 --high 1"; fi
  # shellcheck disable=SC2086  # several words
  "$program" gen uniform --dtype $type --n "$n" $range -o $type.npy --quiet || exit 70
  for op in plus multiplies min max and or xor; do
    case $type$op in f??and | f??or | f??xor) continue ;; esac
    if [[ "i32plus i32max f32plus f32max f64plus f64max" == *$type$op* ]]; then echo "$type $op --strategy reduce-then-scan"; fi
    for how in "" "--exclusive" "--exclusive --init 3" "--reverse --init 3" "--heads heads.npy --init 3" "--heads heads.npy --exclusive --reverse"; do echo "$type $op${how:+ $how}"; done
  done
done >jobs
# What only order and signs show: 0, -0, -1, 1, -inf, inf, NaN, 2. Rows of one item are the items.
printf '\0\0\0\0\0\0\0\x80\0\0\x80\xbf\0\0\x80\x3f\0\0\x80\xff\0\0\x80\x7f\0\0\xc0\x7f\0\0\0\x40' >special
for type in f32 f64; do
  "$program" scan special --dtype f32 --as $type --row-length 1 -o ${type}_special.npy --on cpu --quiet || exit 70
  for op in min max; do
    for how in "" "--exclusive" "--reverse" "--row-length 3" "--row-length 3 --exclusive --reverse"; do echo "${type}_special $op${how:+ $how}"; done
  done
done >>jobs
xargs -P "${JOBS:-8}" -L 1 bash -c 'one "$@"' one <jobs >results
grep -v '^passed$' results
passed=$(grep -c '^passed$' results)
echo "program: $passed of $(wc -l <jobs) passed"
[ "$passed" = "$(wc -l <jobs)" ]
