#include "pagerank_job.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "io/matrix_rows.hpp"
#include "io/memory_left.hpp"
#include "io/read_matrix.hpp"
#include "plain_pagerank.hpp"
#include "report/clock.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

std::span<std::byte const> bytes_of(array const& of) { return {of.data, of.bytes()}; }

// The order of inputs and outputs.
enum input_place { at_offsets, at_columns, at_values, at_start, at_dangling, at_ends };
enum output_place { at_ranks, at_other, at_sums, at_end };

// How far an iteration has come: the change falls by about the same factor each time.
double share_done(double change, pagerank_law const& law, index_t iterations) {
  double const by_count = static_cast<double>(iterations) / static_cast<double>(std::max<index_t>(law.most_iterations, 1));
  if (!(change > 0) || !(law.tolerance > 0) || law.tolerance >= 1) return by_count;
  return std::clamp(std::log(change) / std::log(law.tolerance), by_count, 1.0);
}

double sum_of(std::span<double const> ranks) {
  long double sum = 0;
  for (double const rank : ranks) sum += rank;
  return static_cast<double>(sum);
}

}  // namespace

pagerank_end end_in(outputs const& out) {
  pagerank_end end{};
  std::memcpy(&end, out[at_end].data(), sizeof end);
  return end;
}

std::vector<std::span<std::byte const>> pagerank_job::inputs() const {
  auto const& m = passed.turned;
  return {bytes_of(m.offsets), bytes_of(m.column_indices), bytes_of(m.values),
          bytes_of(start),     bytes_of(passed.dangling),  bytes_of(ends)};
}
std::vector<std::size_t> pagerank_job::room() const {
  return {start.bytes(), start.bytes(), sizeof(dispatch::step_sums), sizeof(pagerank_end)};
}
std::vector<std::size_t> pagerank_job::used(outputs const&) const { return {start.bytes(), 0, 0, sizeof(pagerank_end)}; }

bool pagerank_job::offers(back_end where, strategy how) const {
  return dispatch::offers_spmv(where, how, element::f64, passed.turned.column_indices.type) && dispatch::offers_step(where, how);
}

void pagerank_job::run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const {
  auto const& m = passed.turned;
  double alpha = law.damping, beta = 0;  // times start, which is 1/n
  dispatch::spmv_request product{.rows = m.rows,
                                 .columns = m.columns,
                                 .nonzeros = m.nonzeros(),
                                 .offsets = at.in[at_offsets],
                                 .offset_type = m.offsets.type,
                                 .column_indices = at.in[at_columns],
                                 .column_type = m.column_indices.type,
                                 .values = at.in[at_values],
                                 .type = element::f64,
                                 .alpha = &alpha,
                                 .beta = &beta,
                                 .how = how,
                                 .reproducible = reproducible};
  dispatch::step_request step{.marks = static_cast<std::uint8_t const*>(at.in[at_dangling]),
                              .n = m.rows,
                              .ends = static_cast<index_t const*>(at.in[at_ends]),
                              .scratch = static_cast<dispatch::step_sums*>(at.out[at_sums]),
                              .how = how,
                              .reproducible = reproducible};
  auto* ranks = static_cast<double*>(at.out[at_ranks]);
  auto* other = static_cast<double*>(at.out[at_other]);
  dispatch::copy(on, ranks, at.in[at_start], start.bytes());
  index_t const additions = dispatch::additions_of_step(on.where, reproducible, m.rows);
  pagerank_end end{0, m.rows > 0 ? std::numeric_limits<double>::infinity() : 0, additions};
  double dangling = m.rows > 0 ? static_cast<double>(passed.dangling_pages) / static_cast<double>(m.rows) : 0;
  progress line("iterating", 1);
  while (end.iterations < law.most_iterations && end.change > law.tolerance) {
    dispatch::copy(on, other, at.in[at_start], start.bytes());
    beta = 1 - law.damping + law.damping * dangling;
    product.x = ranks, product.y = other;
    dispatch::multiply(on, product);
    step.before = ranks, step.after = other;
    auto const sums = dispatch::sum_step(on, step);
    std::swap(ranks, other);
    end = {end.iterations + 1, sums.change, additions};
    dangling = sums.marked;
    line.at(share_done(end.change, law, end.iterations));
  }
  if (ranks != at.out[at_ranks]) dispatch::copy(on, at.out[at_ranks], ranks, start.bytes());
  dispatch::copy(on, at.out[at_end], &end, sizeof end);
}

std::vector<peer_call> pagerank_job::peers(back_end where) const {
  if (where == back_end::gpu) return {};
  return {{"loop", false, [this](dispatch::place const&, places const& at) {
             auto const made = plain_pagerank(links, law);
             std::memcpy(at.out[at_ranks], made.ranks.data(), start.bytes());
             pagerank_end const end{made.iterations, made.change, 0};
             std::memcpy(at.out[at_end], &end, sizeof end);
           }}};
}

std::vector<array_view> pagerank_job::results(outputs const& out) const {
  return {{element::f64, {start.n}, out[at_ranks].data(), {}}};
}

byte_counts pagerank_job::moved(outputs const& out) const {
  auto const& m = passed.turned;
  auto const read = m.offsets.bytes() + m.column_indices.bytes() + m.values.bytes() + start.bytes();
  auto const times = static_cast<double>(end_in(out).iterations);
  return {times * static_cast<double>(read), times * static_cast<double>(start.bytes())};
}
std::string pagerank_job::moved_text() const {
  return "in every iteration values, column indices, offsets, old and new ranks each once";
}

std::string pagerank_job::first_difference(outputs const& out) const {
  auto const end = end_in(out);
  // As many iterations: when to stop may turn on the last bit.
  auto const want = plain_pagerank(links, {law.damping, -1, end.iterations});
  auto const* const got = out[at_ranks].as<double>();
  // All terms are positive: the relative error of a rank is that of its worst term, and half an eps for each rounding since. A term
  // passes as many additions as its row has links, or those of the rank of dangling pages, and a few more operations; here and in
  // the reference, which makes one eps of two halves. Twice that, for what is left out: products of errors.
  auto const additions = std::max(longest_row(passed.turned), end.additions);
  auto const roundings = static_cast<double>(end.iterations + 1) * static_cast<double>(additions + 8);
  double const bound = 2 * roundings * std::numeric_limits<double>::epsilon();
  for (index_t page = 0; page < start.n; ++page) {
    double const expected = want.ranks[static_cast<std::size_t>(page)];
    if (!(std::abs(got[page] - expected) <= bound * expected))
      return "page " + grouped(page + 1) + ": found " + text_of(got[page]) + ", expected " + text_of(expected) + " within " +
             text_of(bound * expected);
  }
  // It says when to stop: ranks of one sum, each off by as much.
  if (!(std::abs(end.change - want.change) <= 4 * bound))
    return "the last change: found " + text_of(end.change) + ", expected " + text_of(want.change) + " within " + text_of(4 * bound);
  return {};
}

std::string pagerank_job::finding(outputs const& out) const {
  auto const end = end_in(out);
  auto const ranks = std::span<double const>(out[at_ranks].as<double>(), static_cast<std::size_t>(start.n));
  std::string text = grouped(start.n) + " pages, " + grouped(links.nonzeros()) + " links, " +
                     share_text("dangling", passed.dangling_pages, start.n) + "\n  " + grouped(end.iterations) +
                     (end.iterations == 1 ? " iteration" : " iterations") + ", last change " + short_text(end.change) +
                     " (sum of |differences|), sum of ranks " + fixed_text(sum_of(ranks), 12);
  std::vector<index_t> order(ranks.size());
  std::iota(order.begin(), order.end(), index_t{0});
  auto const shown = order.begin() + std::min(top, start.n);
  std::partial_sort(order.begin(), shown, order.end(), [&](index_t a, index_t b) {
    double const one = ranks[static_cast<std::size_t>(a)], two = ranks[static_cast<std::size_t>(b)];
    return one != two ? one > two : a < b;
  });
  for (auto at = order.begin(); at != shown; ++at)
    text += "\n  " + grouped(at - order.begin() + 1) + ". page " + text_of(*at + 1) + ": " +
            short_text(ranks[static_cast<std::size_t>(*at)]);
  return text;
}

std::vector<std::pair<std::string, double>> pagerank_job::facts(outputs const& out) const {
  auto const end = end_in(out);
  return {{"pages", static_cast<double>(start.n)},
          {"links", static_cast<double>(links.nonzeros())},
          {"dangling_pages", static_cast<double>(passed.dangling_pages)},
          {"pagerank_iterations", static_cast<double>(end.iterations)},
          {"last_change", end.change}};
}

std::string pagerank_job::shortcoming(outputs const& out) const {
  auto const end = end_in(out);
  if (end.change <= law.tolerance) return {};
  return "no convergence: after " + grouped(end.iterations) + (end.iterations == 1 ? " iteration" : " iterations") +
         " the last change is " + text_of(end.change) + ", expected at most " + text_of(law.tolerance) +
         " (--tolerance, --iterations)";
}

std::unique_ptr<pagerank_job> make_pagerank_job(matrix links, pagerank_law const& law, index_t top, bool without_weights) {
  // What is made of them, before any of it is: the links turned around, and a few numbers a page.
  std::size_t const page_bytes = 56, column_bytes = dispatch::size_of(column_type_of_turned(links));
  std::size_t const link_bytes = column_bytes + (without_weights ? 2 : 1) * sizeof(double);
  expect_memory(links.from, "a graph of " + grouped(links.rows) + " pages and " + grouped(links.nonzeros()) + " links",
                static_cast<std::size_t>(links.rows) * page_bytes + static_cast<std::size_t>(links.nonzeros()) * link_bytes, 1);
  if (without_weights) links = unweighted(std::move(links));
  expect_graph(links);
  auto made = std::make_unique<pagerank_job>();
  made->passed = passed_by(links);
  made->links = std::move(links);
  index_t const n = made->links.rows;
  made->start = make_array(element::f64, n);
  std::fill_n(made->start.memory.as<double>(), n, 1 / static_cast<double>(n));
  made->ends = make_array(element::i64, 2);
  made->ends.memory.as<index_t>()[1] = n;
  made->law = law, made->top = top;
  made->title = "damping " + text_of(law.damping) + ", tolerance " + text_of(law.tolerance);
  return made;
}

std::unique_ptr<job> read_pagerank_job(pagerank_options const& options, input_reading* times) {
  auto const& law = options.law;
  if (!(law.damping >= 0 && law.damping <= 1)) throw usage_error("--damping: found " + text_of(law.damping) + ", expected 0 to 1");
  if (!(law.tolerance >= 0)) throw usage_error("--tolerance: found " + text_of(law.tolerance) + ", expected 0 or more");
  if (law.most_iterations < 1) throw usage_error("--iterations: found " + text_of(law.most_iterations) + ", expected 1 or more");
  if (options.top < 0) throw usage_error("--top: found " + text_of(options.top) + ", expected 0 or more");
  auto links = read_matrix(options.matrix, times);
  for (auto const& one : links.notes) note(one);
  stopwatch clock;
  auto made = make_pagerank_job(std::move(links), law, options.top, options.unweighted);
  if (times) times->parse += clock.lap();
  return made;
}

}  // namespace lookback::app
