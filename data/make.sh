#!/usr/bin/env bash
# Makes the generated files of this folder anew, byte for byte: data/make.sh path/to/lookback
set -euo pipefail
lookback=$(realpath "${1:?path of the program}")
cd "$(dirname "$0")"
"$lookback" gen uniform --dtype f32 --n 16384 --seed 11 -o readings.npy
for form in heads:flags: bits:bits: offsets:offsets:i32 keys:keys:u16; do
  IFS=: read -r name description type <<<"$form"
  "$lookback" gen segments --form "$description" ${type:+--dtype "$type"} --n 16384 --mean 24 --power 2.5 --seed 12 -o "readings.$name.npy"
done
"$lookback" gen runs --dtype u8 --n 16384 --mean 6 --columns 128 --seed 13 -o image.npy
"$lookback" gen entropy --dtype i64 --n 4096 --level 2 --seed 14 -o counters.npy
