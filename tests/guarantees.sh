#!/usr/bin/env bash
# Every test that docs/guarantees.md names is in the file that it links to, and every link of its table has such a line.
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/guarantees.md wrong=0
while IFS=' ' read -r name file; do
  suite=${name%%.*} test=${name#*.}
  grep -qE "^(TYPED_)?TEST(_F)?\($suite, $test\)" "docs/$file" || { echo "$page: no test $name in docs/$file"; wrong=1; }
done < <(sed -nE 's/^\[([a-z0-9_.]+)\]: (.*)$/\1 \2/p' "$page")
for name in $(grep -oE '\]\[[a-z0-9_.]+\]' "$page" | tr -d '][' | sort -u); do
  grep -qE "^\[${name//./\\.}\]: " "$page" || { echo "$page: [$name] leads nowhere"; wrong=1; }
done
empty=$(grep -cE '^\|.*\| *\|' "$page" || true)
[ "$empty" = 0 ] || { echo "$page: $empty rows with an empty cell"; wrong=1; }
torn=$(grep -cE '^\|.*\]: ' "$page" || true)
[ "$torn" = 0 ] || { echo "$page: a line of the table holds where a link leads"; wrong=1; }
[ "$wrong" = 0 ] && echo "$(grep -cE '^\[' "$page") tests are where $page says"
