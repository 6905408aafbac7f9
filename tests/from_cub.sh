#!/usr/bin/env bash
# The right column of docs/from_cub.md compiles, as it stands, and runs.
#   tests/from_cub.sh COMPILER
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=$(grep -E '^\| .*`\) *\|$|^\| .*\)` \|$' docs/from_cub.md | sed -E 's/.*\| `(.*)` \|$/\1/')
number=$(wc -l <<<"$rows")
[ "$number" -ge 25 ] || { echo "only $number calls were found in docs/from_cub.md"; exit 1; }
{
  for header in cpu partition_if quicksort radix_sort reduce_by_key run_length_decode run_length_encode scan segmented_scan select_if split_by spmv unique; do
    echo "#include <lookback/$header.hpp>"
  done
  cat <<'CPP'
#include <vector>
using namespace lookback;
template <class T> using array = std::vector<T>;
int main() {
  auto const on = cpu::on(2);
  auto const larger = [](int a, int b) { return a < b ? b : a; };
  auto const nearer = [](int a, int b) { return (a < 0 ? -a : a) < (b < 0 ? -b : b); };
  auto const square = [](int x) { return x * x; };
  auto const odd = [](int x) { return x % 2 != 0; };
  auto const third = [](int x) { return static_cast<int>(static_cast<unsigned>(x) % 3); };
  auto const place = [](index_t i) { return static_cast<int>(i); };
  index_t const n = 6, rows = 2, columns = 6;
CPP
  while read -r call; do
    cat <<'CPP'
  {
    array<int> in{3, 1, 4, 1, 5, 9}, out(6), rest(6), keys{0, 0, 1, 1, 1, 2}, values{1, 2, 3, 4, 5, 6}, lengths(6), places{0, 1, 2, 3, 4, 5}, twice(6, 2), both(12), totals(2);
    array<unsigned> words{3, 1, 4};
    array<unsigned char> flags{1, 0, 1, 0, 0, 1};
    array<int> begins{0, 2, 6};
    array<index_t> starts(4);
CPP
    echo "    $call;"
    echo "  }"
  done <<<"$rows"
  echo "}"
} >"$work/calls.cpp"
"$1" -std=c++20 -O0 -Icore -Ialgorithms "$work/calls.cpp" -o "$work/calls" -ltbb
"$work/calls"
echo "$number calls compile and run"
