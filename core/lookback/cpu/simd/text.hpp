// The kernels, in the words of packs: read by simd.hpp once for each instruction set, after the packs of that set.
#ifdef LOOKBACK_SIMD
// clang-format off
#include "kernels/lanes.hpp"
#include "kernels/scan.hpp"
#include "kernels/heads.hpp"
#include "kernels/tile.hpp"
#include "kernels/gather.hpp"
#include "kernels/segments.hpp"
#include "kernels/rows.hpp"
#include "kernels/products.hpp"
#include "kernels/joined.hpp"
#include "kernels/ends.hpp"
#include "kernels/distribute.hpp"
#include "kernels/few.hpp"
#include "kernels/tree.hpp"
#include "kernels/path_warp.hpp"
#include "kernels/path.hpp"
#include "kernels/entry.hpp"
// clang-format on
#endif
