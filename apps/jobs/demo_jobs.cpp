#include "demo_jobs.hpp"

#include <algorithm>

#include "io/numbers.hpp"

namespace lookback::app {

std::unique_ptr<scan_job> plain_job(array values, operation op, bool exclusive, bool reverse) {
  auto made = std::make_unique<scan_job>();
  made->values = std::move(values);
  made->op = op;
  made->exclusive = exclusive;
  made->reverse = reverse;
  made->title = title_of(*made, {});
  return made;
}

std::unique_ptr<scan_job> segmented_job(array values, operation op, std::string const& kind, array description) {
  auto made = plain_job(std::move(values), op);
  describe_segments(*made, kind, std::move(description));
  return made;
}

std::unique_ptr<select_job> above_mean_job(array values, bool in_place) {
  auto const mean = with_type(values.type, [&]<class T>(std::type_identity<T>) {
    long double sum = 0;
    for (T const x : values.as<T>()) sum += x;
    return scalar_of(values.n > 0 ? static_cast<T>(sum / values.n) : T{});
  });
  auto made = make_select_job(std::move(values), condition::above, mean, {});
  made->works_in_place = in_place;
  return made;
}

std::unique_ptr<kmers_job> frequent_words_job(std::string const& file) {
  kmers_options options;
  options.in = file;
  options.k = 11, options.top = 10;
  return make_kmers_job(options);
}

std::unique_ptr<sort_job> sorted_job(array keys, bool places) {
  sort_options options;
  if (places) options.indices_out = "places";
  return std::make_unique<sort_job>(sort_inputs{std::move(keys), {}, {}}, options);
}

std::unique_ptr<quicksort_job> by_magnitude_job(array keys) {
  quicksort_options options;
  options.by_magnitude = true;
  return std::make_unique<quicksort_job>(sort_inputs{std::move(keys), {}, {}}, options);
}

std::unique_ptr<lines_job> different_lines_job(std::string const& file) {
  lines_options options;
  options.in = file;
  options.unique = true;
  return make_lines_job(options);
}

std::unique_ptr<records_job> sorted_rows_job(std::string const& file, std::size_t column, header_line header) {
  records_options options;
  options.in = file, options.by = text_of(column), options.header = header;
  return make_records_job(options);
}

array ones(index_t n) {
  array made = make_array(element::i32, n);
  std::fill_n(made.memory.as<std::int32_t>(), n, 1);
  return made;
}

}  // namespace lookback::app
