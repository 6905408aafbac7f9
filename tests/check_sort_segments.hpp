// A sort of segments against the oracle, which sorts one after another: what belongs to no segment stays.
#pragma once
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check_sort.hpp"
#include "segment_shapes.hpp"

namespace harness {

/// places[k] is where the key lies that comes to place k, and k where that is of no segment.
template <class Key>
std::vector<std::size_t> places_in_segments(std::vector<word_t<Key>> const& keys, sort_form const& how, bool alone,
                                            segments_of const& segments) {
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  oracle::comes_before<Key> const before{how, alone};
  for (std::size_t s = 0; s < segments.begins.size(); ++s)
    std::stable_sort(places.begin() + segments.begins[s], places.begin() + segments.ends[s],
                     [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
  return places;
}
/// What a sort leaves in an array that held `before`.
template <class T>
std::vector<T> taken_in_segments(std::vector<T> const& from, std::vector<std::size_t> const& places, segments_of const& segments,
                                 std::vector<T> before) {
  for (std::size_t s = 0; s < segments.begins.size(); ++s)
    for (auto k = static_cast<std::size_t>(segments.begins[s]); k < static_cast<std::size_t>(segments.ends[s]); ++k)
      before[k] = from[places[k]];
  return before;
}

template <class Offset>
array<Offset> offsets_in(std::vector<index_t> const& positions) {
  return array<Offset>(std::vector<Offset>(positions.begin(), positions.end()));
}
/// f(option) for every way to say where segments lie.
template <class F>
void each_way_to_say(segments_of const& segments, F f) {
  auto const as = [&]<class Offset>(Offset) {
    SCOPED_TRACE("offsets of " + std::to_string(sizeof(Offset)) + " bytes");
    if (segments.touching) {
      auto const offsets = offsets_in<Offset>(segments.offsets());
      f(lookback::detail::bounds_of(lookback::offsets(offsets)));
    } else {
      auto const begins = offsets_in<Offset>(segments.begins), ends = offsets_in<Offset>(segments.ends);
      f(lookback::offsets(begins, ends));
    }
  };
  as(std::int32_t{});
  as(std::int64_t{});
}

/// f(options...) with those that `how` says: fewer than check_sort.hpp knows, since each is a kernel more.
template <bool WithBits, class F>
void with_order(sort_form const& how, F f) {
  if constexpr (WithBits) {
    lookback::bits const some{how.begin, how.end};
    if (how.descending) f(some, lookback::descending);
    else f(some);
  } else if (how.descending) f(lookback::descending);
  else f();
}
inline std::string describe(segments_of const& segments, sort_form const& how) {
  return std::to_string(segments.begins.size()) + " segments, " + segments.name + ": " + describe(segments.n, how);
}

/// Keys alone: to another array, and in place.
template <class Key, bool WithBits = false>
void check_segments(std::vector<word_t<Key>> const& in, segments_of const& segments, sort_form const& how = {},
                    std::size_t misaligned = 0) {
  SCOPED_TRACE(describe(segments, how));
  auto const places = places_in_segments<Key>(in, how, true, segments);
  auto const before = any_words<Key>(in.size(), 99);
  auto const want = taken_in_segments(in, places, segments, before), want_onto = taken_in_segments(in, places, segments, in);
  array<word_t<Key>> const source(in, misaligned);
  each_way_to_say(segments, [&](auto const& said) {
    each_policy([&](auto const& on) {
      array<word_t<Key>> out(before, 3 * misaligned), data(in, misaligned);
      with_order<WithBits>(how, [&](auto... options) {
        lookback::radix_sort_copy(on, keys_in<Key>(source), keys_in<Key>(out), options..., said);
        lookback::radix_sort(on, keys_in<Key>(data), said, options...);
      });
      EXPECT_TRUE(same(out.host(), want)) << "to another array";
      EXPECT_TRUE(same(data.host(), want_onto)) << "in place";
      EXPECT_TRUE(out.intact() && data.intact()) << "written outside an array";
    });
  });
  EXPECT_TRUE(same(source.host(), in)) << "keys that are not written";
}

/// The last one first. A function: nvcc misreads a constructor in a pack.
template <class V>
std::vector<V> from_behind(std::vector<V> const& values) {
  return {values.rbegin(), values.rend()};
}
/// Keys with values: to other arrays, and in place.
template <class Key, bool WithBits = false, class... Values>
void check_segments_of_pairs(std::vector<word_t<Key>> const& in, segments_of const& segments, sort_form const& how,
                             std::size_t misaligned, std::vector<Values> const&... values) {
  SCOPED_TRACE(describe(segments, how));
  auto const places = places_in_segments<Key>(in, how, false, segments);
  auto const before = any_words<Key>(in.size(), 99);
  auto const want = taken_in_segments(in, places, segments, before), want_onto = taken_in_segments(in, places, segments, in);
  auto const all = std::make_tuple(values...), all_before = std::make_tuple(from_behind(values)...);
  auto const want_values = std::make_tuple(taken_in_segments(values, places, segments, from_behind(values))...);
  auto const want_values_onto = std::make_tuple(taken_in_segments(values, places, segments, values)...);
  each_way_to_say(segments, [&](auto const& said) {
    each_policy([&](auto const& on) {
      array<word_t<Key>> source(in, misaligned), out(before, 3 * misaligned);
      auto from = arrays_of(all, misaligned), to = arrays_of(all_before, 2 * misaligned);
      auto const values_from = values_in(from), values_to = values_in(to);
      with_order<WithBits>(how, [&](auto... options) {
        lookback::radix_sort_copy(on, keys_in<Key>(source), values_from, keys_in<Key>(out), values_to, said, options...);
      });
      EXPECT_TRUE(same(out.host(), want)) << "to other arrays";
      expect_values(to, want_values, "to other arrays");
      EXPECT_TRUE(same(source.host(), in)) << "keys that are not written";
      expect_values(from, all, "values that are not written");
      with_order<WithBits>(how,
                           [&](auto... options) { lookback::radix_sort(on, keys_in<Key>(source), values_from, options..., said); });
      EXPECT_TRUE(same(source.host(), want_onto)) << "in place";
      expect_values(from, want_values_onto, "in place");
      EXPECT_TRUE(source.intact() && out.intact()) << "written outside an array";
    });
  });
}

/// Places are those in the whole array.
template <class Key, class Index>
void check_argsort_of_segments(std::vector<word_t<Key>> const& in, segments_of const& segments, sort_form const& how = {},
                               std::size_t misaligned = 0) {
  SCOPED_TRACE(describe(segments, how));
  std::vector<Index> all(in.size());
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> const before(in.size(), Index{77});
  auto const want = taken_in_segments(all, places_in_segments<Key>(in, how, false, segments), segments, before);
  array<word_t<Key>> const source(in, misaligned);
  each_way_to_say(segments, [&](auto const& said) {
    each_policy([&](auto const& on) {
      array<Index> indices(before, 2 * misaligned);
      with_order<false>(how, [&](auto... options) { lookback::argsort(on, keys_in<Key>(source), indices, said, options...); });
      EXPECT_TRUE(same(indices.host(), want));
      EXPECT_TRUE(indices.intact()) << "written outside indices";
    });
  });
  EXPECT_TRUE(same(source.host(), in)) << "keys that are not written";
}

}  // namespace harness
