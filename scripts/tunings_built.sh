#!/usr/bin/env bash
# What the target lookback_tunings has made: how many configurations, and what they cost.
#   scripts/tunings_built.sh BUILD_DIR LIBRARY
set -euo pipefail
build=$1 library=$2
# A configuration has one function of its own, which calls its kernel.
count=$(nm -C "$library" | grep -cE ' [tTwW] (bool )?lookback::dispatch::(\(anonymous namespace\)::)?[a-z]*_by_form<' || true)
# Ninja logs start and end of every command in milliseconds; the last entry of an output counts.
seconds=$(awk -F'\t' '$4 ~ /lookback_tunings\.dir\/.*\.cu\.o$/ { took[$4] = ($2 - $1) / 1000 } END { for (o in took) s += took[o]; printf "%d", s }' "$build/.ninja_log" 2>/dev/null || true)
echo "lookback_tunings: $count configurations, ${seconds:-?} s of compilation, $(($(stat -c %s "$library") / 1000000)) MB"
