// Compaction and runs of anything: random numbers of items, runs, flags, places in memory and policies, ten thousand cases.
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "keyed.hpp"
#include "property.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

struct properties_of_runs : on_device {};

/// Keys that change at `starts` and there only, flags, and where the arrays begin.
struct runs_case {
  std::vector<std::uint32_t> keys;
  std::vector<flag> flags;
  std::uint8_t misaligned;
  bool in_place;

  friend std::ostream& operator<<(std::ostream& to, runs_case const& c) {
    to << "n = " << c.keys.size() << ", " << starts_of_runs(c.keys, lookback::equal_to{}).size() - 1 << " runs, misaligned by ";
    return to << int{c.misaligned} << (c.in_place ? ", in place" : "");
  }
};

inline rc::Gen<runs_case> any_runs() {
  return rc::gen::exec([] {
    runs_case c;
    std::size_t const n = any_number_of_items();
    generator random(*rc::gen::arbitrary<std::uint64_t>());
    c.keys = items_of<std::uint32_t>(any_heads(n, random));
    c.flags = any_heads(n, random);
    c.misaligned = *rc::gen::inRange<std::uint8_t>(0, 17);
    c.in_place = *rc::gen::arbitrary<bool>();
    return c;
  });
}

/// The front of `out` is `want`, and nobody wrote beside it.
template <class T>
void front_is(array<T> const& out, index_t count, std::vector<T> const& want) {
  RC_ASSERT(count == std::ssize(want));
  auto got = out.host();
  got.resize(want.size());
  holds(same(got, want));
  RC_ASSERT(out.intact());
}

TEST_F(properties_of_runs, what_is_flagged_is_kept) {
  check_property("flags", 3000, [] {
    auto const c = *any_runs();
    std::vector<std::uint32_t> want;
    for (std::size_t i = 0; i < c.keys.size(); ++i)
      if (c.flags[i] != 0) want.push_back(c.keys[i]);
    each_policy([&](auto const& on) {
      array<std::uint32_t> in(c.keys, c.misaligned), apart(c.keys.size(), c.misaligned / 2);
      array<flag> const flags(c.flags, c.misaligned);
      auto& out = c.in_place ? in : apart;
      front_is(out, lookback::select_flagged(on, in, flags, out), want);
    });
  });
}

TEST_F(properties_of_runs, runs_are_encoded_and_decoded) {
  check_property("runs", 4000, [] {
    auto const c = *any_runs();
    auto const starts = starts_of_runs(c.keys, lookback::equal_to{});
    std::vector<std::uint32_t> firsts;
    std::vector<std::int32_t> lasting;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r)
      firsts.push_back(c.keys[starts[r]]), lasting.push_back(static_cast<std::int32_t>(starts[r + 1] - starts[r]));
    each_one_pass_policy([&](auto const& on) {
      array<std::uint32_t> in(c.keys, c.misaligned), apart(c.keys.size(), c.misaligned / 2), back(c.keys.size(), c.misaligned);
      array<std::int32_t> lengths(c.keys.size(), c.misaligned);
      auto& values = c.in_place ? in : apart;
      index_t const count = lookback::run_length_encode(on, in, values, lengths);
      front_is(values, count, firsts);
      front_is(lengths, count, lasting);
      auto const number = static_cast<std::size_t>(count);
      front_is(back, lookback::run_length_decode(on, std::span(values.data(), number), std::span(lengths.data(), number), back),
               c.keys);
      front_is(back, lookback::unique(on, back), firsts);
    });
  });
}

/// Operands that may not be swapped.
TEST_F(properties_of_runs, runs_are_reduced_in_order) {
  check_property("reductions", 4000, [] {
    auto const c = *any_runs();
    auto const values = random_values<ends>(c.keys.size(), c.keys.size());
    auto const starts = starts_of_runs(c.keys, lookback::equal_to{});
    std::vector<std::uint32_t> firsts;
    std::vector<ends> want;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
      firsts.push_back(c.keys[starts[r]]);
      want.push_back(values[starts[r]]);
      for (std::size_t i = starts[r] + 1; i < starts[r + 1]; ++i) want.back() = join_ends{}(want.back(), values[i]);
    }
    each_one_pass_policy([&](auto const& on) {
      array<std::uint32_t> in(c.keys, c.misaligned), apart(c.keys.size(), c.misaligned / 2);
      array<ends> const of(values, c.misaligned);
      array<ends> out(c.keys.size(), c.misaligned);
      auto& keys = c.in_place ? in : apart;
      index_t const count = lookback::reduce_by_key(on, in, of, keys, out, join_ends{});
      front_is(keys, count, firsts);
      front_is(out, count, want);
    });
  });
}
