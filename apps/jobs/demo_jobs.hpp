// The jobs that the demo shows.
#pragma once
#include "decode_job.hpp"
#include "kmers_job.hpp"
#include "lines_job.hpp"
#include "pagerank_job.hpp"
#include "quicksort_job.hpp"
#include "records_job.hpp"
#include "reduce_job.hpp"
#include "runs_job.hpp"
#include "scan_job.hpp"
#include "select_job.hpp"
#include "sort_job.hpp"
#include "spmv_job.hpp"

namespace lookback::app {

std::unique_ptr<scan_job> plain_job(array values, operation op, bool exclusive = false, bool reverse = false);

/// By segments that `description` says: "heads", "head-bits", "offsets" or "keys".
std::unique_ptr<scan_job> segmented_job(array values, operation op, std::string const& kind, array description);

/// What lies above the mean of the values.
std::unique_ptr<select_job> above_mean_job(array values, bool in_place = false);

/// The words of 11 letters that a genome holds most often.
std::unique_ptr<kmers_job> frequent_words_job(std::string const& file);

/// In order, with the places that they had if `places` asks for them.
std::unique_ptr<sort_job> sorted_job(array keys, bool places = false);

/// By |x|, which takes a comparison.
std::unique_ptr<quicksort_job> by_magnitude_job(array keys);

/// The lines of a text in order, each once.
std::unique_ptr<lines_job> different_lines_job(std::string const& file);

/// The rows of a table in the order of one column, given by its index.
std::unique_ptr<records_job> sorted_rows_job(std::string const& file, std::size_t column, header_line header);

/// 1, n times.
array ones(index_t n);

}  // namespace lookback::app
