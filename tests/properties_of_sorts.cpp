// Sorts of anything: random numbers of keys, how they are drawn, orders, bits, places in memory and policies.
#include <lookback/radix_sort.hpp>

#include "check_sort.hpp"
#include "property.hpp"

using namespace harness;

struct properties_of_sorts : on_device {};

/// Keys as their bits, how they are to be sorted, and where arrays begin.
template <class Key>
struct sort_case {
  std::vector<word_t<Key>> keys;
  sort_form how;
  std::uint8_t misaligned;
  bool in_place;

  friend std::ostream& operator<<(std::ostream& to, sort_case const& c) {
    to << describe(c.keys.size(), c.how) << ", misaligned by " << int{c.misaligned} << (c.in_place ? ", in place" : "");
    for (std::size_t i = 0; i < c.keys.size() && i < 8; ++i) to << ' ' << std::uint64_t{c.keys[i]};
    return to;
  }
};

template <class Key>
rc::Gen<sort_case<Key>> any_sort() {
  return rc::gen::exec([] {
    sort_case<Key> c;
    // Some are more than one block of a GPU sorts by itself.
    std::size_t const n =
        any_number_of_items() + (*rc::gen::inRange(0, 10) == 0 ? *rc::gen::inRange<std::size_t>(0, up_to(31'000)) : 0);
    std::uint64_t const seed = *rc::gen::arbitrary<std::uint64_t>();
    int const drawn = *rc::gen::inRange(0, 24);
    if (drawn < 12) c.keys = any_words<Key>(n, seed);
    else {
      auto all = distributions<word_t<Key>>(n);
      c.keys = std::move(all[static_cast<std::size_t>(drawn) % all.size()].keys);
    }
    c.how.descending = *rc::gen::arbitrary<bool>();
    c.how.nan_first = *rc::gen::arbitrary<bool>();
    if (*rc::gen::inRange(0, 3) == 0) {
      c.how.begin = *rc::gen::inRange(0, oracle::format<Key>::bits + 1);
      c.how.end = *rc::gen::inRange(c.how.begin, oracle::format<Key>::bits + 1);
    }
    c.misaligned = *rc::gen::inRange<std::uint8_t>(0, 17);
    c.in_place = *rc::gen::arbitrary<bool>();
    return c;
  });
}

template <class Key>
void keys_come_in_order(char const* what, int cases) {
  check_property(what, cases, [] {
    auto const c = *any_sort<Key>();
    auto const want = oracle::taken(c.keys, oracle::sorted_places<Key>(c.keys, c.how, true));
    each_one_pass_policy([&](auto const& on) {
      array<word_t<Key>> in(c.keys, c.misaligned), apart(c.keys.size(), c.misaligned / 2);
      auto& out = c.in_place ? in : apart;
      with_options(on, c.how,
                   [&](auto... options) { lookback::radix_sort_copy(on, keys_in<Key>(in), keys_in<Key>(out), options...); });
      holds(same(out.host(), want));
      RC_ASSERT(in.intact() && apart.intact());
    });
  });
}
TEST_F(properties_of_sorts, bytes_come_in_order) { keys_come_in_order<std::int8_t>("bytes", 2500); }
TEST_F(properties_of_sorts, words_come_in_order) { keys_come_in_order<std::uint32_t>("words", 1500); }
TEST_F(properties_of_sorts, floats_come_in_order) { keys_come_in_order<float>("floats", 1500); }

template <class Key, class Value>
void values_go_with_their_keys(char const* what, int cases) {
  check_property(what, cases, [] {
    auto const c = *any_sort<Key>();
    auto const values = random_values<Value>(c.keys.size(), 1);
    auto const places = oracle::sorted_places<Key>(c.keys, c.how, false);
    each_one_pass_policy([&](auto const& on) {
      array<word_t<Key>> in(c.keys, c.misaligned), apart(c.keys.size(), c.misaligned / 2);
      array<Value> of(values, c.misaligned), of_apart(c.keys.size(), c.misaligned);
      auto& out = c.in_place ? in : apart;
      auto& values_out = c.in_place ? of : of_apart;
      with_options(on, c.how, [&](auto... options) {
        lookback::radix_sort_copy(on, keys_in<Key>(in), of, keys_in<Key>(out), values_out, options...);
      });
      holds(same(out.host(), oracle::taken(c.keys, places)));
      holds(same(values_out.host(), oracle::taken(values, places)));
      RC_ASSERT(in.intact() && apart.intact() && of.intact() && of_apart.intact());
    });
  });
}
TEST_F(properties_of_sorts, values_go_with_short_keys) { values_go_with_their_keys<std::uint16_t, std::uint32_t>("pairs", 1800); }
TEST_F(properties_of_sorts, values_go_with_floats) { values_go_with_their_keys<float, triple>("floats with values", 1000); }

/// The places are a permutation, keys there come in order, and equal ones by their places: that says all.
TEST_F(properties_of_sorts, places_are_those_of_the_keys) {
  check_property("places", 1700, [] {
    auto const c = *any_sort<std::int16_t>();
    auto const places = oracle::sorted_places<std::int16_t>(c.keys, c.how, false);
    std::vector<std::int32_t> const want(places.begin(), places.end());
    each_one_pass_policy([&](auto const& on) {
      array<word_t<std::int16_t>> const in(c.keys, c.misaligned);
      array<std::int32_t> indices(c.keys.size(), c.misaligned / 2);
      with_options(on, c.how, [&](auto... options) { lookback::argsort(on, keys_in<std::int16_t>(in), indices, options...); });
      holds(same(indices.host(), want));
      RC_ASSERT(indices.intact());
    });
  });
}
