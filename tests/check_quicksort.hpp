// One sort by comparisons, under every policy, against std::stable_sort by the same function. Functions and items that show what
// others hide: equal items that can be told apart, items of every width, functions that are no order.
#pragma once
#include <algorithm>
#include <lookback/quicksort.hpp>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check_sort_segments.hpp"

namespace harness {

/// By the highest bits alone: items are equal that differ below.
struct by_high_bits {
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const { return a >> 20 < b >> 20; }
};
struct falling {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return b < a;
  }
};
/// 16 bytes, compared by two fields; the third says where it came from.
struct ticket {
  std::int32_t group;
  float price;
  std::uint64_t number;
  friend bool operator==(ticket const&, ticket const&) = default;
  friend std::ostream& operator<<(std::ostream& to, ticket const& t) { return to << t.group << '/' << t.price << '#' << t.number; }
};
struct by_group_then_price {
  LOOKBACK_FN bool operator()(ticket const& a, ticket const& b) const {
    return a.group != b.group ? a.group < b.group : b.price < a.price;
  }
};
/// 64 bytes, and 12, and 3.
struct by_first_words {
  LOOKBACK_FN bool operator()(wide const& a, wide const& b) const { return a.m[0].a % 100 < b.m[0].a % 100; }
  LOOKBACK_FN bool operator()(triple const& a, triple const& b) const { return a.y % 64 < b.y % 64; }
};
/// 64 bytes again, in steps of 8 and of 64.
struct eight_doubles {
  double key;
  std::uint64_t number[7];
  friend bool operator==(eight_doubles const&, eight_doubles const&) = default;
  friend std::ostream& operator<<(std::ostream& to, eight_doubles const& e) { return to << e.key << '#' << e.number[0]; }
};
struct alignas(64) whole_line {
  std::uint32_t key, number;
  friend bool operator==(whole_line const& a, whole_line const& b) { return a.key == b.key && a.number == b.number; }
  friend std::ostream& operator<<(std::ostream& to, whole_line const& w) { return to << w.key << '#' << w.number; }
};
struct by_key_alone {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return a.key < b.key;
  }
};
inline std::vector<eight_doubles> doubles_of(std::size_t n) {
  generator random(n);
  std::vector<eight_doubles> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = {static_cast<double>(random.below(60)), {i}};
  return all;
}
inline std::vector<whole_line> lines_of(std::size_t n) {
  generator random(n);
  std::vector<whole_line> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = {static_cast<std::uint32_t>(random.below(60)), static_cast<std::uint32_t>(i)};
  return all;
}
struct three_bytes {
  std::uint8_t x, y, z;
  friend bool operator==(three_bytes const&, three_bytes const&) = default;
  friend std::ostream& operator<<(std::ostream& to, three_bytes const& b) {
    return to << int{b.x} << ' ' << int{b.y} << ' ' << int{b.z};
  }
};
struct by_middle_byte {
  LOOKBACK_FN bool operator()(three_bytes const& a, three_bytes const& b) const { return a.y < b.y; }
};

inline std::vector<ticket> tickets_of(std::size_t n) {
  generator random(n + 1);
  std::vector<ticket> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = {static_cast<std::int32_t>(random.below(40)) - 20, static_cast<float>(random.below(50)) / 4, i};
  return all;
}

// ---- functions that are no order: one type of them all, for each type is many kernels more

struct no_order {
  enum kind { any_answer, always_yes, always_no, at_most, in_a_circle, never_the_same } says;
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const {
    switch (says) {
      case any_answer:  // but of the same two items always the same
        return ((a * 0x9E3779B1u ^ (b + 0x7F4A7C15u) * 0x85EBCA6Bu) * 0xC2B2AE35u >> 16 & 1) != 0;
      case always_yes:
        return true;
      case always_no:
        return false;
      case at_most:
        return a <= b;
      case in_a_circle:
        return b - a - 1 < 0x7FFFFFFFu;  // each before the half of all numbers that follows it
      case never_the_same:
        return (any_moment() >> 13 & 1) != 0;
    }
    return false;
  }
};
inline char const* name_of(no_order const& o) {
  char const* const names[] = {"any answer", "always yes", "always no", "at most", "in a circle", "never the same"};
  return names[o.says];
}

// ---- checks

struct by_comparisons {
  static auto options() { return std::tuple<>{}; }
};

template <class T, class Less>
std::vector<std::size_t> places_by(std::vector<T> const& in, Less const& less) {
  std::vector<std::size_t> places(in.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return less(in[a], in[b]); });
  return places;
}
template <class T, class Less>
std::vector<std::size_t> places_by(std::vector<T> const& in, Less const& less, segments_of const& segments) {
  std::vector<std::size_t> places(in.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t s = 0; s < segments.begins.size(); ++s)
    std::stable_sort(places.begin() + segments.begins[s], places.begin() + segments.ends[s],
                     [&](std::size_t a, std::size_t b) { return less(in[a], in[b]); });
  return places;
}

/// Items alone: to another array, onto exactly the input, and in place.
template <class Algorithm = by_comparisons, class T, class Less>
void check_items(std::vector<T> const& in, Less const& less, std::size_t misaligned = 0) {
  SCOPED_TRACE("n = " + std::to_string(in.size()) + ", items of " + std::to_string(sizeof(T)) + " bytes");
  auto const want = oracle::taken(in, places_by(in, less));
  array<T> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<T> out(in.size(), 3 * misaligned), onto(in, misaligned), data(in, misaligned);
    with_algorithm<Algorithm>(on, [&](auto... options) {
      lookback::quicksort_copy(on, source, out, less, options...);
      lookback::quicksort_copy(on, onto, onto, less, options...);
      lookback::quicksort(on, data, less, options...);
    });
    EXPECT_TRUE(same(out.host(), want)) << "to another array";
    EXPECT_TRUE(same(onto.host(), want)) << "onto the input";
    EXPECT_TRUE(same(data.host(), want)) << "in place";
    EXPECT_TRUE(out.intact() && onto.intact() && data.intact()) << "written outside an array";
  });
  EXPECT_TRUE(same(source.host(), in)) << "items that are not written";
}

/// Items with values: to other arrays, and in place. And their order alone.
template <class Algorithm = by_comparisons, class T, class Less, class... Values>
void check_items_with(std::vector<T> const& in, Less const& less, std::size_t misaligned, std::vector<Values> const&... values) {
  SCOPED_TRACE("n = " + std::to_string(in.size()) + ", items of " + std::to_string(sizeof(T)) + " bytes");
  auto const places = places_by(in, less);
  auto const want = oracle::taken(in, places);
  std::vector<std::int64_t> const want_indices(places.begin(), places.end());
  std::tuple<std::vector<Values>...> const all(values...), want_values(oracle::taken(values, places)...);
  each_policy([&](auto const& on) {
    array<T> source(in, misaligned), out(in.size(), 3 * misaligned);
    array<std::int64_t> indices(in.size(), misaligned);
    auto from = arrays_of(all, misaligned), to = arrays_beside(all, 2 * misaligned);
    auto const values_from = values_in(from), values_to = values_in(to);
    with_algorithm<Algorithm>(on, [&](auto... options) {
      lookback::quicksort_copy(on, source, values_from, out, values_to, less, options...);
      lookback::argsort(on, source, indices, less, options...);
    });
    EXPECT_TRUE(same(out.host(), want)) << "to other arrays";
    expect_values(to, want_values, "to other arrays");
    EXPECT_TRUE(same(indices.host(), want_indices)) << "the order alone";
    EXPECT_TRUE(same(source.host(), in)) << "items that are not written";
    expect_values(from, all, "values that are not written");
    with_algorithm<Algorithm>(on, [&](auto... options) { lookback::quicksort(on, source, values_from, less, options...); });
    EXPECT_TRUE(same(source.host(), want)) << "in place";
    expect_values(from, want_values, "in place");
    EXPECT_TRUE(source.intact() && out.intact() && indices.intact()) << "written outside an array";
  });
}

/// In segments: items alone, in place and to another array.
template <class T, class Less>
void check_items_of_segments(std::vector<T> const& in, Less const& less, segments_of const& segments, std::size_t misaligned = 0) {
  SCOPED_TRACE(segments.name + ", items of " + std::to_string(sizeof(T)) + " bytes");
  auto const places = places_by(in, less, segments);
  std::vector<T> before(in.rbegin(), in.rend());
  auto const want = taken_in_segments(in, places, segments, before), want_onto = taken_in_segments(in, places, segments, in);
  array<T> const source(in, misaligned);
  each_way_to_say(segments, [&](auto const& said) {
    each_policy([&](auto const& on) {
      array<T> out(before, 3 * misaligned), data(in, misaligned);
      lookback::quicksort_copy(on, source, out, less, said);
      lookback::segmented_quicksort(on, data, said, less);
      EXPECT_TRUE(same(out.host(), want)) << "to another array";
      EXPECT_TRUE(same(data.host(), want_onto)) << "in place";
      EXPECT_TRUE(out.intact() && data.intact()) << "written outside an array";
    });
  });
}
/// With values, and the order alone.
template <class T, class Less, class... Values>
void check_items_of_segments_with(std::vector<T> const& in, Less const& less, segments_of const& segments, std::size_t misaligned,
                                  std::vector<Values> const&... values) {
  SCOPED_TRACE(segments.name + ", items of " + std::to_string(sizeof(T)) + " bytes, with values");
  auto const places = places_by(in, less, segments);
  auto const want = taken_in_segments(in, places, segments, in);
  auto const all = std::make_tuple(values...),
             want_values = std::make_tuple(taken_in_segments(values, places, segments, values)...);
  std::vector<std::int32_t> numbers(in.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<std::int32_t> const before(in.size(), 77);
  auto const want_indices = taken_in_segments(numbers, places, segments, before);
  each_way_to_say(segments, [&](auto const& said) {
    each_policy([&](auto const& on) {
      array<T> data(in, misaligned);
      array<std::int32_t> indices(before, misaligned);
      auto beside = arrays_of(all, misaligned);
      lookback::argsort(on, data, indices, less, said);
      EXPECT_TRUE(same(data.host(), in)) << "items that are not written";
      lookback::segmented_quicksort(on, data, values_in(beside), said, less);
      EXPECT_TRUE(same(indices.host(), want_indices)) << "the order alone";
      EXPECT_TRUE(same(data.host(), want)) << "in place";
      expect_values(beside, want_values, "in place");
      EXPECT_TRUE(data.intact() && indices.intact()) << "written outside an array";
    });
  });
}

/// Whatever less says, no item is lost, each keeps its value, and nothing beside the arrays is written.
inline void check_no_item_is_lost(no_order const& less, std::size_t n) {
  SCOPED_TRACE(name_of(less) + (", n = " + std::to_string(n)));
  auto const in = any_words<std::uint32_t>(n, n);
  auto const sorted = [](auto all) {
    std::sort(all.begin(), all.end());
    return all;
  };
  auto const lengths = n > 3000 ? std::vector<std::size_t>{3, 40, 300, 1500, n - 1843} : std::vector<std::size_t>{n};
  auto const segments = side_by_side("", lengths);
  array<std::int64_t> const offsets(segments.offsets());
  each_policy([&](auto const& on) {
    array<std::uint32_t> alone(in), with(in), in_segments(in), indices(n);
    array<std::uint64_t> values(std::vector<std::uint64_t>(in.begin(), in.end()));
    lookback::quicksort(on, alone, less);
    lookback::quicksort(on, with, values, less);
    lookback::quicksort(on, in_segments, less, lookback::offsets(offsets));
    lookback::argsort(on, alone, indices, less);
    EXPECT_TRUE(same(sorted(alone.host()), sorted(in)));
    EXPECT_TRUE(same(sorted(with.host()), sorted(in)));
    auto const keys = with.host();
    EXPECT_TRUE(same(values.host(), std::vector<std::uint64_t>(keys.begin(), keys.end()))) << "values stay with their keys";
    auto const found = in_segments.host();
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      auto const part = [&](std::vector<std::uint32_t> const& of) {
        return sorted(std::vector<std::uint32_t>(of.begin() + segments.begins[s], of.begin() + segments.ends[s]));
      };
      EXPECT_TRUE(same(part(found), part(in))) << "segment " << s;
    }
    std::vector<std::uint32_t> every(n);
    std::iota(every.begin(), every.end(), 0u);
    EXPECT_TRUE(same(sorted(indices.host()), every));
    EXPECT_TRUE(alone.intact() && with.intact() && in_segments.intact() && indices.intact() && values.intact());
  });
}

}  // namespace harness
