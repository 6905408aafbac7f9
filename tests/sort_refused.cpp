// What may lie on top of what in a sort, and which sizes and options are refused: always before anything is written.
#include <lookback/radix_sort.hpp>
#include <span>

#include "check_sort.hpp"
#include "refused.hpp"

using namespace harness;

struct sort_refused : on_device {};

constexpr std::size_t part_size = 1000;

/// body(sort) with memory of some parts, each of `part_size` words: sort(...) is one call with the options of the algorithm.
struct parts {
  array<std::uint32_t> memory{random_values<std::uint32_t>(6 * part_size, 1)};
  std::span<std::uint32_t> from(std::size_t begin, std::size_t count = part_size) { return {memory.data() + begin, count}; }
  std::span<std::uint32_t> operator[](std::size_t k) { return from(k * part_size); }
};

template <class Body>
void each_refusal(Body body) {
  each_policy([&](auto const& on) {
    parts p;
    with_algorithm(on, [&](auto... options) {
      auto const refused = [&](std::string const& why, auto const& call) {
        SCOPED_TRACE(why);
        expect_refused(
            p.memory, [&] { call(options...); }, why);
      };
      body(on, p, refused);
    });
  });
}

TEST_F(sort_refused, keys_over_keys) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    for (std::size_t const shift : {std::size_t{1}, part_size / 2, part_size - 1}) {
      refused("keys_out", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p.from(shift), o...); });
      refused("keys_out", [&](auto... o) { lookback::radix_sort_copy(on, p.from(shift), p[0], o...); });
    }
  });
}

TEST_F(sort_refused, values_over_keys) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    for (std::size_t const shift : {std::size_t{0}, std::size_t{1}, part_size - 1}) {
      refused("overlaps", [&](auto... o) { lookback::radix_sort(on, p[0], p.from(shift), o...); });
      refused("overlaps", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p[1], p[2], p.from(shift), o...); });
      refused("overlaps", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p[1], p.from(part_size + shift), p[2], o...); });
      refused("overlaps", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p[1], p[2], p.from(2 * part_size + shift), o...); });
      refused("overlaps", [&](auto... o) {
        lookback::radix_sort_copy(on, p[0], p[1], p[2], p.from(part_size + std::max<std::size_t>(shift, 1)), o...);
      });
    }
  });
}

/// The number of items lies in memory where the policy works, and would change while it is read.
TEST_F(sort_refused, numbers_of_items_in_what_is_written) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    auto const counted = [&](std::size_t k) {
      return lookback::first(p[0],
                             {index_t{part_size}, reinterpret_cast<index_t const*>(p.from(k * part_size + part_size - 2).data())});
    };
    refused("number of items", [&](auto... o) { lookback::radix_sort_copy(on, counted(3), p[3], o...); });
    refused("number of items", [&](auto... o) { lookback::radix_sort_copy(on, counted(3), p[1], p[3], p[4], o...); });
    refused("number of items", [&](auto... o) { lookback::radix_sort_copy(on, counted(4), p[1], p[3], p[4], o...); });
    refused("number of items", [&](auto... o) { lookback::argsort(on, counted(2), p[2], o...); });
  });
}

TEST_F(sort_refused, values_over_other_values) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    for (std::size_t const shift : {std::size_t{0}, std::size_t{1}, part_size - 1}) {
      refused("overlaps", [&](auto... o) { lookback::radix_sort(on, p[0], lookback::zip(p[1], p.from(part_size + shift)), o...); });
      refused("overlaps", [&](auto... o) {
        lookback::radix_sort_copy(on, p[0], lookback::zip(p[1], p[2]), p[3], lookback::zip(p[4], p.from(4 * part_size + shift)),
                                  o...);
      });
    }
    // Two arrays that change places.
    refused("overlaps", [&](auto... o) {
      lookback::radix_sort_copy(on, p[0], lookback::zip(p[1], p[2]), p[3], lookback::zip(p[2], p[1]), o...);
    });
  });
}

TEST_F(sort_refused, indices_over_keys) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    for (std::size_t const shift : {std::size_t{0}, std::size_t{1}, part_size - 1}) {
      refused("overlaps", [&](auto... o) { lookback::argsort(on, p[0], p.from(shift), o...); });
      refused("overlaps", [&](auto... o) { lookback::argsort(on, p.from(shift), p[0], o...); });
    }
  });
}

TEST_F(sort_refused, arrays_that_are_too_short) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    auto const one_less = [&](std::size_t k) { return p.from(k * part_size, part_size - 1); };
    refused("keys_out has room", [&](auto... o) { lookback::radix_sort_copy(on, p[0], one_less(1), o...); });
    refused("keys_out has room", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p[1], one_less(2), p[3], o...); });
    refused("a value for every key", [&](auto... o) { lookback::radix_sort(on, p[0], one_less(1), o...); });
    refused("a value for every key", [&](auto... o) { lookback::radix_sort(on, p[0], lookback::zip(p[1], one_less(2)), o...); });
    refused("values_out has room", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p[1], p[2], one_less(3), o...); });
    refused("indices has room", [&](auto... o) { lookback::argsort(on, p[0], one_less(1), o...); });
    refused("at least n", [&](auto... o) {
      lookback::radix_sort_copy(on, lookback::first(p[0], static_cast<index_t>(part_size) + 1), p[1], o...);
    });
  });
}

/// Sizes that nobody has memory for: refused before it is looked at.
TEST_F(sort_refused, indices_that_are_too_narrow) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    auto const check = [&](auto index, std::size_t n) {
      std::span const keys(reinterpret_cast<std::uint8_t const*>(p.memory.data()), n);
      std::span const indices(reinterpret_cast<decltype(index)*>(p.memory.data()), n);
      refused("indices can name", [&](auto... o) { lookback::argsort(on, keys, indices, o...); });
    };
    check(std::int32_t{}, (std::size_t{1} << 31) + 1);
    check(std::uint32_t{}, (std::size_t{1} << 32) + 1);
  });
}

TEST_F(sort_refused, bits_that_a_key_has_not) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    for (auto const& [begin, end] : {std::pair{-1, 3}, {0, 33}, {5, 4}, {33, 33}, {32, 40}, {-5, -1}}) {
      auto const some = lookback::bits{begin, end};
      refused("bits{begin, end}", [&](auto... o) { lookback::radix_sort(on, p[0], some, o...); });
      refused("bits{begin, end}", [&](auto... o) { lookback::radix_sort_copy(on, p[0], p[1], p[2], p[3], some, o...); });
      refused("bits{begin, end}", [&](auto... o) { lookback::argsort(on, p[0], p[1], o..., some); });
    }
    std::span<bool> const truths(reinterpret_cast<bool*>(p.memory.data()), 0);
    refused("bits{begin, end}", [&](auto... o) { lookback::radix_sort(on, truths, lookback::bits{0, 2}, o...); });
  });
}

/// Segments lie where nothing is written.
TEST_F(sort_refused, offsets_under_an_output) {
  each_policy([&](auto const& on) {
    parts p;
    auto const refused = [&](std::string const& why, auto const& call) {
      SCOPED_TRACE(why);
      expect_refused(p.memory, call, why);
    };
    for (std::size_t const shift : {std::size_t{0}, std::size_t{1}, part_size - 1}) {
      auto const touched = [&](std::size_t out, auto const& call) {
        auto const where = p.from(out * part_size + shift), apart = p[5].first(part_size / 2);
        refused("offsets of segments", [&] { call(lookback::offsets(where)); });
        refused("offsets of segments", [&] { call(lookback::offsets(where.first(1), apart.first(1))); });
        refused("offsets of segments", [&] { call(lookback::offsets(apart.first(1), where.first(1))); });
      };
      touched(0, [&](auto said) { lookback::radix_sort(on, p[0], said); });
      touched(1, [&](auto said) { lookback::radix_sort_copy(on, p[0], p[1], said); });
      touched(3, [&](auto said) { lookback::radix_sort_copy(on, p[0], p[1], p[2], p[3], said); });
      touched(1, [&](auto said) { lookback::argsort(on, p[0], p[1], said); });
    }
  });
}

TEST_F(sort_refused, segments_that_are_none) {
  each_policy([&](auto const& on) {
    parts p;
    auto const refused = [&](std::string const& why, auto const& call) {
      SCOPED_TRACE(why);
      expect_refused(p.memory, call, why);
    };
    refused("a begin and an end", [&] { lookback::radix_sort(on, p[0], lookback::offsets(p[1], p[2].first(part_size - 1))); });
    refused("a begin and an end", [&] { lookback::argsort(on, p[0], p[1], lookback::offsets(p[2].first(0), p[3])); });
    refused("at least one position", [&] { lookback::radix_sort(on, p[0], lookback::offsets(p[1].first(0))); });
    refused("given by offsets", [&] { lookback::radix_sort(on, p[0], lookback::rows_of(10)); });
    refused("given by offsets", [&] { lookback::argsort(on, p[0], p[1], lookback::head_flags(p[2])); });
  });
}

TEST_F(sort_refused, a_direction) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    auto const backwards = on.with(lookback::right_to_left);
    refused("no direction", [&](auto... o) { lookback::radix_sort(backwards, p[0], o...); });
    refused("no direction", [&](auto... o) { lookback::radix_sort_copy(backwards, p[0], p[1], o...); });
    refused("no direction", [&](auto... o) { lookback::radix_sort(backwards, p[0], p[1], o...); });
    refused("no direction", [&](auto... o) { lookback::argsort(backwards, p[0], p[1], o...); });
  });
}

TEST_F(sort_refused, a_negative_number_of_keys) {
  each_refusal([](auto const& on, parts& p, auto const& refused) {
    auto const some = lookback::first(p[0], index_t{-1});
    refused("negative", [&](auto... o) { lookback::radix_sort_copy(on, some, p[1], o...); });
    refused("negative", [&](auto... o) { lookback::argsort(on, some, p[1], o...); });
  });
}

/// Exactly the input, or neighbours: fine.
TEST_F(sort_refused, but_not_neighbours_that_only_touch) {
  each_policy([&](auto const& on) {
    parts p;
    auto const all = p.memory.host();
    auto const words = [&](std::vector<std::uint32_t> const& from, std::size_t k) {
      auto const begin = from.begin() + static_cast<std::ptrdiff_t>(k * part_size);
      return std::vector<std::uint32_t>(begin, begin + part_size);
    };
    auto const keys = words(all, 1);
    auto const places = oracle::sorted_places<std::uint32_t>(keys, {}, false);
    with_algorithm(on, [&](auto... options) {
      lookback::radix_sort_copy(on, p[1], lookback::zip(p[0], p[2]), p[3], lookback::zip(p[4], p[2]), options...);
    });
    auto const got = p.memory.host();
    EXPECT_TRUE(same(words(got, 3), oracle::taken(keys, places)));
    EXPECT_TRUE(same(words(got, 4), oracle::taken(words(all, 0), places)));
    EXPECT_TRUE(same(words(got, 2), oracle::taken(words(all, 2), places)));
    for (std::size_t const untouched : {0u, 1u, 5u}) EXPECT_TRUE(same(words(got, untouched), words(all, untouched)));
  });
}

/// Nothing to sort, and no memory.
TEST_F(sort_refused, but_not_empty_arrays) {
  each_policy([&](auto const& on) {
    std::span<std::uint32_t> const none;
    with_algorithm(on, [&](auto... options) {
      lookback::radix_sort(on, none, options...);
      lookback::radix_sort(on, none, lookback::zip(none, none), options...);
      lookback::radix_sort_copy(on, none, none, options...);
      lookback::argsort(on, none, none, options...);
    });
    wait(on);
  });
}
