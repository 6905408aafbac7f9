// The kernels, in the words of packs: read by simd.hpp once for each instruction set, after the packs of that set.
#ifdef LOOKBACK_SIMD
// clang-format off
#include "simd_lanes.hpp"
#include "simd_scan.hpp"
#include "simd_heads.hpp"
#include "simd_tile.hpp"
#include "simd_gather.hpp"
#include "simd_segments.hpp"
#include "simd_rows.hpp"
#include "simd_products.hpp"
#include "simd_joined.hpp"
#include "simd_ends.hpp"
#include "simd_distribute.hpp"
#include "simd_tree.hpp"
#include "simd_path_warp.hpp"
#include "simd_path.hpp"
#include "simd_entry.hpp"
// clang-format on
#endif
