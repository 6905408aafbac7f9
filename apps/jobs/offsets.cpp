#include "offsets.hpp"

#include "io/numbers.hpp"

namespace lookback::app {

namespace {

template <class T>
void check_offsets(array const& offsets, index_t n) {
  auto const at = offsets.as<T>();
  auto const wrong = [&](std::size_t k, std::string const& expected) {
    refuse(offsets.from, "item " + text_of(k), text_of(at[k]), expected);
  };
  if (at.empty()) refuse(offsets.from, "size", "no offsets", "at least one, which is 0");
  if (at[0] != 0) wrong(0, "0, where the first segment begins");
  for (std::size_t k = 1; k < at.size(); ++k)
    if (at[k] < at[k - 1]) wrong(k, "at least the " + text_of(at[k - 1]) + " before it: offsets never decrease");
    else if (at[k] > n) wrong(k, "at most n = " + text_of(n));
  if (at.back() != n) wrong(at.size() - 1, "n = " + text_of(n) + ", where the last segment ends");
}

}  // namespace

segments offsets_of(array const& offsets, index_t n) {
  if (offsets.type == element::i32) check_offsets<std::int32_t>(offsets, n);
  else if (offsets.type == element::i64) check_offsets<std::int64_t>(offsets, n);
  else refuse(offsets.from, "type", std::string("offsets of ") + dispatch::name_of(offsets.type), "i32 or i64");
  return offsets.type == element::i32 ? lookback::offsets(offsets.as<std::int32_t>())
                                      : lookback::offsets(offsets.as<std::int64_t>());
}

}  // namespace lookback::app
