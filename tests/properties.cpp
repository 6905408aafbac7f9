// Scans of anything: random sizes, values, segments, forms and policies, ten thousand cases.
#include <span>

#include "check_scan.hpp"
#include "property.hpp"
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

inline rc::Gen<scan_case> any_case() {
  return rc::gen::exec([] {
    scan_case c;
    c.in.resize(any_number_of_items());
    generator random(*rc::gen::arbitrary<std::uint64_t>());
    for (auto& x : c.in) x = static_cast<std::int32_t>(random.next());
    c.starts = any_heads(c.in.size(), random);
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
    holds(same(out.host(), want));
    RC_ASSERT(out.intact() && source.intact());
  });
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
