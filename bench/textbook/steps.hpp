// The machine of the textbooks: all operations of a step happen at the same time, and there are as many processors as it takes.
#pragma once
#include <cstddef>
#include <utility>

namespace textbook {

/// Runs the operations of a step one after the other, and counts: steps are the time on enough processors, operations the work.
class machine {
 public:
  /// f(i) for i < n. No operation of a step reads what another one of it stores.
  template <class F>
  void step(std::size_t n, F const& f) {
    ++steps_;
    for (std::size_t i = 0; i < n; ++i) f(i);
  }
  /// An application of the operator is what is counted as work; moves are not.
  template <class Op, class T>
  T apply(Op const& op, T const& a, T const& b) {
    ++operations_;
    return op(a, b);
  }
  std::size_t steps() const { return steps_; }
  std::size_t operations() const { return operations_; }

 private:
  std::size_t steps_ = 0, operations_ = 0;
};

/// The least power of two that is not below n.
inline std::size_t power_of_two_from(std::size_t n) {
  std::size_t power = 1;
  while (power < n) power *= 2;
  return power;
}

}  // namespace textbook
