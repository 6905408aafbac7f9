// Scans of all items by plus, of one type.
#pragma once
#include <lookback/scan.hpp>

#include "dispatch/call_scan.hpp"
#include "forms.cuh"

namespace lookback::dispatch {

template <class T, class Tuning>
bool scan_by_form(place const& on, scan_request const& r) {
  if (r.heads || r.state || r.reproducible || !is_default(r.how) || r.op != operation::plus) return false;
  auto const queue = on_queue(on).with(Tuning{}).with(r.reverse ? right_to_left : left_to_right);
  auto const* const initial = static_cast<T const*>(r.initial);
  if (r.exclusive) exclusive_scan(queue, items_of<T>(r), room_of<T>(r), plus<T>{}, initial ? *initial : T{});
  else if (initial) inclusive_scan(queue, items_of<T>(r), room_of<T>(r), plus<T>{}, *initial);
  else inclusive_scan(queue, items_of<T>(r), room_of<T>(r), plus<T>{});
  return true;
}

template <class T>
struct scan_form {
  template <class Tuning>
  struct of {
    static tuned_form make() { return {.sizes = {}, .scan = scan_by_form<T, Tuning>}; }
  };
};

template <class T>
std::vector<tuned_form> const& scan_forms() {
  static auto const all = list_of_forms<scan_form<T>::template of>()
                              .add_grid(few_bytes{})
                              .template add_others<384, 80>()
                              .template add_others<256, 80>()
                              .template add_others<256, 112>()
                              .template add_others<320, 112>()
                              .template add_others<512, 48>();
  return all.all();
}

template <class T>
tuned_forms scan_forms_of(element type) {
  auto const& all = scan_forms<T>();
  return {"scan", type, sizeof(T), {384, 80, 3, 2}, all.data(), all.size()};
}

}  // namespace lookback::dispatch
