#!/usr/bin/env bash
# The library has one conditional, in core/lookback/fn.hpp, and the choice of instruction sets in core/lookback/cpu/simd/.
set -euo pipefail
cd "$(dirname "$0")/.."
roots="core $(ls -d algorithms 2>/dev/null || true)"
found=$(grep -rnE '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif|else)\b' $roots --include='*.hpp' --include='*.cuh' |
        grep -vE '^core/lookback/(fn\.hpp|cpu/simd/[a-z_/0-9]*\.hpp):' || true)
if [ -n "$found" ]; then echo "preprocessor conditionals in the library:"; echo "$found"; exit 1; fi
upwards=$(grep -rnE '#include.*(cpu|gpu)(\.|/)' algorithms --include='*.hpp' 2>/dev/null || true)
if [ -n "$upwards" ]; then echo "algorithms/ includes a back end:"; echo "$upwards"; exit 1; fi
