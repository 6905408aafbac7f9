// radix_sort and argsort inside of segments: every shape of segments, way to say where they lie, type and width; what is no segment
// stays; offsets that are wrong touch no other memory.
#include <limits>
#include <lookback/radix_sort.hpp>

#include "check_sort_segments.hpp"
#include "refused.hpp"

using namespace harness;

struct sort_segments : on_device {};

/// body(segments) of every shape, side by side and scattered about; under a sanitizer, where it takes minutes, in turn.
template <class Body>
void each_shape(Body body) {
  int number = 0;
  for (auto const& s : segment_shapes()) {
    bool const odd = ++number % 2 != 0;
    if (!small() || !odd) body(s);
    if (!small() || odd) body(scattered_about(s));
  }
}

/// Keys of few values: a value that has left its place among equal keys shows.
std::vector<std::uint32_t> few_values(std::size_t n) {
  std::vector<std::uint32_t> keys(n);
  generator random(n);
  for (auto& key : keys) key = static_cast<std::uint32_t>(random.below(50)) * 0x05010003u;
  return keys;
}
/// 24 bytes: more than goes along on a GPU.
struct six_words {
  triple first, second;
  friend bool operator==(six_words const&, six_words const&) = default;
  friend std::ostream& operator<<(std::ostream& to, six_words const& w) { return to << w.first << ' ' << w.second; }
};
std::vector<six_words> words_of(std::size_t n) {
  auto const firsts = random_values<triple>(n, n + 1), seconds = random_values<triple>(n, n + 2);
  std::vector<six_words> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = {firsts[i], seconds[i]};
  return all;
}

TEST_F(sort_segments, of_words) {
  each_shape([](segments_of const& s) {
    check_segments<std::uint32_t>(any_words<std::uint32_t>(s.n, s.n), s);
    check_segments<std::uint32_t>(few_values(s.n), s, {true, false}, 1);
  });
}

template <class Key>
void check_type() {
  each_shape([](segments_of const& s) { check_segments<Key>(any_words<Key>(s.n, s.n), s, {!s.touching, false}, s.touching); });
}
TEST_F(sort_segments, of_every_type) {
  check_type<std::uint8_t>();
  check_type<std::uint16_t>();
  check_type<std::uint64_t>();
  check_type<std::int32_t>();
  check_type<float>();
  check_type<double>();
}

TEST_F(sort_segments, by_some_bits) {
  for (auto const& [begin, end] : {std::pair{0, 0}, {32, 32}, {3, 4}, {5, 21}, {24, 32}})
    each_shape([&, begin = begin, end = end](segments_of const& s) {
      if (s.n > 20'000 && end - begin != 16 && end - begin != 1) return;
      sort_form const how{s.touching, false, begin, end};
      check_segments<std::uint32_t, true>(any_words<std::uint32_t>(s.n, 1), s, how);
      check_segments_of_pairs<std::uint32_t, true>(any_words<std::uint32_t>(s.n, 2), s, how, 0,
                                                   random_values<std::uint32_t>(s.n, 3));
    });
}

TEST_F(sort_segments, with_values_of_every_width) {
  each_shape([](segments_of const& s) {
    auto const with = [&](std::size_t misaligned, auto const& values) {
      check_segments_of_pairs<std::uint32_t>(few_values(s.n), s, {misaligned != 0, false}, misaligned, values);
    };
    with(0, random_values<std::uint8_t>(s.n, 1));
    with(1, random_values<std::uint32_t>(s.n, 2));
    with(0, random_values<double>(s.n, 3));
    with(1, words_of(s.n));
  });
}
/// -0 and +0 are equal then.
TEST_F(sort_segments, of_floats_with_values) {
  each_shape([](segments_of const& s) {
    check_segments_of_pairs<float>(any_words<float>(s.n, 1), s, {}, 0, random_values<std::uint32_t>(s.n, 2));
  });
}
TEST_F(sort_segments, with_several_arrays_of_values) {
  each_shape([](segments_of const& s) {
    check_segments_of_pairs<std::uint32_t>(few_values(s.n), s, {}, 1, random_values<std::uint8_t>(s.n, 1), words_of(s.n));
  });
}

/// Structs by a key that they hold: as wide as items may be, of an odd number of bytes, and a key of one bit.
template <class T, class Key>
void check_structs(std::vector<T> const& in, std::vector<word_t<Key>> const& keys, Key T::*member, segments_of const& s) {
  SCOPED_TRACE(s.name + ", items of " + std::to_string(sizeof(T)) + " bytes");
  auto const places = places_in_segments<Key>(keys, {}, false, s);
  auto const want = taken_in_segments(in, places, s, in);
  each_policy([&](auto const& on) {
    each_way_to_say(s, [&](auto const& said) {
      array<T> data(in);
      lookback::radix_sort(on, data, lookback::by(member), said);
      EXPECT_TRUE(same(data.host(), want));
      EXPECT_TRUE(data.intact());
    });
  });
}
struct row_of_64 {
  std::uint64_t key;
  std::uint32_t number[14];
  friend bool operator==(row_of_64 const&, row_of_64 const&) = default;
  friend std::ostream& operator<<(std::ostream& to, row_of_64 const& r) { return to << r.key << ' ' << r.number[0]; }
};
struct row_of_10 {
  std::uint16_t key, number[4];
  friend bool operator==(row_of_10 const&, row_of_10 const&) = default;
  friend std::ostream& operator<<(std::ostream& to, row_of_10 const& r) { return to << r.key << ' ' << r.number[0]; }
};
static_assert(sizeof(row_of_64) == 64 && sizeof(row_of_10) == 10);
TEST_F(sort_segments, of_structs) {
  each_shape([](segments_of const& s) {
    generator random(s.n);
    std::vector<row_of_64> wide_rows(s.n);
    std::vector<row_of_10> short_rows(s.n);
    std::vector<std::uint64_t> wide_keys(s.n);
    std::vector<std::uint16_t> short_keys(s.n);
    for (std::size_t i = 0; i < s.n; ++i) {
      wide_rows[i] = {random.next() & 0xF00000000000000Full, {static_cast<std::uint32_t>(i)}};
      short_rows[i] = {static_cast<std::uint16_t>(random.below(300) * 200), {static_cast<std::uint16_t>(i), 1, 2, 3}};
      wide_keys[i] = wide_rows[i].key, short_keys[i] = short_rows[i].key;
    }
    check_structs(wide_rows, wide_keys, &row_of_64::key, s);
    check_structs(short_rows, short_keys, &row_of_10::key, s);
  });
}

TEST_F(sort_segments, places_in_order) {
  each_shape([](segments_of const& s) {
    check_argsort_of_segments<std::uint32_t, std::int32_t>(few_values(s.n), s, {}, 1);
    check_argsort_of_segments<double, std::int64_t>(any_words<double>(s.n, 1), s, {true, false});
  });
}

TEST_F(sort_segments, a_hundred_thousand) {
  auto const s = side_by_side("of 0 to 40", lengths_between(small() ? 3'000 : 100'000, 0, 40));
  check_segments<std::uint32_t>(any_words<std::uint32_t>(s.n, 1), s);
  check_argsort_of_segments<std::uint32_t, std::int32_t>(few_values(s.n), s);
  auto const about = scattered_about(s);
  check_segments_of_pairs<std::uint32_t>(few_values(about.n), about, {}, 0, random_values<std::uint32_t>(about.n, 2));
}

/// `bound` keys are there, and memory says how many of them to sort: segments lie among those.
TEST_F(sort_segments, of_a_number_that_the_device_knows) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{40}, std::size_t{9000}, up_to(30'011)}) {
    std::size_t const bound = n + 1000;
    std::vector<std::size_t> lengths;
    for (std::size_t left = n, next = 1; left > 0; next = next * 3 % 5003)
      lengths.push_back(std::min(left, next)), left -= lengths.back();
    auto const s = side_by_side("of a number in memory", lengths, 1000);
    auto const in = any_words<std::uint32_t>(bound, 1), before = any_words<std::uint32_t>(bound, 2);
    auto const want = taken_in_segments(in, places_in_segments<std::uint32_t>(in, {}, true, s), s, before);
    array<std::uint32_t> const keys(in);
    auto const offsets = offsets_in<std::int64_t>(s.offsets());
    for (index_t const count : {static_cast<index_t>(n), static_cast<index_t>(bound), index_t{1} << 40}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", count " + std::to_string(count));
      array<index_t> const number(std::vector<index_t>{count});
      each_policy([&](auto const& on) {
        array<std::uint32_t> out(before);
        lookback::radix_sort_copy(on, lookback::first(keys, {static_cast<index_t>(bound), number.data()}), out,
                                  lookback::offsets(offsets));
        EXPECT_TRUE(same(out.host(), want));
      });
    }
  }
}

// ---- offsets that are wrong

/// Sorts that may do anything to the items, but nothing elsewhere. Where assertions are, those on the CPU that are `refused` throw.
void check_harmless(std::string const& what, std::vector<index_t> const& begins, std::vector<index_t> const& ends, bool refused,
                    index_t items = 9000) {
  SCOPED_TRACE(what);
  auto const n = static_cast<std::size_t>(items);
  auto keys = few_values(n);
  if (n > 20'000)  // thirds whose second digits are others
    for (std::size_t i = 0; i < n; ++i) keys[i] = i < n / 3 ? 0xFF01 : i < 2 * n / 3 ? 0 : 0x0101;
  auto const values = random_values<std::uint32_t>(n, 1);
  auto const wides = words_of(n);
  auto const first = offsets_in<std::int64_t>(begins), last = offsets_in<std::int64_t>(ends);
  auto const said = lookback::offsets(first, last);
  bool const throws = refused && lookback::detail::asserts && !on_gpu;
  auto const call = [&](auto const& sort) {
    if (throws) EXPECT_THROW(sort(), lookback::invalid_argument);
    else EXPECT_NO_THROW(sort());
  };
  array<std::uint32_t> const source(keys);
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(keys), out(keys), moved(values), indices(keys);
    array<six_words> wide_values(wides);
    call([&] { lookback::radix_sort(on, data, said); });
    call([&] { lookback::radix_sort(on, data, moved, said); });
    call([&] { lookback::radix_sort(on, out, wide_values, said); });
    call([&] { lookback::radix_sort_copy(on, source, out, said); });
    call([&] { lookback::argsort(on, source, indices, said); });
    wait(on);
    EXPECT_TRUE(data.intact() && out.intact() && moved.intact() && indices.intact() && wide_values.intact());
    EXPECT_TRUE(!throws || same(data.host(), keys)) << "changed before it was refused";
  });
  EXPECT_TRUE(same(source.host(), keys));
}

/// The result is not told, but nothing beside the arrays is written.
TEST_F(sort_segments, wrong_offsets_are_harmless) {
  constexpr index_t n = 9000, far = std::numeric_limits<index_t>::max();
  check_harmless("beyond the end", {0, 8000}, {8000, n + 1}, true);
  check_harmless("far beyond the end", {0, n + 5, far - 1}, {far, 2 * n, far}, true);
  check_harmless("before the begin", {-1, -far - 1, 5000}, {50, 4000, 9000}, true);
  check_harmless("the end before the begin", {100, 9000, far}, {50, 0, -far - 1}, true);
  generator random(1);
  std::vector<index_t> begins(20'000), ends(20'000);
  for (auto* const all : {&begins, &ends})
    for (auto& x : *all) x = static_cast<index_t>(random.next()) >> random.below(64);
  begins[0] = -1;
  check_harmless("anything", begins, ends, true);
}
/// So long that tiles sort them: what one of them counts, another has moved.
TEST_F(sort_segments, long_segments_that_overlap_are_harmless) {
  auto const n = static_cast<index_t>(up_to(150'000));
  check_harmless("not in order", {0, 2 * n / 3, n / 3}, {2 * n / 3, n / 3, n}, true, n);
  check_harmless("halves that overlap", {0, n / 3}, {2 * n / 3, n}, false, n);
  check_harmless("the same many times", std::vector<index_t>(20, 0), std::vector<index_t>(20, n), false, n);
}
/// Nobody looks whether segments overlap. Workers race for such items, so this file is not for ThreadSanitizer (CMakeLists.txt).
TEST_F(sort_segments, segments_that_overlap_are_harmless) {
  constexpr index_t n = 9000;
  check_harmless("the same many times", std::vector<index_t>(100, 0), std::vector<index_t>(100, n), false);
  generator random(2);
  std::vector<index_t> begins(1000), ends(1000);
  for (std::size_t k = 0; k < begins.size(); ++k) {
    begins[k] = static_cast<index_t>(random.below(n));
    ends[k] =
        begins[k] + static_cast<index_t>(random.below(std::min<std::uint64_t>(n - static_cast<std::uint64_t>(begins[k]), 700) + 1));
  }
  check_harmless("many that overlap", begins, ends, false);
}
