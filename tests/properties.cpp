// Scans of anything: random sizes, values, segments, forms and policies, ten thousand cases, shrunk to the smallest that fails. The
// seed is printed; RC_PARAMS="seed=..." repeats it.
#include <rapidcheck.h>

#include <iostream>
#include <span>

#include "check_scan.hpp"
#include "shapes.hpp"
#include "types.hpp"

using namespace harness;

struct properties : on_device {};

/// One scan, drawn at random.
struct scan_case {
  std::vector<std::int32_t> in;
  heads starts;
  bool segmented, exclusive, has_initial, right_to_left, in_place;
  std::int32_t initial;
  std::uint8_t description, misaligned;

  friend std::ostream& operator<<(std::ostream& to, scan_case const& c) {
    to << describe(c.in.size(), c.exclusive, c.has_initial, c.right_to_left ? lookback::right_to_left : lookback::left_to_right);
    to << (c.segmented ? ", segmented by description " : "") << int{c.description} << ", misaligned by " << int{c.misaligned};
    return to << (c.in_place ? ", in place" : "");
  }
};

/// Mostly short, sometimes as long as many small tiles; heads from rare to everywhere.
inline rc::Gen<scan_case> any_case() {
  return rc::gen::exec([] {
    scan_case c;
    std::size_t const most = *rc::gen::element(std::size_t{3}, std::size_t{70}, std::size_t{700}, std::size_t{9000});
    std::size_t const n = *rc::gen::inRange<std::size_t>(0, most);
    generator random(*rc::gen::arbitrary<std::uint64_t>());
    std::uint64_t const spacing = *rc::gen::element(1, 2, 3, 20, 500, 100000);
    c.in.resize(n);
    c.starts.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      c.in[i] = static_cast<std::int32_t>(random.next());
      c.starts[i] = random.below(spacing) == 0;
    }
    c.segmented = *rc::gen::arbitrary<bool>();
    c.exclusive = *rc::gen::arbitrary<bool>();
    c.has_initial = *rc::gen::arbitrary<bool>();
    c.right_to_left = *rc::gen::arbitrary<bool>();
    c.in_place = *rc::gen::arbitrary<bool>();
    c.initial = *rc::gen::arbitrary<std::int32_t>();
    c.description = *rc::gen::inRange<std::uint8_t>(0, 4);
    c.misaligned = *rc::gen::inRange<std::uint8_t>(0, 17);
    return c;
  });
}

template <class T, class Op>
void scan_equals_the_plain_loop(scan_case const& c, std::vector<T> const& in, Op op, T const& initial) {
  oracle::form<T> how{{}, c.exclusive, c.right_to_left ? lookback::right_to_left : lookback::left_to_right, {}};
  if (c.has_initial || (c.exclusive && !lookback::has_identity<Op>)) how.initial = initial;
  if (c.segmented) how.heads = c.starts;
  auto const want = oracle::scan<T>(in, op, with_identity(op, how));
  each_policy([&](auto const& policy) {
    auto const on = policy.with(how.from);
    array<T> source(in, c.misaligned), apart(in.size(), c.misaligned);
    array<T>& out = c.in_place ? source : apart;
    auto const scan_with = [&](auto const& description, auto describe_it) {
      array const there(description, c.misaligned);
      scan_as(on, source, describe_it(there), out, op, how);
    };
    if (!c.segmented) scan_as(on, source, out, op, how);
    else if (c.description == 0) scan_with(flags_of<flag>(c.starts), [](auto const& a) { return lookback::head_flags(a); });
    else if (c.description == 1) scan_with(bits_of(c.starts), [](auto const& a) { return lookback::head_bits(a); });
    else if (c.description == 2)
      scan_with(offsets_of<std::int32_t>(c.starts, 2, 3), [](auto const& a) { return lookback::offsets(a); });
    else scan_with(keys_of<std::int32_t>(c.starts), [](auto const& a) { return lookback::keys(a); });
    auto const matches = same(out.host(), want);
    RC_LOG(std::string(matches.message()));
    RC_ASSERT(static_cast<bool>(matches));
    RC_ASSERT(out.intact() && source.intact());
  });
}

/// Runs a property as many times as `share` of all cases says, and tells the seed.
template <class Property>
void check_property(char const* what, int cases, Property property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = small() ? cases / 10 : cases;
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = what;
  auto const result = rc::detail::checkTestable(property, metadata, params);
  std::cout << what << ": seed=" << params.seed << '\n';
  rc::detail::printResultMessage(result, std::cout);
  std::cout << '\n';
  rc::detail::SuccessResult success;
  EXPECT_TRUE(result.match(success)) << "seed=" << params.seed;
}

TEST_F(properties, sums_of_integers) {
  check_property("sums", 6000, [] {
    auto const c = *any_case();
    scan_equals_the_plain_loop(c, c.in, lookback::plus<std::int32_t>{}, c.initial);
  });
}

TEST_F(properties, products_of_matrices) {
  check_property("matrices", 3000, [] {
    auto const c = *any_case();
    auto const matrices = random_values<matrix>(c.in.size(), static_cast<std::uint64_t>(c.initial));
    scan_equals_the_plain_loop(c, matrices, times_matrix{}, matrix{1, 2, 3, 4});
  });
}

TEST_F(properties, first_and_last) {
  check_property("first and last", 3000, [] {
    auto const c = *any_case();
    scan_equals_the_plain_loop(c, random_values<ends>(c.in.size(), 0), join_ends{}, ends{12345, 0});
  });
}
