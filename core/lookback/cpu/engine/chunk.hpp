// One chunk of a call that is cut: what the chunk before has left, and what this one leaves.
#pragma once
#include "../../error.hpp"
#include "../../policy.hpp"
#include "../../source.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// A whole call: nothing comes before it, nothing after.
template <class Carry>
struct chunk {
  explicit chunk(no_carry) {}
  template <class T>
  static maybe<T> open() {
    return {};
  }
  static constexpr bool is_last = true;
};

template <class S, class Key>
class chunk<carry<S, Key>> {
 public:
  explicit chunk(carry<S, Key> const& c) : is_last{!c.out}, carry_{c} {}

  bool is_last;  // what is open ends with it

  /// What was scanned of the segment that is open before the first item.
  template <class T>
  maybe<T> open() const {
    return carry_.in && carry_.in->any ? maybe<T>{static_cast<T>(carry_.in->value)} : maybe<T>{};
  }
  index_t items_before() const { return carry_.in ? carry_.in->count : 0; }

  /// Leaves what is open behind n items, some of them; `heads` knows the last key.
  template <class T, class Heads>
  void leave(maybe<T> const& open, index_t n, Heads const& heads) const {
    if (!carry_.out) return;
    if constexpr (requires { heads.last_key(carry_.out->last_key); }) heads.last_key(carry_.out->last_key);
    leave(open, n);
  }
  template <class T>
  void leave(maybe<T> const& open, index_t n) const {
    if (!carry_.out) return;
    carry_.out->count = items_before() + n;
    carry_.out->any = open.has;
    if (open.has) carry_.out->value = static_cast<S>(open.value);
  }
  /// A chunk without items leaves what it was given.
  void pass_on() const {
    if (carry_.out && carry_.in) *carry_.out = *carry_.in;
    else if (carry_.out) carry_.out->any = false, carry_.out->count = 0;
  }

 private:
  carry<S, Key> carry_;
};

template <class Carry>
chunk(Carry) -> chunk<Carry>;

}  // namespace detail

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
