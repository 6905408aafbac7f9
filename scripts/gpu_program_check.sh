#!/usr/bin/env bash
# The program on a machine with a GPU: scans of every type and operator, plain and by segments, every form of the other commands
# that it has there, and every strategy of the program, give the same files as on the CPU; comparisons with cuSPARSE name all of it.
#   scripts/gpu_program_check.sh PROGRAM [items]
# Sums and products of floats need not have the same bits, unless --reproducible promises them: there --validate decides, which
# allows what rounding may do.
set -uo pipefail
program=$(realpath "$1") n=${2:-3000017}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 70
export program

# on_cpu WORDS...: by the default strategy, because not every strategy of the GPU has a form there.
on_cpu() {
  local words=()
  while [ $# -gt 0 ]; do
    if [ "$1" = --strategy ]; then shift 2; else words+=("$1") && shift; fi
  done
  "$program" "${words[@]}" --on cpu --quiet
}

# one TYPE OP WORDS...: a scan; a line for people if it failed.
one() {
  local type=$1 op=$2 to=$BASHPID
  shift 2
  if "$program" scan $type.npy -o $to.gpu.npy --on gpu --op $op "$@" --validate --quiet &&
    on_cpu scan $type.npy -o $to.cpu.npy --op $op "$@" &&
    { [[ ($type$op == f??plus || $type$op == f??multiplies) && $* != *--reproducible* ]] || cmp $to.gpu.npy $to.cpu.npy; }; then
    echo "passed"
  else
    echo "FAILED   $type $op $*"
  fi
  rm -f $to.gpu.npy $to.cpu.npy
}

# equal_files TO: those of both runs, but for what is called near, which need not have the same bits.
equal_files() {
  local made
  for made in "$1".gpu.*; do
    [[ $made == *near* ]] || cmp "$made" "$1.cpu.${made#"$1.gpu."}" || return 1
  done
}
# same WORDS...: any command, with @ before the names of its outputs.
same() {
  local to=$BASHPID
  if "$program" "${@//@/$to.gpu.}" --on gpu --validate --quiet && on_cpu "${@//@/$to.cpu.}" && equal_files $to; then
    echo passed
  else
    echo "FAILED   $*"
  fi
  rm -f "$to".*
}
# chunked WORDS...: read, run and written in small chunks on the GPU; in one piece on the CPU, as whoever repeats runs it.
chunked() { by_parts '"chunks": *[0-9][0-9]' --validate cpu "$@"; }
# moved WORDS...: in one piece, but read while it is brought to the GPU and written while it comes back, in small parts; beside it the
# GPU in one piece, whose floats have the same bits.
moved() { by_parts '"bringing_seconds"' --threads=3 gpu "$@"; }
by_parts() {
  local said=$1 more=$2 where=$3 to=$BASHPID
  shift 3
  if "$program" "${@//@/$to.gpu.}" --on gpu --memory 100k $more --json $to.json 2>$to.said && grep -q "$said" $to.json &&
    "$program" "${@//@/$to.cpu.}" --on $where --repeat 2 --quiet && equal_files $to; then
    echo passed
  else
    echo "FAILED   by parts $*"
    cat $to.said
  fi
  rm -f "$to".*
}
# valid WORDS...: the same where the CPU need not have a form: against the reference alone.
valid() {
  local to=$BASHPID
  if "$program" "${@//@/$to.}" --on gpu --validate --quiet; then echo passed; else echo "FAILED   $*"; fi
  rm -f "$to".*
}
# peers NAMES WORDS...: a comparison in which everybody is right; NAMES take part, with commas between, _ for a blank and ~ for _.
peers() {
  local said=$BASHPID.said names=$1 name result=passed
  shift
  "$program" compare "$@" --on gpu --repeat 1 --validate 2>$said || result=FAILED
  for name in ${names//,/ }; do
    name=${name//_/ }
    grep -q "^${name//\~/_} " $said || result=FAILED
  done
  if grep -q differs $said; then result=FAILED; fi
  if [ $result = passed ]; then echo passed; else echo "FAILED   $names $*"; cat $said; fi
  rm -f $said
}
# planned WHAT WORDS...: a comparison of products in which the plan says WHAT, with ~ for a blank, and everybody is right.
planned() {
  local said=$BASHPID.said what=$1
  shift
  if "$program" compare spmv "$@" --on gpu --repeat 1 --validate 2>$said && ! grep -q differs $said &&
    grep -q '^lookback planned  ' $said && grep '^lookback planned:' $said | grep -qF "${what//\~/ }"; then
    echo passed
  else
    echo "FAILED   planned $what $*"
    cat $said
  fi
  rm -f $said
}
# refused WHY WORDS...: what this back end has no form for says so, with ~ for a blank, exits with 69 and stores nothing.
refused() {
  local why=${1//\~/ } to=$BASHPID.refused said=$BASHPID.why
  shift
  "$program" "${@//@/$to.}" --on gpu --quiet 2>$said
  if [ $? = 69 ] && grep -qF "$why" $said && ! ls $to.* >/dev/null 2>&1; then echo passed; else echo "FAILED   $*"; fi
  rm -f $to.* $said
}
# tuned WORDS...: every configuration that lookback_tunings has of a command is right.
tuned() {
  local said=$BASHPID.said
  if "$program" tune "$@" --on gpu --maps --validate --dry-run 2>$said && grep -q 'by threads (down) and items a thread (across)' $said; then
    echo passed
  else
    echo "FAILED   tune $*"
    cat $said
  fi
  rm -f $said
}
# by_tuning SIZES COMMAND MANNER TYPE WORDS...: a run takes what the file of tunings says of it.
by_tuning() {
  local sizes=${1//\~/ } command=${2//\~/ } manner=${3//\~/ } type=$4 to=$BASHPID device version
  shift 4
  device=$("$program" info 2>&1 | sed -n 's/^gpu 0 *\([^,]*\),.*/\1/p') version=$("$program" --version)
  printf '[gpu]\ndevice = %s\nversion = %s\ncommand = %s\nmanner = %s\ntype = %s\nitems = %d\n' "$device" "$version" "$command" "$manner" "$type" "$n" >$to.ini
  # shellcheck disable=SC2086  # several words
  set -- "$@" && printf 'threads = %d\nbytes_per_thread = %d\nslots = %d\nblocks = %d\nnetwork = %s\nloads = %s\n' $sizes >>$to.ini
  if LOOKBACK_TUNINGS=$to.ini "$program" "${@//@/$to.gpu.}" --on gpu --repeat 2 --validate 2>$to.said && grep -q 'tuned: gpu::tuning<' $to.said &&
    on_cpu "${@//@/$to.cpu.}" && equal_files $to; then
    echo passed
  else
    echo "FAILED   by_tuning $sizes $*"
    cat $to.said $to.ini
  fi
  rm -f "$to".*
}
export -f on_cpu one equal_files same by_parts chunked moved valid peers planned refused tuned by_tuning
export n LOOKBACK_TUNINGS=$folder/tunings.ini  # not those of whoever runs this

# Strategies that are there to be compared: what the GPU has of them for i32, f32 and f64, plus and max.
compared="chained auxiliary-block reduce-then-scan immediate-look-back sequential-look-back wide-look-back fenced-look-back"
of_scans="scan-then-propagate"  # those that need every value of a scan stored
of_heads="fast-tracked-look-back lifted lifted-reduce-then-scan"  # those that are for segments alone
# strategies_of COMMAND...
strategies_of() {
  case "$*" in
    scan*--heads*) echo "$compared $of_heads $of_scans" ;;
    scan*) echo "$compared $of_scans" ;;
    spmv*) echo "${compared/ wide-look-back/}" ;;  # one warp looks back along the merge path
    *) echo "$compared" ;;
  esac
}
# by_each JOB...: a line for the same job, which is no scan, under each of them.
by_each() { local how job="$*"; for how in $(strategies_of "${job#* }"); do echo "$job --strategy $how"; done; }

"$program" gen segments --mean 37 --form flags --n "$n" -o heads.npy --quiet || exit 70
"$program" gen segments --mean 37 --form bits --n "$n" -o bits --quiet || exit 70
for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
  range=""
  if [ $type = f32 ] || [ $type = f64 ]; then range="--low -1 --high 1"; fi
  # shellcheck disable=SC2086  # several words
  "$program" gen uniform --dtype $type --n "$n" $range -o $type.npy --quiet || exit 70
  for op in plus multiplies min max and or xor; do
    case $type$op in f??and | f??or | f??xor) continue ;; esac
    if [[ "i32plus i32max f32plus f32max f64plus f64max" == *$type$op* ]]; then
      for form in "" "--exclusive --init 3" "--reverse" "--heads heads.npy --init 3" "--heads heads.npy --exclusive --reverse"; do
        for how in $(strategies_of scan "$form"); do echo "one $type $op --strategy $how${form:+ $form}"; done
      done
    fi
    for how in "" "--exclusive" "--exclusive --init 3" "--reverse --init 3" "--heads heads.npy --init 3" "--heads heads.npy --exclusive --reverse"; do echo "one $type $op${how:+ $how}"; done
  done
  case $type in f??)
    for op in plus multiplies min max; do
      for how in "" "--exclusive --init 3" "--reverse" "--heads heads.npy --reverse --exclusive" "--heads heads.npy --init 3"; do
        echo "one $type $op --reproducible${how:+ $how}"
      done
    done ;;
  esac
done >jobs
# What only order and signs show: 0, -0, -1, 1, -inf, inf, NaN, 2. Rows of one item are the items.
printf '\0\0\0\0\0\0\0\x80\0\0\x80\xbf\0\0\x80\x3f\0\0\x80\xff\0\0\x80\x7f\0\0\xc0\x7f\0\0\0\x40' >special
for type in f32 f64; do
  "$program" scan special --dtype f32 --as $type --row-length 1 -o ${type}_special.npy --on cpu --quiet || exit 70
  for op in min max; do
    for how in "" "--exclusive" "--reverse" "--row-length 3" "--row-length 3 --exclusive --reverse"; do echo "one ${type}_special $op${how:+ $how}"; done
  done
done >>jobs

# select, unique, rle encode, reduce-by-key: every type where the type is a run-time value, every form where it is code.
between() {
  case $1 in
    i8) echo "-50 70" ;; i16) echo "-9000 12000" ;; i32) echo "-1000000000 900000000" ;; i64) echo "-4000000000000000000 3000000000000000000" ;;
    u8) echo "40 200" ;; u16) echo "10000 50000" ;; u32) echo "1000000000 3000000000" ;; u64) echo "5000000000000000000 15000000000000000000" ;;
    *) echo "-0.5 0.25" ;;
  esac
}
for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do  # 2^20 + 3 items
  "$program" gen runs --dtype $type --n 1048579 --mean 7 --seed 5 -o runs_$type.npy --quiet || exit 70
  # Other values, whose runs are others: few in a row, so that a run of keys has several.
  "$program" gen runs --dtype $type --n 1048579 --mean 2 --seed 6 -o values_$type.npy --quiet || exit 70
  for few in 0 1; do
    head -c $((few * 8)) /dev/zero >zeros
    "$program" scan zeros --dtype f64 --as $type -o ${few}_$type.npy --on cpu --quiet || exit 70
  done
done
"$program" gen uniform --dtype u32 --n 100000 -o few_u32.npy --quiet || exit 70
"$program" gen segments --form offsets --mean 20 --n 1048579 -o short_offsets.npy --quiet || exit 70
"$program" gen segments --form offsets --mean 30000 --n 1048579 -o long_offsets.npy --quiet || exit 70
{ echo ">one"; head -c 600000 u8.npy | tr '\0-\77' A | tr '\100-\177' C | tr '\200-\277' G | tr '\300-\377' T | fold -w 70; } >genome.fa
awk 'BEGIN { srand(8); print "word,number,real"
  for (i = 0; i < 200000; ++i)
    printf i % 7 ? "\"shared, long %d\",%d,%.3g\n" : "w%d,%d,%.3g\n", rand() * 5000, rand() * 2000 - 1000, rand() * 50 - 25 }' >table.csv
# Jobs of the library lookback_tunings.
tuned_jobs() {
  local type low high
  for type in i32 u32 f32 f64; do echo "tuned scan $type.npy"; done
  echo "tuned scan i32.npy --reverse --exclusive"
  echo "tuned scan f64.npy --init 3"
  for type in i32 u32 f32; do
    read -r low high < <(between $type)
    echo "tuned select $type.npy --between $low $high"
    echo "tuned rle encode runs_$type.npy"
    echo "tuned reduce-by-key $([ $type = f32 ] && echo i32 || echo runs_$type).npy $([ $type = f32 ] && echo f32 || echo values_f32).npy"
  done
  echo "by_tuning 256~112~3~2~kogge_stone~by_copy_engine scan inclusive~plus i32 scan i32.npy -o @sums.npy"
  echo "by_tuning 320~64~3~3~kogge_stone~by_copy_engine select below u32 select u32.npy --below 2000000000 -o @kept.npy"
}
# Lengths for as many runs as there are values, 0 among them, and one long run.
"$program" gen uniform --dtype u8 --n 1048579 --low 0 --high 20 --seed 7 -o short_lengths.npy --quiet || exit 70
printf '\x40\x42\x0f\0\0\0\0\0' >one_length && "$program" scan one_length --dtype i64 -o one_length.npy --on cpu --quiet || exit 70
{
  for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
    read -r low high < <(between $type)
    echo "same select $type.npy --between $low $high --in-place -o @kept.npy"
    echo "same select $type.npy --above $low --rejected @rejected.npy -o @kept.npy"
  done
  for type in u8 i32 f32 f64; do
    read -r low high < <(between $type)
    echo "same select $type.npy --below $high -o @kept.npy"
  done
  for type in u8 i16 f32 i64; do
    echo "same select $type.npy --flags heads.npy --in-place -o @kept.npy"
    echo "same select $type.npy --flags u8.npy --rejected @rejected.npy -o @kept.npy"
  done
  for type in i32 f32 f64; do
    read -r low high < <(between $type)
    for form in "--below $high" "--between $low $high --in-place" "--above $low --rejected @rejected.npy" "--flags heads.npy" \
      "--flags u8.npy --rejected @rejected.npy"; do
      by_each "same select $type.npy $form -o @kept.npy"
    done
    by_each "same unique runs_$type.npy -o @firsts.npy"
    by_each "same unique runs_$type.npy -o @firsts.npy --counts @counts.npy"
    by_each "same rle encode runs_$type.npy -o @firsts.npy --lengths @lengths.npy"
    by_each "same unique $type.npy -o @firsts.npy"
  done
  for few in 0 1; do
    by_each "same select ${few}_i32.npy --below 1 --rejected @rejected.npy -o @kept.npy"
    by_each "same unique ${few}_f64.npy -o @firsts.npy --counts @counts.npy"
    by_each "same reduce-by-key ${few}_i32.npy ${few}_f32.npy -o @keys.npy --values-out @values.npy"
  done
  if [ -f "$(dirname "$program")/liblookback_tunings.so" ]; then tuned_jobs; else echo "not run: what the tuner tries, without liblookback_tunings.so" >&2; fi
  echo "same select u8.npy --equal 77 -o @kept.npy"
  echo "same select f32.npy --equal 7 --in-place -o @kept.npy"
  echo "same select i32.npy --below -2147483648 --rejected @rejected.npy -o @kept.npy"
  echo "same select f64.npy --below inf --rejected @rejected.npy -o @kept.npy"
  echo "same select u16.npy --between 9 8 --in-place -o @kept.npy"
  for type in u8 i16 i32 i64 f32 f64; do
    echo "same unique runs_$type.npy -o @firsts.npy"
    echo "same rle encode runs_$type.npy -o @firsts.npy --lengths @lengths.npy"
  done
  for type in u8 i16 f32 u64; do echo "same rle decode values_$type.npy --lengths short_lengths.npy -o @items.npy"; done
  echo "same rle decode 1_u8.npy --lengths one_length.npy -o @items.npy"
  echo "same rle decode 0_i32.npy --lengths 0_u8.npy -o @items.npy"
  for type in i32 f32 f64; do echo "same unique runs_$type.npy -o @firsts.npy --counts @counts.npy"; done
  echo "same unique i32.npy -o @firsts.npy"
  # The same in chunks: what is cut at any place, and floats where promised bits let it be compared.
  for type in i8 u16 i32 u64; do
    for how in "" "--exclusive --init 3" "--reverse" "--heads heads.npy" "--heads heads.npy --exclusive --reverse" "--row-length 37" "--head-bits bits" "--row-length 4099 --reverse --exclusive"; do
      echo "chunked scan $type.npy -o @sums.npy${how:+ $how}"
    done
    for how in "--keys runs_f32.npy --exclusive" "--keys runs_$type.npy --reverse" "--offsets short_offsets.npy --init 3" "--offsets long_offsets.npy --reverse --exclusive"; do
      echo "chunked scan values_$type.npy -o @sums.npy $how"
    done
    echo "chunked scan $type.npy --op max -o @most.npy --heads heads.npy --init 3"
  done
  for type in f32 f64; do
    for how in "" "--exclusive --init 3" "--reverse" "--heads heads.npy"; do
      echo "chunked scan $type.npy --reproducible -o @sums.npy${how:+ $how}"
      echo "chunked scan $type.npy --op min -o @least.npy${how:+ $how}"
    done
  done
  for type in u8 i16 i32 f32 i64 f64; do
    read -r low high < <(between $type)
    echo "chunked select $type.npy --between $low $high -o @kept.npy"
    echo "chunked select $type.npy --above $low --rejected @rejected.npy -o @kept.npy"
    echo "chunked select $type.npy --flags heads.npy -o @kept.npy"
    for of in runs_$type $type; do
      echo "chunked unique $of.npy -o @firsts.npy"
      echo "chunked unique $of.npy -o @firsts.npy --counts @counts.npy"
      echo "chunked rle encode $of.npy -o @firsts.npy --lengths @lengths.npy"
    done
    for op in min plus; do
      echo "chunked reduce-by-key runs_$type.npy values_$type.npy --op $op -o @keys.npy --values-out @$([[ $type$op == f??plus ]] && echo near || echo values).npy"
    done
    echo "chunked reduce-by-key $type.npy $type.npy --op max -o @keys.npy --values-out @values.npy"
    echo "chunked reduce-by-key runs_$type.npy values_i64.npy -o @keys.npy --values-out @values.npy"
    echo "chunked rle decode values_$type.npy --lengths short_lengths.npy -o @items.npy"
  done
  for type in u8 i16 i32 f32 u64; do
    read -r low high < <(between $type)
    echo "moved select $type.npy --between $low $high --in-place -o @kept.npy"
    echo "moved sort $type.npy -o @sorted.npy"
    echo "moved sort $type.npy --descending --indices-out @order.npy"
    echo "moved sort runs_$type.npy --values values_i64.npy -o @sorted.npy --values-out @values.npy"
    echo "moved quicksort $type.npy -o @sorted.npy"
    echo "moved sort runs_$type.npy --offsets short_offsets.npy --values values_u8.npy -o @sorted.npy --values-out @values.npy"
  done
  echo "moved scan i32.npy --strategy chained --op max -o @most.npy"
  echo "moved reduce-by-key runs_i32.npy values_f32.npy --reproducible -o @keys.npy --values-out @values.npy"
  # sort: every type alone, with values of every width, and its order; then what options make of it. kmers.
  for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
    echo "same sort $type.npy -o @sorted.npy"
    echo "same sort runs_$type.npy --indices-out @order.npy --descending"
    for value in u8 i16 f32 i64; do
      echo "same sort runs_$type.npy --values values_$value.npy --values-out @values.npy -o @sorted.npy --indices-out @order.npy"
    done
    echo "same sort runs_$type.npy --bits 2,7 --descending --nan-first -o @sorted.npy"
  done
  for type in f32 f64; do
    for how in "" "--descending" "--nan-first" "--nan-first --descending"; do
      echo "same sort ${type}_special.npy -o @sorted.npy${how:+ $how}"
      echo "same sort ${type}_special.npy -o @sorted.npy --indices-out @order.npy${how:+ $how}"
    done
  done
  for few in 0 1; do echo "same sort ${few}_u32.npy -o @sorted.npy --indices-out @order.npy"; done
  echo "same sort few_u32.npy -o @sorted.npy --strategy textbook"
  for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
    for at in short_offsets long_offsets; do
      echo "valid sort runs_$type.npy -o @sorted.npy --offsets $at.npy"
      echo "valid sort values_$type.npy -o @sorted.npy --values runs_i16.npy --values-out @values.npy --offsets $at.npy --descending"
      echo "valid sort values_$type.npy -o @sorted.npy --indices-out @order.npy --bits 1,7 --offsets $at.npy"
    done
  done
  # quicksort: every type in every order, alone, with values and by segments; the textbook's form.
  for type in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64; do
    for how in "" "--descending" "--by-magnitude"; do
      echo "same quicksort $type.npy -o @sorted.npy${how:+ $how}"
      echo "same quicksort runs_$type.npy --values values_u8.npy --values-out @values.npy -o @sorted.npy${how:+ $how}"
      echo "same quicksort runs_$type.npy --values values_i64.npy --values-out @values.npy -o @sorted.npy${how:+ $how}"
      echo "valid quicksort values_$type.npy -o @sorted.npy --values runs_i16.npy --values-out @values.npy --offsets short_offsets.npy${how:+ $how}"
    done
    echo "valid quicksort runs_$type.npy -o @sorted.npy --offsets long_offsets.npy --unstable"
    echo "valid quicksort $type.npy -o @sorted.npy --unstable"
  done
  for type in f32 f64; do
    for how in "" "--descending" "--by-magnitude"; do echo "same quicksort ${type}_special.npy -o @sorted.npy${how:+ $how}"; done
  done
  for few in 0 1; do echo "same quicksort ${few}_u32.npy -o @sorted.npy"; done
  echo "same quicksort few_u32.npy -o @sorted.npy --strategy textbook"
  for how in "" "--unique" "--count"; do
    echo "same sort-lines genome.fa -o @lines.txt${how:+ $how}"
    echo "valid sort-lines i16.npy -o @lines.txt${how:+ $how}"
  done
  for how in "" "--descending"; do
    for by in number "real,word" "word,number"; do echo "valid sort-table table.csv --by $by -o @table.csv${how:+ $how}"; done
  done
  for k in 1 12 31; do echo "same kmers genome.fa -k $k --top 1000 -o @table.csv"; done
  echo "same rle encode u8.npy -o @firsts.npy --lengths @lengths.npy"
  reduced() { echo "same reduce-by-key runs_$1.npy values_$2.npy --op $3 -o @keys.npy --values-out @${4:-values}.npy"; }
  for keys in u8 i16 i32 u64 f32 f64; do reduced $keys i32 max; done
  for keys in i32 u64; do
    for type in i32 i64; do reduced $keys $type plus; done
    for type in f32 f64; do reduced $keys $type plus near; done
  done
  for keys in i32 i64 f64; do
    by_each "$(reduced $keys i32 plus)"
    by_each "$(reduced $keys i32 max)"
    for type in f32 f64; do
      by_each "$(reduced $keys $type plus near)"
      by_each "$(reduced $keys $type max)"
    done
  done
  for how in "i32 f32 plus" "u8 f64 multiplies" "f32 f32 max"; do
    read -r keys type op <<<"$how"
    echo "same reduce-by-key runs_$keys.npy values_$type.npy --op $op --reproducible -o @keys.npy --values-out @$([ $op = max ] && echo values || echo near).npy"
  done
  for op in plus multiplies min max and or xor; do reduced u16 i8 $op; done
  for op in plus min or; do reduced i32 u16 $op; done
  for op in plus multiplies min or xor; do reduced u8 i32 $op; done
  for op in plus and max; do reduced f32 u64 $op; done
  for type in f32 f64; do
    for op in min max; do reduced i32 $type $op; done
    for op in plus multiplies; do reduced u8 $type $op near; done
    for how in "--below 0" "--above -0.0" "--equal 0 --rejected @rejected.npy" "--between -inf 2"; do
      echo "same select ${type}_special.npy $how -o @kept.npy"
    done
    echo "same unique ${type}_special.npy -o @firsts.npy --counts @counts.npy"
    echo "same rle encode ${type}_special.npy -o @firsts.npy --lengths @lengths.npy"
    echo "same reduce-by-key ${type}_special.npy ${type}_special.npy --op max -o @keys.npy --values-out @values.npy"
  done
  for few in 0 1; do
    echo "same select ${few}_i32.npy --below 1 --rejected @rejected.npy -o @kept.npy"
    echo "same select ${few}_f32.npy --flags ${few}_u8.npy --rejected @rejected.npy -o @kept.npy"
    echo "same select ${few}_u8.npy --above 5 --in-place -o @kept.npy"
    echo "same unique ${few}_f64.npy -o @firsts.npy"
    echo "same rle encode ${few}_i16.npy -o @firsts.npy --lengths @lengths.npy"
    echo "same reduce-by-key ${few}_i32.npy ${few}_f32.npy -o @keys.npy --values-out @values.npy"
    echo "same reduce-by-key ${few}_f32.npy ${few}_u8.npy --op or -o @keys.npy --values-out @values.npy"
  done
} >>jobs
# Sparse products and ranks: every type and both forms, rows of all kinds, matrices with little in them; all of cuSPARSE beside them.
for type in i32 i64 f32 f64; do
  "$program" gen rmat --scale 17 --dtype $type -o rmat_$type.npz --quiet || exit 70
  "$program" gen uniform --n 131072 --dtype $type --low 0 --high 9 --seed 3 -o y_$type.npy --quiet || exit 70
done
"$program" gen rmat --scale 20 --dtype f32 -o wide.npz --quiet || exit 70
"$program" gen uniform --n 1048576 --dtype f32 --low 0 --high 9 --seed 4 -o wide_y.npy --quiet || exit 70
"$program" gen poisson2d --size 1600 --dtype f32 -o wide_grid.npz --quiet || exit 70
"$program" gen poisson2d --size 1000 -o grid.npz --quiet || exit 70
"$program" gen dense-row --size 64 --dtype f32 -o long.npz --quiet || exit 70
"$program" gen empty-rows --rows 1000003 --dtype i64 -o empty.npz --quiet || exit 70
awk 'BEGIN { print "%%MatrixMarket matrix coordinate complex hermitian"; print 3000, 3000, 8998; for (i = 1; i <= 3000; ++i) { print i, i, i % 7, 0; if (i > 1) print i, i - 1, 1, i % 5; if (i > 2) print i, i - 2, 0.5, -1; if (i == 3000) print i, 1, 3, 4 } }' >complex.mtx
awk 'BEGIN { print "%%MatrixMarket matrix array complex general"; print 3000, 1; for (i = 1; i <= 3000; ++i) print i, -i / 8 }' >y_complex.mtx
for size in "0 0 0" "5 0 0" "0 5 0" "1000 7 0"; do
  printf '%%%%MatrixMarket matrix coordinate real general\n%s\n' "$size" >"none_${size// /_}.mtx"
done
all_of_cusparse=""
for algorithm in CSR_ALG1 CSR_ALG2 COO_ALG1 COO_ALG2; do all_of_cusparse+=cuSPARSE_${algorithm/_/\~},cuSPARSE_${algorithm/_/\~}_preprocessed,; done
{
  for type in i32 i64; do
    echo "same spmv rmat_$type.npz -o @y.npy"
    echo "same spmv rmat_$type.npz --alpha -3 --beta 5 -y y_$type.npy -o @y.npy"
  done
  for type in i32 i64; do
    echo "chunked spmv rmat_$type.npz -o @y.npy"
    echo "chunked spmv rmat_$type.npz --alpha -3 --beta 5 -y y_$type.npy -o @y.npy"
  done
  echo "chunked spmv rmat_f64.npz -o @near.npy"
  echo "chunked spmv empty.npz -o @y.npy"
  echo "moved spmv rmat_f32.npz --reproducible -o @y.npy"
  echo "same spmv empty.npz -o @y.npy"
  for type in f32 f64; do
    for how in "" "--alpha 0.5" "--alpha 0.5 --beta -2 -y y_$type.npy" "--beta 1 -y y_$type.npy"; do
      echo "same spmv rmat_$type.npz${how:+ $how} -o @near.npy"
      echo "same spmv rmat_$type.npz${how:+ $how} --reproducible -o @y.npy"
    done
    echo "same spmv long.npz --precision $type --reproducible -o @y.npy"
    echo "same spmv complex.mtx --precision $type -o @near.npy"
    echo "same spmv complex.mtx --precision $type --alpha 1-2i --beta -i -y y_complex.mtx -o @near.npy"
    echo "refused no~reproducible~sums spmv complex.mtx --precision $type --reproducible -o @y.npy"
    echo "same spmv grid.npz --precision $type -o @near.npy"
    echo "peers ${all_of_cusparse}cudaMemcpy spmv rmat_$type.npz"
    echo "peers $all_of_cusparse spmv rmat_$type.npz --alpha 0.5 --beta -2 -y y_$type.npy"
    echo "peers $all_of_cusparse spmv complex.mtx --precision $type"
  done
  for type in f32 f64; do
    echo "planned keeps~x~of wide.npz --precision $type"
    echo "planned keeps~x~of wide.npz --precision $type --alpha 0.5 --beta -2 -y wide_y.npy"
    echo "planned keeps~nothing wide_grid.npz --precision $type"
  done
  for type in f32 f64; do
    by_each "same spmv rmat_$type.npz -o @near.npy"
    by_each "same spmv rmat_$type.npz --alpha 0.5 --beta -2 -y y_$type.npy -o @near.npy"
    by_each "same spmv long.npz --precision $type --alpha 3 -o @near.npy"
    by_each "same spmv none_1000_7_0.mtx --precision $type -o @y.npy"
  done
  echo "same spmv long.npz -o @near.npy"
  echo "peers $all_of_cusparse spmv long.npz"
  for none in none_*.mtx; do echo "same spmv $none -o @y.npy"; done
  echo "same pagerank rmat_f64.npz --unweighted -o @near.npy"
  echo "same pagerank rmat_f64.npz --unweighted --reproducible --damping 0.5 --tolerance 1e-10 -o @ranks.npy"
  echo "same pagerank none_0_0_0.mtx -o @ranks.npy"
  echo "peers lookback_decoupled-look-back pagerank rmat_f64.npz --unweighted"
} >>jobs
# A comparison names all strategies of the GPU; one that it lacks, or lacks for a type or operator, is refused and the others named.
while IFS='|' read -r words outputs lacking; do
  names=lookback_decoupled-look-back
  have=$(strategies_of "$words")
  for how in $have; do names+=,lookback_$how; done
  have=${have%%fenced*}fenced-look-back  # what a command of any kind has comes first
  echo "peers $names $words"
  echo "refused no~sequential~implementation $words $outputs --strategy sequential"
  echo "refused expected~--on~cpu~or~--strategy~decoupled-look-back,~${have// /,~} $words $outputs --strategy sequential"
  for how in $compared $of_scans $of_heads; do echo "refused no~$how~implementation $lacking $outputs --strategy $how"; done
  for how in $of_scans $of_heads; do
    [[ " $(strategies_of "$words") " == *" $how "* ]] || echo "refused no~$how~implementation $words $outputs --strategy $how"
  done
done >>jobs <<'COMMANDS'
scan i32.npy|-o @out.npy|scan i16.npy
scan f64.npy --op max --heads heads.npy|-o @out.npy|scan f64.npy --op min --heads heads.npy
select f32.npy --below 0|-o @out.npy|select u8.npy --below 9
unique runs_i32.npy|-o @out.npy|unique runs_i64.npy
rle encode runs_f64.npy|-o @out.npy --lengths @lengths.npy|rle encode runs_u32.npy
reduce-by-key runs_i32.npy values_f32.npy|-o @out.npy --values-out @values.npy|reduce-by-key runs_i32.npy values_i32.npy --op min
reduce-by-key runs_f64.npy values_i32.npy --op max|-o @out.npy --values-out @values.npy|reduce-by-key runs_f64.npy values_i64.npy --op max
spmv rmat_f32.npz|-o @out.npy|spmv rmat_i32.npz
COMMANDS
xargs -P "${JOBS:-$(($(nproc) * 3 / 2))}" -L 1 bash -c '"$@"' job <jobs >results
grep -v '^passed$' results
passed=$(grep -c '^passed$' results)
echo "program: $passed of $(wc -l <jobs) passed"
[ "$passed" = "$(wc -l <jobs)" ]
