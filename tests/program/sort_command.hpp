// lookback sort and quicksort from outside: keys, their order by std::stable_sort, and how the program is run on them.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "program.hpp"

// Few different values, so that equal ones have an order to keep.
template <class T>
std::vector<T> some_keys(std::size_t n) {
  std::mt19937_64 random(7);
  std::vector<T> keys(n);
  for (auto& key : keys) key = static_cast<T>(static_cast<T>(random() % 100) - static_cast<T>(std::is_signed_v<T> ? 50 : 0));
  keys[n / 2] = std::numeric_limits<T>::lowest(), keys[n / 3] = std::numeric_limits<T>::max();
  return keys;
}

template <class T, class Before>
std::vector<std::int64_t> places_in_order(std::vector<T> const& keys, Before before) {
  std::vector<std::int64_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::int64_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
    return before(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
  });
  return places;
}

template <class T>
std::vector<T> at_places(std::vector<T> const& all, std::vector<std::int64_t> const& places) {
  std::vector<T> made;
  for (auto const place : places) made.push_back(all[static_cast<std::size_t>(place)]);
  return made;
}

// Of no item, of one, of what fits a warp, a block and neither, in no order.
inline std::vector<std::int64_t> const some_offsets{0,    0,    1,    3,     34,    34,    66,    99,    700,
                                                    1212, 1725, 1726, 14000, 40000, 40000, 41000, 41003, 41003};

template <class T, class Before>
std::vector<std::int64_t> places_in_segments(std::vector<T> const& keys, std::vector<std::int64_t> const& offsets, Before before) {
  std::vector<std::int64_t> places;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    for (auto const place : places_in_order(std::vector<T>(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]), before))
      places.push_back(offsets[s] + place);
  return places;
}

class sort_command : public program {
 protected:
  outcome succeeds(std::vector<std::string> words, std::vector<std::string> const& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--validate");
    auto done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    return done;
  }
  template <class T>
  std::vector<T> content(std::string const& name) {
    auto const file = open_npy(read(name));
    EXPECT_THAT(file.dict, ::testing::HasSubstr("'" + descr_of<T>() + "'")) << name;
    return elements<T>(file.data);
  }
  void refused(int code, std::vector<std::string> const& words, std::vector<std::string> const& parts) {
    auto const before = files();
    auto const done = run(words);
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_LT(done.seconds, soon);
    for (auto const& part : parts) EXPECT_THAT(done.err, ::testing::HasSubstr(part));
    EXPECT_EQ(files(), before);
  }
  /// The bits of sorted floats: == cannot tell zeros and NaNs apart.
  std::vector<std::uint32_t> sorted_bits(std::vector<std::string> const& more) {
    succeeds({"sort", "in.npy", "-o", "out.npy"}, more);
    return elements<std::uint32_t>(open_npy(read("out.npy")).data);
  }
};
