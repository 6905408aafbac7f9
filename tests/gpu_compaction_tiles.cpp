// How tiles of compaction lie in shared memory: that they fit, whatever the types; sizes around them; one wave of blocks.
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "keyed.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_compaction_tiles : on_device {};

struct two_of_three {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 3 != 0; }
};
struct unit {
  LOOKBACK_FN index_t operator()(index_t) const { return 1; }
};

template <class T>
using unique_shape = gpu::shape<
    lookback::elements<T>, lookback::arrays<T>,
    gpu::compact_tuning_for<gpu::tuning<>, lookback::elements<T>, lookback::runs<lookback::equal_to>, lookback::arrays<T>>>;
template <class T>
using encode_shape = gpu::head_shape<
    gpu::scan_parts<lookback::unit_items<T, std::int32_t>, lookback::runs<lookback::equal_to>, std::int32_t,
                    lookback::plus<std::int32_t>,
                    lookback::per_segment<std::int32_t, lookback::as_it_is, lookback::column<T, lookback::the_item>>, char>,
    gpu::tuning<>>;
using reduce_shape = gpu::head_shape<
    gpu::scan_parts<lookback::beside<lookback::elements<std::uint32_t>, lookback::elements<float>>,
                    lookback::runs<lookback::equal_to>, float, lookback::plus<float>,
                    lookback::per_segment<float, lookback::as_it_is, lookback::column<std::uint32_t, lookback::the_item>>, char>,
    gpu::tuning<>>;

/// A tile of heads fits into a block's memory, whatever the types: three arrays in flight and what is gathered aside.
template <class Parts>
inline constexpr bool tile_fits = gpu::head_shape<Parts, gpu::tuning<>>::shared_bytes() <= gpu::detail::most_shared_bytes;
template <class Key, class Value>
inline constexpr bool reduction_fits =
    tile_fits<gpu::scan_parts<lookback::beside<lookback::elements<Key>, lookback::elements<Value>>,
                              lookback::runs<lookback::equal_to>, Value, lookback::plus<Value>,
                              lookback::per_segment<Value, lookback::as_it_is, lookback::column<Key, lookback::the_item>>, char>>;
template <class Key, class Length>
inline constexpr bool encoding_fits =
    tile_fits<gpu::scan_parts<lookback::unit_items<Key, Length>, lookback::runs<lookback::equal_to>, Length, lookback::plus<Length>,
                              lookback::per_segment<Length, lookback::as_it_is, lookback::column<Key, lookback::the_item>,
                                                    lookback::column<Length, lookback::the_item>>,
                              char>>;
template <class Value, class Out, class Segments = lookback::segments>
inline constexpr bool segments_fit = tile_fits<gpu::scan_parts<lookback::elements<Value>, Segments, Value, lookback::plus<Value>,
                                                               lookback::per_segment<Out, lookback::as_it_is>, char>>;
template <int N>
struct bytes {
  std::uint8_t byte[N];
};
template <int... N>
constexpr bool odd_ones_fit(std::integer_sequence<int, N...>) {
  using by_keys = lookback::key_segments<int, lookback::equal_to>;
  return ((reduction_fits<bytes<N + 1>, bytes<N + 1>> && reduction_fits<bytes<N + 1>, float> &&
           reduction_fits<std::uint32_t, bytes<N + 1>> && encoding_fits<bytes<N + 1>, std::int32_t> &&
           encoding_fits<bytes<N + 1>, index_t> && segments_fit<bytes<N + 1>, bytes<N + 1>> && segments_fit<bytes<N + 1>, double> &&
           segments_fit<std::uint8_t, bytes<N + 1>> && segments_fit<bytes<N + 1>, bytes<N + 1>, by_keys>)&&...);
}
static_assert(odd_ones_fit(std::make_integer_sequence<int, 16>{}));
static_assert(reduction_fits<bytes<32>, bytes<32>> && reduction_fits<std::uint32_t, bytes<64>> &&
              segments_fit<bytes<64>, bytes<64>>);

/// Flags beside items of a byte, results of four: the slot holds what is gathered and the flags.
TEST_F(gpu_compaction_tiles, results_wider_than_items) {
  std::size_t const n = up_to(200'003);
  auto h = short_long_short(n);
  h[0] = 1;
  auto const in = random_values<std::uint8_t>(n, 3);
  std::vector<std::uint32_t> want;
  for (std::size_t i = 0; i < n; ++i) {
    if (h[i] != 0) want.push_back(0);
    want.back() = std::max<std::uint32_t>(want.back(), in[i]);
  }
  for (std::size_t const misaligned : {0, 1}) {
    array<std::uint8_t> const items(in, misaligned), flags(h, misaligned);
    array<std::uint32_t> out(n, misaligned);
    index_t const count = lookback::segmented_reduce(gpu::on(stream()).with(shared_workspace()), items, lookback::head_flags(flags),
                                                     out, lookback::maximum<std::uint8_t>{});
    expect_front(out, count, want);
  }
}

template <class T>
struct gpu_last_tile : on_device {};
using narrow_keys = ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t>;
TYPED_TEST_SUITE(gpu_last_tile, narrow_keys);

/// Keys that do not begin at a multiple of 16 bytes, and a last tile that ends in the 16 bytes in which it begins: its left
/// neighbour must be staged with it. The number of keys in device memory too.
TYPED_TEST(gpu_last_tile, may_end_in_the_16_bytes_in_which_it_begins) {
  using T = TypeParam;
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace).with(gpu::pipelined);
  for (index_t const tile : {index_t{unique_shape<T>::tile_items}, index_t{encode_shape<T>::tile_items}})
    for (std::size_t const misaligned : {1, 3, 15})
      for (index_t n = 2 * tile; n <= 2 * tile + static_cast<index_t>(16 / sizeof(T)); ++n) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", misaligned " + std::to_string(misaligned));
        array<T> const keys(std::vector<T>(static_cast<std::size_t>(n), T{7}), misaligned);
        array<T> out(static_cast<std::size_t>(n));
        array<std::int32_t> lengths(static_cast<std::size_t>(n));
        array<index_t> bound(std::vector<index_t>{n}), count(1);
        EXPECT_EQ(lookback::unique(on, keys, out), 1);
        EXPECT_EQ(lookback::run_length_encode(on, keys, out, lengths), 1);
        EXPECT_EQ(lengths.host()[0], n);
        lookback::unique_async(on, lookback::first(keys, {n, bound.data()}), out, count.data());
        EXPECT_EQ(count.host()[0], 1);
      }
}

/// n items in runs of `mean`: what every algorithm makes of them. Operands of a sum, and such as may not be swapped.
template <class On>
void check_runs(On const& on, index_t n, std::uint32_t mean) {
  SCOPED_TRACE("n = " + std::to_string(n) + ", runs of " + std::to_string(mean));
  auto const items = static_cast<std::size_t>(n);
  std::vector<std::uint32_t> in(items), want_keys, kept;
  std::vector<float> ones(items, 1.0f), want;
  std::vector<ends> places(items), want_places;
  for (std::size_t i = 0; i < items; ++i) {
    in[i] = static_cast<std::uint32_t>(i) / mean;
    places[i] = ends{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)};
    if (two_of_three{}(in[i])) kept.push_back(in[i]);
    if (i == 0 || in[i] != in[i - 1]) want_keys.push_back(in[i]), want.push_back(0), want_places.push_back(places[i]);
    want.back() += 1;
    want_places.back() = join_ends{}(want_places.back(), places[i]);
  }
  auto const runs = std::ssize(want_keys);
  for (std::size_t const misaligned : {0, 1}) {
    array<std::uint32_t> const keys(in, misaligned);
    array<float> const values(ones, misaligned);
    array<ends> const from(places, misaligned);
    array<std::uint32_t> out(items, misaligned);
    array<float> sums(items, misaligned);
    array<ends> joined(items, misaligned);
    array<std::int32_t> lengths(items, misaligned);
    expect_front(out, lookback::unique(on, keys, out), want_keys);
    expect_front(out, lookback::reduce_by_key(on, keys, values, out, sums), want_keys);
    expect_front(sums, runs, want);
    expect_front(out, lookback::reduce_by_key(on, keys, from, out, joined, join_ends{}), want_keys);
    expect_front(joined, runs, want_places);
    expect_front(out, lookback::run_length_encode(on, keys, out, lengths), want_keys);
    expect_front(lengths, runs, std::vector<std::int32_t>(want.begin(), want.end()));
    expect_front(out, lookback::select_if(on, keys, out, two_of_three{}), kept);
    array<std::uint32_t> in_place(in, misaligned);
    expect_front(in_place, lookback::select_if(on, in_place, two_of_three{}), kept);
    array<std::uint32_t> unique_in_place(in, misaligned);
    expect_front(unique_in_place, lookback::unique(on, unique_in_place), want_keys);
  }
}

/// All, none, every second, and one in thirty, with one item less and more than one and two tiles have.
TEST_F(gpu_compaction_tiles, sizes_around_its_own_tiles) {
  auto const on = gpu::on(stream()).with(shared_workspace()).with(gpu::pipelined);
  for (index_t const tile : {index_t{unique_shape<std::uint32_t>::tile_items}, index_t{encode_shape<std::uint32_t>::tile_items},
                             index_t{reduce_shape::tile_items}})
    for (index_t const n : {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1})
      for (std::uint32_t const mean : {1u, 2u, 30u, 1u << 30}) check_runs(on, n, mean);
}

/// In one wave an item is of the class that it has been looked at for: in place, nobody else says that it has arrived.
template <class Items>
inline constexpr bool compacts_in_one_wave = gpu::compact_wave<
    gpu::scan_parts<Items, lookback::no_segments, int, lookback::ranks<1>, lookback::compact<1, std::uint32_t>, char>>::possible;
using words = lookback::elements<std::uint32_t>;
template <class Items>
using kept_where = lookback::mapped_items<Items, two_of_three>;
static_assert(compacts_in_one_wave<kept_where<words>> &&
              compacts_in_one_wave<lookback::beside<lookback::generated<unit>, kept_where<words>>>);
static_assert(!compacts_in_one_wave<lookback::beside<words, kept_where<lookback::generated<unit>>>> &&
              !compacts_in_one_wave<lookback::beside<words, kept_where<words>>>);

/// Where rows and warps end, where the number of threads of a block changes, and where one wave no longer holds.
TEST_F(gpu_compaction_tiles, edges_of_one_wave) {
  auto const on = gpu::on(stream()).with(shared_workspace());
  auto const blocks = static_cast<index_t>(workers() / 2);
  constexpr index_t tile = 256 * 8;
  std::vector<index_t> sizes{1, 4, 127, 128, 129, 255, 256, 257, 256 * 7 + 129, tile - 1, tile, tile + 1, 2 * tile + 7};
  if (!small())
    for (index_t const threads : {256, 512, 1024})
      for (index_t const more : {-129, 0, 1}) sizes.push_back(threads * 8 * blocks + more);
  for (index_t const n : sizes)
    for (std::uint32_t const mean : {1u, 2u, 30u, 1u << 30}) check_runs(on, n, mean);
}

struct eight_words {
  std::uint32_t word[8];
  LOOKBACK_FN bool operator==(eight_words const& other) const { return word[0] == other.word[0]; }
  LOOKBACK_FN eight_words operator+(eight_words const& other) const {
    eight_words sum = *this;
    for (int w = 0; w < 8; ++w) sum.word[w] += other.word[w];
    return sum;
  }
};

/// A tile of wide keys and values still fits into the memory of a block.
TEST_F(gpu_compaction_tiles, reduces_items_of_32_bytes_by_keys_of_32_bytes) {
  std::size_t const n = 10'001;
  std::vector<eight_words> in(n), ones(n);
  for (std::size_t i = 0; i < n; ++i)
    for (int w = 0; w < 8; ++w) in[i].word[w] = static_cast<std::uint32_t>(i / 3), ones[i].word[w] = 1;
  array<eight_words> const keys(in), values(ones);
  array<eight_words> firsts(n), sums(n);
  index_t const runs = lookback::reduce_by_key(gpu::on(stream()).with(shared_workspace()), keys, values, firsts, sums);
  ASSERT_EQ(runs, static_cast<index_t>((n + 2) / 3));
  auto const got_keys = firsts.host(), got = sums.host();
  for (std::size_t r = 0; r < static_cast<std::size_t>(runs); ++r) {
    ASSERT_EQ(got_keys[r].word[7], r);
    ASSERT_EQ(got[r].word[7], std::min<std::size_t>(3, n - 3 * r)) << r;
  }
}
