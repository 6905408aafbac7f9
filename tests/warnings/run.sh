#!/usr/bin/env bash
# A program that uses every verb is clean under a user's strict warnings, headers included plainly. Exits with 77 (skipped) where the
# compiler is missing.
#   tests/warnings/run.sh COMPILER LEVEL      such as g++ -O2
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v "$1" >/dev/null || { echo "SKIPPED: needs $1"; exit 77; }
"$1" -std=c++20 "$2" -Wall -Wextra -Wconversion -Wsign-conversion -Wold-style-cast -Werror -Icore -Ialgorithms -c tests/warnings/every_verb.cpp -o /dev/null
echo "no warning of $1 $2"
