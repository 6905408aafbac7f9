// The quicksort of the textbooks, all segments at once: `quicksort(on, keys, less, textbook{})`. At first the array is one segment.
//
// A round splits every segment into what comes before its pivot, what is equal to it, and what comes behind it:
//
//   begin, end     of the segment of every item            two segmented scans
//   class          of every item, by one pivot a segment
//   list           places by class: 0, 1, 2                split_by
//   upto           how many of each class lie before       a scan
//   next           item j of a segment is the j-th of its class there, which the counts at its begin and its end tell
//   heads          what was equal has found its place: each is a segment of its own, as what is alone
//
// Items stay where they are until the end; what moves is the place that each has. Rounds end when every item is a segment.
// Source: Blelloch 1990; Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007.
#pragma once
#include <lookback/put_by_places.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/sort_options.hpp>
#include <lookback/split_by.hpp>
#include <span>

namespace lookback::detail {

struct earlier_one {
  LOOKBACK_FN index_t operator()(index_t a, index_t) const { return a; }
};
struct later_one {
  LOOKBACK_FN index_t operator()(index_t, index_t b) const { return b; }
};
struct this_place {
  LOOKBACK_FN index_t operator()(index_t i) const { return i; }
};

struct class_counts {
  index_t of[3];
};
struct add_counts {
  LOOKBACK_FN class_counts operator()(class_counts const& a, class_counts const& b) const {
    return {{a.of[0] + b.of[0], a.of[1] + b.of[1], a.of[2] + b.of[2]}};
  }
};

/// A round over n places: now[i] is where the item lies that is i-th so far, in segment [begin[i], last[i]].
template <class T, class Less>
struct quicksort_round {
  T const* in;
  Less less;
  index_t const *now, *begin, *last;
  std::uint64_t seed;

  LOOKBACK_FN index_t pivot_at(index_t i) const {
    std::uint64_t x = (static_cast<std::uint64_t>(begin[i]) + seed) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    return begin[i] + static_cast<index_t>((x >> 32) % static_cast<std::uint64_t>(last[i] - begin[i] + 1));
  }
  /// 0: item i comes before its pivot, 1: it is equal, 2: behind.
  LOOKBACK_CALLS_USER
  LOOKBACK_FN std::uint8_t operator()(index_t i) const {
    index_t const p = pivot_at(i);
    if (i == p) return 1;
    T const &item = in[now[i]], &pivot = in[now[p]];
    return less(item, pivot) ? 0 : less(pivot, item) ? 2 : 1;
  }
};
/// The class of item i, which was asked for once: a function may say something else the next time.
struct class_told {
  std::uint8_t const* classes;
  LOOKBACK_FN int operator()(index_t i) const { return classes[i]; }
};
struct counts_of_class {
  LOOKBACK_FN class_counts operator()(std::uint8_t c) const { return {{c == 0, c == 1, c == 2}}; }
};

/// Who comes to place j, and what begins there. Place i of the list of class c is list[starts[c] + i].
struct after_round {
  index_t const *now, *begin, *last, *list, *starts;
  class_counts const* upto;  // with the item itself

  struct found {
    int of;          // its class
    index_t before;  // of the class, in all segments before
    index_t rank;    // of the class, in this one
  };
  LOOKBACK_FN found at(index_t j) const {
    index_t const first = begin[j];
    index_t rank = j - first;
    for (int c = 0;; ++c) {
      index_t const before = first > 0 ? upto[first - 1].of[c] : 0, here = upto[last[j]].of[c] - before;
      if (rank < here || c == 2) return {c, before, rank};
      rank -= here;
    }
  }
  /// The place that comes to place j.
  LOOKBACK_FN index_t operator()(index_t j) const {
    found const f = at(j);
    return now[list[starts[f.of] + f.before + f.rank]];
  }
};
struct head_after_round {
  after_round all;
  LOOKBACK_FN std::uint8_t operator()(index_t j) const {
    auto const f = all.at(j);
    return f.of == 1 || f.rank == 0 ? 1 : 0;
  }
};
struct first_alone {
  LOOKBACK_FN std::uint8_t operator()(index_t i) const { return i == 0 ? 1 : 0; }
};
struct is_no_head {
  LOOKBACK_FN bool operator()(std::uint8_t head) const { return head == 0; }
};
struct begins_some {
  std::uint8_t const* heads;
  index_t n;
  LOOKBACK_FN bool operator()(index_t i) const { return heads[i] != 0 && i + 1 < n && heads[i + 1] == 0; }
};

/// report(round_left) is told after every round what it has to do in the next.
template <policy On, class Job, class Report>
void textbook_quicksort(On const& on, Job const& job, Report const& report) {
  using T = typename Job::item_type;
  using less = typename Job::order_type;
  static_assert(comparison<less>, "textbook{} of quicksort asks a function: opaque(less) of a natural order");
  index_t const n = job.size.bound;
  if (n <= 0) return;
  auto const items = static_cast<std::size_t>(n);
  auto const places = [&] { return scratch_for(on, n, std::type_identity<index_t>{}); };
  auto const one = places(), another = places(), begins = places(), lasts = places(), listed = places(),
             starts = scratch_for(on, 4, std::type_identity<index_t>{}), number = scratch_for(on, 1, std::type_identity<index_t>{});
  auto const counts = scratch_for(on, n, std::type_identity<class_counts>{});
  auto const marks = scratch_for(on, n, std::type_identity<std::uint8_t>{}),
             told = scratch_for(on, n, std::type_identity<std::uint8_t>{});
  std::span<index_t> now(one.data(), items), next(another.data(), items);
  std::span<index_t> const begin(begins.data(), items), last(lasts.data(), items), list(listed.data(), items);
  std::span<class_counts> const upto(counts.data(), items);
  std::span<std::uint8_t> const heads(marks.data(), items), classes(told.data(), items);
  auto const every = [&](auto const& f) { return first(generate(n, f), job.size); };
  auto const make = [&](auto const& out, auto const& f) { select_if_async(on, every(f), out, always{}, number.data()); };

  make(now, this_place{});
  make(heads, first_alone{});
  for (std::uint64_t round = 1; n > 1; ++round) {
    inclusive_segmented_scan(on, every(this_place{}), head_flags(heads), begin, earlier_one{});
    inclusive_segmented_scan(on.with(right_to_left), every(this_place{}), head_flags(heads), last, later_one{});
    make(classes, quicksort_round<T, less>{job.in, job.order, now.data(), begin.data(), last.data(), round});
    split_by<3>(on, every(this_place{}), list, class_told{classes.data()}, std::span(starts.data(), 4));
    inclusive_scan(on, mapped(first(classes, job.size), counts_of_class{}), upto, add_counts{});
    after_round const after{now.data(), begin.data(), last.data(), list.data(), starts.data(), upto.data()};
    make(next, after);
    make(heads, head_after_round{after});
    std::swap(now, next);
    round_left left{};
    left.items =
        select_if(on, first(heads, job.size), std::span(reinterpret_cast<std::uint8_t*>(list.data()), items), is_no_head{});
    if (left.items > 0) {
      left.segments = select_if(on, every(this_place{}), list, begins_some{heads.data(), n});
      left.items += left.segments;
    }
    report(left);
    if (left.items == 0) break;
  }

  auto const order = first(now, job.size);
  put_beside_by_places(on, order, job.beside, number.data());
  if (job.out) put_by_places(on, order, item_of_place<T>{job.in}, job.out, number.data());
}
struct no_report {
  void operator()(round_left const&) const {}
};
/// What textbook_rounds{report} among the options of a call holds; without one, a function that does nothing.
inline no_report report_of() { return {}; }
template <class Option, class... More>
auto report_of(Option const& option, More const&... more) {
  if constexpr (is_textbook_rounds<Option>) return option.report;
  else return report_of(more...);
}

}  // namespace lookback::detail
