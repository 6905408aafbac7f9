// What belongs to sorts on the GPU alone: captured graphs, sizes that earlier calls leave in device memory, more than 2^28 and 2^31
// keys.
#include <algorithm>
#include <lookback/radix_sort.hpp>
#include <lookback/select_if.hpp>
#include <span>

#include "check_sort.hpp"
#include "graph.hpp"
#include "many_bytes.hpp"

using namespace harness;
namespace gpu = lookback::gpu;

struct gpu_sort : on_device {};

struct is_odd_key {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};

/// Select, sort what is left, and say where it came from, in one graph: nobody waits. Replayed for other keys, counts and
/// distributions each time, between sorts of other sizes on the same workspace.
TEST_F(gpu_sort, one_graph_for_many_inputs) {
  std::size_t const n = up_to(100'003);
  auto const bound = static_cast<index_t>(n);
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  array<std::uint32_t> in(n), kept(n), out(n), data(n), values_out(n), aside(any_words<std::uint32_t>(n, 1));
  array<std::uint32_t> const values(random_values<std::uint32_t>(n, 1));
  array<std::int32_t> indices(n);
  array<index_t> count(1);
  auto const enqueue = [&] {
    with_algorithm(on, [&](auto... options) {
      lookback::select_if_async(on, in, kept, is_odd_key{}, count.data());
      auto const some = lookback::first(kept, {bound, count.data()});
      lookback::argsort(on, some, indices, options...);
      lookback::radix_sort_copy(on, some, values, out, values_out, options...);
      lookback::radix_sort(on, data, options...);
    });
  };
  std::vector<std::uint32_t> input(n, 1);
  auto const upload = [&](array<std::uint32_t>& to) {
    check(cudaMemcpyAsync(to.data(), input.data(), n * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream()));
  };
  upload(in), upload(data);
  enqueue();  // makes room in the workspace
  check(cudaStreamSynchronize(stream()));
  graph const chain(enqueue);
  auto const all = distributions<std::uint32_t>(n);
  std::size_t const replays = small() ? 5 : 60;
  for (std::size_t replay = 0; replay < replays; ++replay) {
    SCOPED_TRACE("replay " + std::to_string(replay));
    if (replay % 3 == 1)
      with_algorithm(
          on, [&](auto... options) { lookback::radix_sort(on, std::span(aside.data(), 1 + n * replay / replays), options...); });
    input = all[replay * 7 % all.size()].keys;
    generator random(replay);
    std::uint64_t const odd = random.below(5);  // of four, so many at least
    for (auto& x : input) x = random.below(4) < odd ? x | 1 : x;
    upload(in), upload(data);
    chain.launch();
    check(cudaStreamSynchronize(stream()));

    std::vector<std::uint32_t> odds;
    std::copy_if(input.begin(), input.end(), std::back_inserter(odds), is_odd_key{});
    auto const places = oracle::sorted_places<std::uint32_t>(odds, {}, false);
    auto const front = [&](auto got) {
      got.resize(odds.size());
      return got;
    };
    ASSERT_EQ(count.host()[0], std::ssize(odds));
    ASSERT_TRUE(same(front(out.host()), oracle::taken(odds, places)));
    ASSERT_TRUE(same(front(values_out.host()), oracle::taken(values.host(), places)));
    ASSERT_TRUE(same(front(indices.host()), std::vector<std::int32_t>(places.begin(), places.end())));
    auto sorted = input;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_TRUE(same(data.host(), sorted));
  }
  EXPECT_TRUE(out.intact() && values_out.intact() && indices.intact() && data.intact());
}

TEST_F(gpu_sort, a_call_without_a_workspace_can_be_captured) {
  auto const in = any_words<std::uint32_t>(up_to(50'021), 3);
  array<std::uint32_t> const source(in);
  array<std::uint32_t> out(in.size());
  auto const on = gpu::on(stream());
  graph const captured(
      [&] { with_algorithm(on, [&](auto... options) { lookback::radix_sort_copy(on, source, out, options...); }); });
  auto want = in;
  std::sort(want.begin(), want.end());
  for (int run = 0; run < 3; ++run) {
    check(cudaMemsetAsync(out.data(), 0, in.size() * sizeof(std::uint32_t), stream()));
    captured.launch();
    EXPECT_TRUE(same(out.host(), want));
  }
}

/// i times an odd number, in so many bits: every number below 2^Bits once, in no order.
struct scattered {
  std::uint32_t mask;
  LOOKBACK_FN std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i) * 2654435761u & mask; }
};
struct as_number {
  LOOKBACK_FN std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i); }
};
struct always_kept {
  LOOKBACK_FN bool operator()(std::uint32_t) const { return true; }
};
/// Is a key in its place, and the value beside it that of the key?
struct out_of_order {
  std::uint32_t const *keys, *values;
  std::uint32_t mask;
  index_t above;  // keys that are there twice
  LOOKBACK_FN bool operator()(index_t i) const {
    auto const want = static_cast<std::uint32_t>(i < 2 * above ? i / 2 : i - above);
    return keys[i] != want || (scattered{mask}(static_cast<index_t>(values[i])) != want);
  }
};
struct itself_again {
  LOOKBACK_FN index_t operator()(index_t i) const { return i; }
};

/// Around 2^28 keys, where others cut their input: places as values say of each key where it came from.
TEST_F(gpu_sort, around_two_to_the_28_pairs) {
  int const power = small() ? 16 : 28;
  index_t const full = index_t{1} << power;
  auto const on = gpu::on(stream()).with(shared_workspace());
  for (index_t const n : {full - 1, full, full + 1}) {
    SCOPED_TRACE(n);
    scattered const key{static_cast<std::uint32_t>(full - 1)};
    auto const items = static_cast<std::size_t>(n);
    memory const key_memory(items * 4), value_memory(items * 4), found_memory(items * sizeof(index_t));
    std::span const keys(reinterpret_cast<std::uint32_t*>(key_memory.data()), items),
        values(reinterpret_cast<std::uint32_t*>(value_memory.data()), items);
    std::span const found(reinterpret_cast<index_t*>(found_memory.data()), items);
    ASSERT_EQ(lookback::select_if(on, lookback::generate(n, key), keys, always_kept{}), n);
    ASSERT_EQ(lookback::select_if(on, lookback::generate(n, as_number{}), values, always_kept{}), n);
    with_algorithm(on, [&](auto... options) { lookback::radix_sort(on, keys, values, options...); });
    // Item 2^power comes again as 0, and all of that number but one are there before: the keys are 0, 0, 1, 2, ...
    if (n >= full) {
      out_of_order const wrong{keys.data(), values.data(), key.mask, n - full};
      EXPECT_EQ(lookback::select_if(on, lookback::generate(n, itself_again{}), found, wrong), 0);
    } else {
      auto const missing = static_cast<index_t>(key(n));  // the key of the item that is not there
      std::vector<std::uint32_t> some(1000);
      key_memory.read(0, some.data(), some.size() * 4);
      for (std::size_t k = 0; k < some.size(); ++k)
        ASSERT_EQ(some[k], static_cast<std::uint32_t>(static_cast<index_t>(k) + (static_cast<index_t>(k) >= missing)));
      key_memory.read((items - some.size()) * 4, some.data(), some.size() * 4);
      for (std::size_t k = 0; k < some.size(); ++k) {
        auto const at = n - std::ssize(some) + static_cast<index_t>(k);
        ASSERT_EQ(some[k], static_cast<std::uint32_t>(at + (at >= missing)));
      }
    }
  }
}

/// Keys alone, so many (but beside a tool) that they are split twice from the top: spread; in groups that share their highest bits,
/// so that bins of a leaf are about as long; with a leaf of a fifth or a third of them; with one top byte. And so many that each
/// block has several tiles: spread, and with one byte that varies, which one pass sorts in place.
template <class Key>
void check_large_keys() {
  using word = word_t<Key>;
  constexpr int width = 8 * sizeof(word);
  std::size_t const n = up_to(2'200'003), more = up_to(9'000'011);
  auto const words = [](std::size_t count, auto f) {
    std::vector<word> keys(count);
    for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<word>(f(i));
    return keys;
  };
  generator random(n);
  auto const spread = words(n, [&](std::size_t) { return random.next(); });
  auto const grouped = [&](std::size_t of_group) {
    std::uint64_t const groups = (n + of_group - 1) / of_group, apart = (std::uint64_t{1} << 24) / groups;
    return words(n, [&](std::size_t i) {
      return i % groups * apart << (width - 24) | (random.next() & ((std::uint64_t{1} << (width - 24)) - 1));
    });
  };
  auto const alike = [&](std::size_t one_in, int bits, word which) {
    auto keys = spread;
    for (std::size_t i = 0; i < n; i += one_in)
      keys[i] = static_cast<word>((keys[i] & (static_cast<word>(~word{0}) >> bits)) | which << (width - bits));
    return keys;
  };
  for (sort_form const how : {sort_form{}, sort_form{true, true}}) check_keys<Key>(spread, how, how.descending ? 1 : 0);
  check_keys<Key>(any_words<Key>(n, n));
  for (std::size_t const of_group : {12, 40}) check_keys<Key>(grouped(of_group));
  check_keys<Key>(alike(5, 16, 0x4321));
  check_keys<Key>(alike(3, 16, 0x4321), {true, false});
  check_keys<Key>(alike(2, 8, 0x40));
  check_keys<Key>(words(more, [&](std::size_t) { return random.next(); }));
  check_keys<Key>(words(more, [&](std::size_t) { return (random.next() & 255) << 8; }));
}
TEST_F(gpu_sort, many_words_alone) { check_large_keys<std::uint32_t>(); }
TEST_F(gpu_sort, many_wide_words_alone) { check_large_keys<std::uint64_t>(); }
TEST_F(gpu_sort, many_floats_alone) { check_large_keys<float>(); }
TEST_F(gpu_sort, many_doubles_alone) { check_large_keys<double>(); }

/// The key of item i: 2^20 different ones, far apart, each as often.
struct often {
  LOOKBACK_FN std::uint32_t operator()(index_t i) const { return (static_cast<std::uint32_t>(i) * 2654435761u & 0xFFFFFu) << 12; }
};
struct not_behind {
  std::uint32_t const *keys, *values;
  LOOKBACK_FN bool operator()(index_t i) const {
    if (keys[i] != often{}(static_cast<index_t>(values[i]))) return true;
    return i > 0 && (keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i]));
  }
};
/// So many pairs that leaves pack a place behind each key, and so many equal keys in a leaf that it is sorted by merging.
TEST_F(gpu_sort, many_pairs_of_few_keys) {
  index_t const n = index_t{1} << (small() ? 16 : 27);
  auto const items = static_cast<std::size_t>(n);
  auto const on = gpu::on(stream()).with(shared_workspace());
  memory const key_memory(items * 4), value_memory(items * 4), found_memory(items * sizeof(index_t));
  std::span const keys(reinterpret_cast<std::uint32_t*>(key_memory.data()), items),
      values(reinterpret_cast<std::uint32_t*>(value_memory.data()), items);
  std::span const found(reinterpret_cast<index_t*>(found_memory.data()), items);
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, often{}), keys, always_kept{}), n);
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, as_number{}), values, always_kept{}), n);
  with_algorithm(on, [&](auto... options) { lookback::radix_sort(on, keys, values, options...); });
  EXPECT_EQ(lookback::select_if(on, lookback::generate(n, itself_again{}), found, not_behind{keys.data(), values.data()}), 0);
}

/// More than 2^31 keys of a byte. The textbook would need 32 bytes of scratch for each.
TEST_F(gpu_sort, more_than_two_to_the_31_keys) {
  check_many_bytes(small() ? 3'345'677 : (index_t{1} << 31) + 12'345'677, [](auto const& on, auto const& keys) {
    with_algorithm(on, [&](auto... options) { lookback::radix_sort(on, keys, options...); });
  });
}
