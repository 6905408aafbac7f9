// Sorts by samples on the GPU, which take so many items that tests of all back ends do not reach them: of one level of buckets and
// of two, of every width, of inputs that are made against them.
#include <algorithm>
#include <span>

#include "check_quicksort.hpp"
#include "many_bytes.hpp"

using namespace harness;
namespace gpu = lookback::gpu;

struct gpu_sample_sort : on_device {};

namespace {

constexpr auto fewest = static_cast<std::size_t>(gpu::detail::fewest_sampled<std::uint32_t>);
/// Short tests are of the same code: of one level of buckets, or of two.
std::size_t items(std::size_t n) { return !small() ? n : n > 1 << 20 ? (1 << 20) + n % 1000 : fewest + n % 1000; }

/// racecheck takes a second for some launches: it sees one of every `step` of them.
template <class Each>
std::vector<Each> some_of(std::vector<Each> const& all, std::size_t step) {
  if (!under_tool("racecheck")) return all;
  std::vector<Each> some;
  for (std::size_t k = 0; k < all.size(); k += step) some.push_back(all[k]);
  return some;
}

/// Adds to every item what it must say of itself: a function that is asked about something else than an item tells.
struct watched {
  std::uint32_t key, check, owner, number;
  static LOOKBACK_FN std::uint32_t check_of(std::uint32_t key, std::uint32_t owner) { return (key ^ owner * 77) * 0x9E3779B1u + 5; }
  friend bool operator==(watched const&, watched const&) = default;
  friend std::ostream& operator<<(std::ostream& to, watched const& w) { return to << w.key << '#' << w.number; }
};
struct by_watched_key {
  std::uint32_t* strangers;
  LOOKBACK_FN bool operator()(watched const& a, watched const& b) const {
    if (a.check != watched::check_of(a.key, a.owner) || b.check != watched::check_of(b.key, b.owner) || a.owner != b.owner)
      *strangers = 1;
    return a.key < b.key;
  }
};
std::vector<watched> watched_of(std::vector<std::uint32_t> const& keys, segments_of const& segments) {
  std::vector<watched> all(keys.size());
  auto const add = [&](std::size_t i, std::uint32_t owner) {
    all[i] = {keys[i], watched::check_of(keys[i], owner), owner, static_cast<std::uint32_t>(i)};
  };
  for (std::size_t i = 0; i < keys.size(); ++i) add(i, 1'000'000);
  for (std::size_t s = 0; s < segments.begins.size(); ++s)
    for (auto i = segments.begins[s]; i < segments.ends[s]; ++i) add(static_cast<std::size_t>(i), static_cast<std::uint32_t>(s));
  return all;
}

/// Keys of which a sort by samples sees nothing but the lowest ones, on both of its levels.
std::vector<std::uint32_t> hidden_from_samples(std::size_t n) {
  auto keys = any_words<std::uint32_t>(n, n);
  for (auto& k : keys) k |= 0xC0000000;
  using shape = gpu::sample_shape<std::uint32_t>;
  // As many samples as the first level may take, of entries of every width.
  for (std::uint32_t const wanted : {4096, 2048, 1024})
    for (std::uint32_t ways = 16; ways <= gpu::most_ways; ways *= 2)
      for (std::uint32_t const used :
           {ways, std::min<std::uint32_t>(gpu::most_ways, static_cast<std::uint32_t>((n + wanted - 1) / wanted))})
        for (std::uint32_t i = 0; i < used * shape::of_a_way; ++i)
          keys[gpu::detail::sampled_place(i, used * shape::of_a_way, static_cast<std::uint32_t>(n), 0)] = 0;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < n; ++i)
    if (keys[i] != 0) left.push_back(i);
  auto const zeros = static_cast<std::uint32_t>(n - left.size()), others = static_cast<std::uint32_t>(left.size());
  for (std::uint32_t i = 0; i < shape::samples; ++i)
    keys[left[gpu::detail::sampled_place(i, shape::samples, others, zeros)]] = 1u << 30;
  return keys;
}

struct rising_bytes {
  LOOKBACK_FN bool operator()(std::uint8_t a, std::uint8_t b) const { return a < b; }
};

void check_unstable(std::vector<std::uint32_t> const& in) {
  by_high_bits const less;
  auto want = in;
  std::sort(want.begin(), want.end());
  array<std::uint32_t> const source(in);
  each_policy([&](auto const& on) {
    array<std::uint32_t> alone(in.size()), keys(in), indices(in.size());
    array<std::uint64_t> values(std::vector<std::uint64_t>(in.begin(), in.end()));
    lookback::quicksort_copy(on, source, alone, less, lookback::unstable);
    lookback::quicksort(on, keys, values, less, lookback::unstable);
    lookback::argsort(on, source, indices, less, lookback::unstable);
    auto got = keys.host();
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end(), less));
    EXPECT_TRUE(same(values.host(), std::vector<std::uint64_t>(got.begin(), got.end()))) << "values stay with their keys";
    std::sort(got.begin(), got.end());
    EXPECT_TRUE(same(got, want));
    auto alone_got = alone.host();
    EXPECT_TRUE(std::is_sorted(alone_got.begin(), alone_got.end(), less));
    std::sort(alone_got.begin(), alone_got.end());
    EXPECT_TRUE(same(alone_got, want));
    auto places = indices.host();
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end(), [&](auto a, auto b) { return less(in[a], in[b]); }));
    std::sort(places.begin(), places.end());
    for (std::uint32_t k = 0; k < places.size(); ++k) ASSERT_EQ(places[k], k);
    EXPECT_TRUE(alone.intact() && keys.intact() && values.intact() && indices.intact());
  });
}

}  // namespace

/// The fewest, and as many as there are of one level, of u32 and of pairs.
TEST_F(gpu_sample_sort, sizes) {
  std::vector const all{fewest,          fewest - 1,           fewest + 1,           items(300'007),
                        items(524'289),  items((1 << 20) - 1), items((1 << 20) + 1), items(1 << 20),
                        items(3'000'017)};
  for (std::size_t const n : some_of(all, 6)) {
    auto const in = any_words<std::uint32_t>(n, n);
    check_items(in, by_high_bits{}, n % 2 * 4);
    check_items_with(in, by_high_bits{}, 0, random_values<std::uint32_t>(n, 1));
    check_unstable(in);
  }
  for (std::size_t const n : some_of<std::size_t>({16'384, 16'383, 16'385, 40'000, 100'003}, 3)) {  // the fewest of 16 bytes
    check_items(tickets_of(n), by_group_then_price{});
    check_items_with(any_words<std::uint32_t>(n, n), by_high_bits{}, 0, random_values<std::uint32_t>(n, 1));
  }
}

TEST_F(gpu_sample_sort, distributions) {
  for (std::size_t const n : some_of<std::size_t>({items(400'003), items(1'600'009)}, 2))
    for (auto const& [name, keys] : some_of(distributions<std::uint32_t>(n), 7)) {
      SCOPED_TRACE(name);
      check_items(keys, by_high_bits{});
      check_items_with(keys, by_high_bits{}, 0, random_values<std::uint32_t>(n, 2));
      check_unstable(keys);
    }
}

/// Items of 1, 3, 8, 12 and 16 bytes; places of 4 and 8 bytes beside them; misaligned.
TEST_F(gpu_sample_sort, widths) {
  std::size_t const n = items(700'001);
  check_items(any_words<std::uint8_t>(n, 3), falling{}, 1);
  std::vector<three_bytes> threes(n);
  for (std::size_t i = 0; i < n; ++i)
    threes[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i * 0x9E3779B97F4A7C15u >> 40),
                 static_cast<std::uint8_t>(i >> 8)};
  check_items(threes, by_middle_byte{}, 3);
  check_items(random_values<triple>(n, 1), by_first_words{}, 4);
  check_items_with(tickets_of(n), by_group_then_price{}, 8, random_values<std::uint32_t>(n, 1));
  check_items_with(tickets_of(items(1'100'003)), by_group_then_price{}, 0, random_values<triple>(items(1'100'003), 1));
  check_items_with(any_words<std::uint32_t>(n, 4), by_high_bits{}, 4, random_values<triple>(n, 5));
  check_items_with(any_words<std::uint32_t>(n, 4), by_high_bits{}, 1 * 4, any_words<std::uint8_t>(n, 5));
  check_items_with(any_words<std::uint64_t>(n, 6), falling{}, 0, random_values<std::uint64_t>(n, 7));
}

/// The function is asked about items of the array, or of one segment, alone.
TEST_F(gpu_sample_sort, asks_about_items_alone) {
  std::size_t const n = items(1'300'021);
  array<std::uint32_t> const strangers(std::vector<std::uint32_t>{0});
  by_watched_key const less{const_cast<std::uint32_t*>(strangers.data())};
  auto const all = watched_of(any_words<std::uint32_t>(n, 1), {});
  auto const segments = side_by_side("", {3, 2700, 2800, 20'000, 0, 100'000, 1, n - 225'504, 50'000, 50'000});
  auto const parts = watched_of(any_words<std::uint32_t>(n, 2), segments);
  array<std::int64_t> const offsets(segments.offsets());
  auto const sorted = [](std::vector<watched> in, segments_of const& of) {
    for (std::size_t s = 0; s < of.begins.size(); ++s)
      std::stable_sort(in.begin() + of.begins[s], in.begin() + of.ends[s],
                       [](auto const& a, auto const& b) { return a.key < b.key; });
    return in;
  };
  auto const want = sorted(all, side_by_side("", {n})), want_parts = sorted(parts, segments);
  each_policy([&](auto const& on) {
    array<watched> whole(all), in_parts(parts);
    lookback::quicksort(on, whole, less);
    lookback::segmented_quicksort(on, in_parts, lookback::offsets(offsets), less);
    EXPECT_TRUE(same(whole.host(), want));
    EXPECT_TRUE(same(in_parts.host(), want_parts));
    array<watched> other(all), other_parts(parts);
    lookback::quicksort(on, other, less, lookback::unstable);
    lookback::segmented_quicksort(on, other_parts, lookback::offsets(offsets), less, lookback::unstable);
    auto const found = other.host();
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.key < b.key; }));
  });
  EXPECT_EQ(strangers.host()[0], 0u);
}

TEST_F(gpu_sample_sort, of_inputs_that_hide_from_samples) {
  for (std::size_t const n : some_of<std::size_t>({items(270'001), items(2'000'003)}, 2)) {
    SCOPED_TRACE(n);
    auto const keys = hidden_from_samples(n);
    check_items(keys, by_high_bits{});
    check_items_with(keys, by_high_bits{}, 0, random_values<std::uint32_t>(n, 1));
    check_unstable(keys);
  }
}

/// Between two values that most items have there are others: so few of each tile that a leaf, or a bucket, has very many pieces.
TEST_F(gpu_sample_sort, of_small_pieces) {
  std::size_t const n = items(3'500'003);
  for (std::size_t const per_mille : some_of<std::size_t>({1, 3}, 2)) {
    SCOPED_TRACE(per_mille);
    generator random(per_mille);
    std::vector<ticket> tickets(n);
    std::vector<std::uint32_t> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
      auto const x = random.below(1000);
      std::uint32_t const between = 1 + static_cast<std::uint32_t>(random.below(1000));
      keys[i] = (x < per_mille ? between : x % 2 * 2000) << 20;
      tickets[i] = {static_cast<std::int32_t>(keys[i] >> 20), 0, i};
    }
    check_items(tickets, by_group_then_price{});
    check_items_with(keys, by_high_bits{}, 0, random_values<std::uint32_t>(n, 1));
  }
}

TEST_F(gpu_sample_sort, of_long_segments) {
  std::size_t const n = items(4'000'037), many = n / 40;
  std::vector<std::vector<std::size_t>> const all{{17'408, 17'409, 17'410, 5, 8'737, 20'000, 100, 4097},
                                                  {n},
                                                  {n / 2, 17, 0, n / 3, 40'000, n - n / 2 - n / 3 - 40'017},
                                                  std::vector<std::size_t>(39, many)};
  for (auto const& lengths : some_of(all, 4)) {
    auto segments = side_by_side("lengths " + std::to_string(lengths.size()), lengths);
    std::size_t const upto = static_cast<std::size_t>(segments.ends.back());
    auto const in = any_words<std::uint32_t>(upto, upto);
    check_items_of_segments(in, by_high_bits{}, segments);
    check_items_of_segments_with(in, by_high_bits{}, segments, 0, random_values<std::uint32_t>(upto, 7));
    check_items_of_segments(tickets_of(upto), by_group_then_price{}, segments);
  }
}

TEST_F(gpu_sample_sort, of_a_number_that_the_device_knows) {
  std::size_t const bound = items(1'200'007);
  auto const in = any_words<std::uint32_t>(bound, 1), before = any_words<std::uint32_t>(bound, 2);
  auto const most = static_cast<index_t>(bound);
  for (index_t const count : some_of<index_t>({most / 3, 0, 1, 16'383, 16'385, most - 1, most, most + 1, -7}, 6)) {
    SCOPED_TRACE("count " + std::to_string(count));
    auto const n = static_cast<std::ptrdiff_t>(std::clamp<index_t>(count, 0, most));
    auto want = before;
    std::copy(in.begin(), in.begin() + n, want.begin());
    std::stable_sort(want.begin(), want.begin() + n, by_high_bits{});
    array<std::uint32_t> const keys(in);
    array<index_t> const number(std::vector<index_t>{count});
    each_policy([&](auto const& on) {
      array<std::uint32_t> out(before);
      lookback::quicksort_copy(on, lookback::first(keys, {most, number.data()}), out, by_high_bits{});
      EXPECT_TRUE(same(out.host(), want));
      array<std::uint32_t> parts(before);
      array<std::int32_t> const offsets(std::vector<std::int32_t>{0, 100, static_cast<std::int32_t>(most)});
      lookback::quicksort_copy(on, lookback::first(keys, {most, number.data()}), parts, by_high_bits{}, lookback::offsets(offsets));
      auto want_parts = want;
      std::copy(in.begin(), in.begin() + n, want_parts.begin());
      auto const first = want_parts.begin(), middle = first + std::min<std::ptrdiff_t>(n, 100);
      std::stable_sort(first, middle, by_high_bits{}), std::stable_sort(middle, first + n, by_high_bits{});
      EXPECT_TRUE(same(parts.host(), want_parts));
    });
  }
}

TEST_F(gpu_sample_sort, loses_nothing_to_functions_that_are_no_order) {
  for (std::size_t const n : some_of<std::size_t>({items(300'011), items(1'500'007)}, 2)) {
    for (auto const says : {no_order::any_answer, no_order::always_yes, no_order::always_no, no_order::at_most,
                            no_order::in_a_circle, no_order::never_the_same})
      check_no_item_is_lost({says}, n);
    // Places lead to values that stay: each is one of them.
    auto const wides = random_values<triple>(n, 1);
    array<std::uint32_t> keys(any_words<std::uint32_t>(n, n));
    array<triple> values(wides);
    lookback::quicksort(gpu::on(stream()), keys, values, no_order{no_order::never_the_same});
    auto const sorted = [](std::vector<triple> all) {
      std::sort(all.begin(), all.end(),
                [](triple const& a, triple const& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
      return all;
    };
    EXPECT_TRUE(same(sorted(values.host()), sorted(wides)));
    EXPECT_TRUE(keys.intact() && values.intact());
  }
  // So many short segments that are split that each class counts.
  std::size_t const length = 17'409, segments = small() ? 4 : 100;
  std::vector<std::int32_t> offsets;
  for (std::size_t s = 0; s <= segments; ++s) offsets.push_back(static_cast<std::int32_t>(s * length));
  auto in = any_words<std::uint32_t>(segments * length, 1);
  array<std::uint32_t> data(in);
  array<std::int32_t> const where(offsets);
  lookback::segmented_quicksort(gpu::on(stream()), data, lookback::offsets(where), no_order{no_order::never_the_same});
  auto out = data.host();
  for (std::size_t s = 0; s < segments; ++s) {
    auto const begin = static_cast<std::ptrdiff_t>(s * length), end = begin + static_cast<std::ptrdiff_t>(length);
    std::sort(in.begin() + begin, in.begin() + end), std::sort(out.begin() + begin, out.begin() + end);
  }
  EXPECT_TRUE(same(out, in));
}

/// What is said to be reserved is enough for every number of items below, every width, whether stable or not.
template <class T, class Columns, bool Stable>
std::size_t bytes_of_call(index_t n, std::size_t beside) {
  gpu::detail::comparison_layout<T, lookback::comparison_order<T, gpu::detail::any_less, Stable>, Columns> layout(n, true);
  if (beside > 0)
    layout.all.add(static_cast<std::size_t>(n) * (n < index_t{1} << 32 ? 4 : 8)),
        layout.all.add(static_cast<std::size_t>(n) * beside);
  return layout.all.bytes();
}
TEST_F(gpu_sample_sort, reserves_enough) {
  using lookback::columns;
  using places = columns<lookback::places_beside<std::uint32_t>>;
  for (index_t const n :
       {index_t{1} << 15, index_t{1} << 18, index_t{7'000'000}, index_t{1} << 26, index_t{1} << 30, (index_t{1} << 31) + 5}) {
    for (index_t const fewer : {n / 3, n - 1, n, std::min(n, gpu::detail::most_sampled - 1)}) {
      auto const alone = gpu::quicksort_scratch<ticket>(n).bytes, beside = gpu::quicksort_scratch<triple, triple>(n).bytes;
      EXPECT_LE((bytes_of_call<ticket, columns<>, true>(fewer, 0)), alone) << n << ' ' << fewer;
      EXPECT_LE((bytes_of_call<ticket, columns<>, false>(fewer, 0)), alone) << n << ' ' << fewer;
      EXPECT_LE((bytes_of_call<triple, places, true>(fewer, sizeof(triple))), beside) << n << ' ' << fewer;
      EXPECT_LE((bytes_of_call<triple, places, false>(fewer, sizeof(triple))), beside) << n << ' ' << fewer;
    }
  }
}

/// So many tiles that a block lists the pieces of a bucket in several turns; and buckets that are split into as many as there can
/// be.
TEST_F(gpu_sample_sort, of_very_many_items) {
  std::size_t const n = small() ? fewest : 17'000'003;
  std::vector<ticket> in(n);
  generator random(1);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = {static_cast<std::int32_t>(random.below(1 << 20)), static_cast<float>(random.below(8)), i};
  array<ticket> data(in);
  lookback::quicksort(gpu::on(stream()), data, by_group_then_price{});
  auto const out = data.host();
  std::uint64_t sum = 0, wanted = 0;
  by_group_then_price const less;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_LT(out[i].number, n);
    ASSERT_EQ(out[i], in[out[i].number]);
    if (i > 0) ASSERT_TRUE(less(out[i - 1], out[i]) || (!less(out[i], out[i - 1]) && out[i - 1].number < out[i].number)) << i;
    sum += out[i].number, wanted += i;
  }
  EXPECT_EQ(sum, wanted);
  EXPECT_TRUE(data.intact());
}

/// As many as a sort by samples takes, and so many that merges sort them: more than 2^31 bytes.
TEST_F(gpu_sample_sort, of_as_many_as_there_can_be) {
  index_t const most = small() ? index_t{1} << 20 : gpu::detail::most_sampled;
  for (index_t const n : {most - 5, most + 3}) {
    SCOPED_TRACE(n);
    check_many_bytes(n, [](auto const& on, auto const& keys) { lookback::quicksort(on, keys, rising_bytes{}); });
    check_many_bytes(n,
                     [](auto const& on, auto const& keys) { lookback::quicksort(on, keys, rising_bytes{}, lookback::unstable); });
  }
}
