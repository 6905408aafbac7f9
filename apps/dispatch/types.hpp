// The words of the run-time table: what an element is, what is done with it, how and where. Enums and raw pointers only, so that
// a C ABI and other languages can stand on it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <lookback/error.hpp>

namespace lookback::dispatch {

/// Complex numbers are for products of matrices alone.
enum class element : std::uint8_t { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128 };
enum class operation : std::uint8_t { plus, multiplies, min, max, bit_and, bit_or, bit_xor };
enum class back_end : std::uint8_t { cpu, gpu };

/// `best` is the back end's own choice: decoupled look-back. `textbook` is a way to sort, no way to scan.
enum class strategy : std::uint8_t {
  best,
  decoupled_look_back,
  chained,
  auxiliary_block,
  reduce_then_scan,
  immediate_look_back,
  sequential_look_back,
  wide_look_back,
  fenced_look_back,
  fast_tracked_look_back,
  waiting_look_back,
  scan_then_propagate,
  lifted,
  lifted_reduce_then_scan,
  sequential,
  textbook
};
/// Those of scans, the default first. Nobody can ask for one that is not listed.
inline constexpr strategy scan_strategies[] = {strategy::decoupled_look_back,     strategy::chained,
                                               strategy::auxiliary_block,         strategy::reduce_then_scan,
                                               strategy::immediate_look_back,     strategy::sequential_look_back,
                                               strategy::wide_look_back,          strategy::fenced_look_back,
                                               strategy::fast_tracked_look_back,  strategy::waiting_look_back,
                                               strategy::scan_then_propagate,     strategy::lifted,
                                               strategy::lifted_reduce_then_scan, strategy::sequential};
constexpr bool is_default(strategy how) { return how == strategy::best || how == strategy::decoupled_look_back; }
/// Is it there to be compared? Such are compiled for few types, which has_every_strategy() names.
constexpr bool is_compared(strategy how) { return how > strategy::decoupled_look_back && how < strategy::sequential; }
constexpr bool is_of_cpu_alone(strategy how) { return how == strategy::sequential || how == strategy::waiting_look_back; }
constexpr bool is_of_gpu_alone(strategy how) {
  return how >= strategy::sequential_look_back && how <= strategy::fast_tracked_look_back;
}
/// Has the back end a form of it for scans?
constexpr bool has_strategy(back_end where, strategy how) {
  return how != strategy::textbook && !(where == back_end::cpu ? is_of_gpu_alone(how) : is_of_cpu_alone(how));
}
/// What a command stores: every value of a scan, of one segment or of segments which something describes; products of a matrix; or
/// something else.
enum class values_of : std::uint8_t { no_scan, products, scan, scan_by_heads, scan_by_offsets };
/// Does it finish values that are already stored? Then only a command that stores every value of a scan has it.
constexpr bool needs_every_value(strategy how) { return how == strategy::scan_then_propagate; }
/// Is it a way to run segmented scans alone? The lifted ones read heads, not offsets.
constexpr bool is_lifted(strategy how) { return how == strategy::lifted || how == strategy::lifted_reduce_then_scan; }
constexpr bool needs_segments(strategy how) { return is_lifted(how) || how == strategy::fast_tracked_look_back; }
constexpr bool can_store(back_end where, strategy how, values_of what) {
  // What would be the default under another name: one warp looks back along the merge path, and a CPU asks at once but in scans.
  if (how == strategy::wide_look_back) return what != values_of::products;
  if (how == strategy::immediate_look_back && where == back_end::cpu) return what >= values_of::scan;
  if (is_lifted(how)) return what == values_of::scan_by_heads;
  if (needs_segments(how)) return what >= values_of::scan_by_heads;
  return !needs_every_value(how) || what >= values_of::scan;
}

/// Has a command the strategy? `compiled_for_all` tells whether its types are among those that have the strategies that are there
/// to be compared.
constexpr bool has_form(back_end where, strategy how, bool compiled_for_all, values_of what = values_of::no_scan) {
  return has_strategy(where, how) && can_store(where, how, what) && (compiled_for_all || !is_compared(how));
}

/// This build, or this machine, has no such back end, device or strategy.
struct unavailable : error {
  using error::error;
};

constexpr std::size_t size_of(element type) {
  constexpr std::size_t bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return bytes[static_cast<int>(type)];
}
/// f(an unsigned integer of 1, 2, 4 or 8 bytes): for what depends on the width alone.
template <class F>
constexpr decltype(auto) with_width_of(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// An unsigned integer as wide as the type.
template <class F>
constexpr decltype(auto) with_width(element type, F&& f) {
  return with_width_of(size_of(type), f);
}

/// Calls f.template operator()<T>() with a type of at least 4 bytes.
template <class F>
void with_wide_type(element type, F&& f) {
  switch (type) {
    case element::i32:
      return f.template operator()<std::int32_t>();
    case element::u32:
      return f.template operator()<std::uint32_t>();
    case element::i64:
      return f.template operator()<std::int64_t>();
    case element::u64:
      return f.template operator()<std::uint64_t>();
    case element::f32:
      return f.template operator()<float>();
    default:
      return f.template operator()<double>();
  }
}

constexpr bool is_float(element type) { return type == element::f32 || type == element::f64; }
constexpr bool is_complex(element type) { return type >= element::c64; }
constexpr bool is_signed_integer(element type) { return type <= element::i64; }

/// The name that files and options use: "i32", "f64" ...
constexpr char const* name_of(element type) {
  constexpr char const* names[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "c64", "c128"};
  return names[static_cast<int>(type)];
}
constexpr char const* name_of(operation op) {
  constexpr char const* names[] = {"plus", "multiplies", "min", "max", "and", "or", "xor"};
  return names[static_cast<int>(op)];
}
constexpr char const* name_of(back_end where) { return where == back_end::cpu ? "cpu" : "gpu"; }
constexpr char const* name_of(strategy how) {
  constexpr char const* names[] = {"best",
                                   "decoupled-look-back",
                                   "chained",
                                   "auxiliary-block",
                                   "reduce-then-scan",
                                   "immediate-look-back",
                                   "sequential-look-back",
                                   "wide-look-back",
                                   "fenced-look-back",
                                   "fast-tracked-look-back",
                                   "waiting-look-back",
                                   "scan-then-propagate",
                                   "lifted",
                                   "lifted-reduce-then-scan",
                                   "sequential",
                                   "textbook"};
  return names[static_cast<int>(how)];
}

/// Bits of floats are nobody's numbers.
constexpr bool is_defined(operation op, element type) { return !is_complex(type) && (op < operation::bit_and || !is_float(type)); }

}  // namespace lookback::dispatch
