#include "spmv_job.hpp"

#include "check_spmv.hpp"
#include "dispatch/peers.hpp"
#include "io/matrix_rows.hpp"
#include "io/memory_left.hpp"
#include "io/read_matrix.hpp"
#include "matrix_vector.hpp"
#include "report/clock.hpp"
#include "report/table.hpp"
#include "row_statistics.hpp"
#include "spmv_chunks.hpp"

namespace lookback::app {

namespace {

std::span<std::byte const> bytes_of(array const& of) { return {of.data, of.bytes()}; }

void expect_length(array const& of, index_t n, char const* each) {
  if (of.n != n) refuse(of.from, "size", grouped(of.n) + " elements", grouped(n) + ", one for each " + each + " of the matrix");
}

std::optional<element> precision_named(std::string const& name) {
  if (name.empty()) return {};
  if (name == "f32") return element::f32;
  if (name == "f64") return element::f64;
  throw usage_error("--precision: found '" + name + "', expected f32 or f64");
}

// .npy and Matrix Market say themselves what they hold: the words about vectors are for the others, of which there must be one.
bool says_itself(std::string const& path) { return extension_of(path) == ".npy" || names_matrix_market(path); }

std::optional<array> vector_in(std::string const& path, input_format const& format, input_reading* times) {
  if (path.empty()) return {};
  return read_input(path, says_itself(path) ? input_format{} : format, input_role::vector, times);
}

// What matrices and vectors become when their type is known.
std::unique_ptr<spmv_job> job_of(matrix a, std::optional<array> x, std::optional<array> y, element type) {
  if (x) expect_length(*x, a.columns, "column");
  else
    expect_memory(a.from, "x of " + grouped(a.columns) + " elements", static_cast<std::size_t>(a.columns), dispatch::size_of(type));
  if (y) expect_length(*y, a.rows, "row");
  auto made = std::make_unique<spmv_job>();
  made->a = std::move(a);
  auto& m = made->a;
  std::string const from = m.from;
  m.values = as_product_type(std::move(m.values), type);
  m.values.from = from;
  m.offsets = narrowed_indices(std::move(m.offsets), m.nonzeros());
  m.column_indices = narrowed_indices(std::move(m.column_indices), m.columns - 1);
  made->x = x ? as_product_type(std::move(*x), type) : counted_vector(type, m.columns);
  if (y) made->y = as_product_type(std::move(*y), type);
  made->title = "y = A x";
  return made;
}

}  // namespace

std::vector<std::span<std::byte const>> spmv_job::inputs() const {
  std::vector<std::span<std::byte const>> all{bytes_of(a.offsets), bytes_of(a.column_indices), bytes_of(a.values), bytes_of(x)};
  if (adds) all.insert(all.begin(), bytes_of(y));  // in place: it becomes the result
  return all;
}

dispatch::spmv_request spmv_job::request(places const& at) const {
  dispatch::spmv_request made;
  made.rows = a.rows, made.columns = a.columns, made.nonzeros = a.nonzeros();
  made.offset_type = a.offsets.type, made.column_type = a.column_indices.type, made.type = a.values.type;
  if (scales) made.alpha = alpha.bytes;
  if (adds) made.beta = beta.bytes;
  if (at.in.empty()) return made;  // asked what it is, not to run
  auto const* const from = at.in.data() + (adds ? 1 : 0);
  made.offsets = from[0], made.column_indices = from[1], made.values = from[2], made.x = from[3];
  made.y = at.out[0];
  return made;
}

bool spmv_job::offers(back_end where, strategy how) const {
  return dispatch::offers_spmv(where, how, a.values.type, a.column_indices.type);
}

void spmv_job::run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  asked.reproducible = reproducible;
  dispatch::multiply(on, asked);
}

// On a CPU the matrix lies where it was read to. Where a block begins changes how floats are associated.
std::unique_ptr<chunked_job> spmv_job::in_chunks(back_end where, bool reproducible) const {
  return where == back_end::cpu || reproducible ? nullptr : blocks_of_rows(*this);
}

// What the contender that has a plan tells for the line about it.
struct spmv_job::plan_made {
  double seconds = 0, share = 0;
  index_t columns = 0;
  std::string why_none;  // no room
};

spmv_job::spmv_job() : plan_{std::make_shared<std::optional<plan_made>>()} { command = "spmv"; }

std::vector<peer_call> spmv_job::prepared_forms(back_end where) const {
  if (!dispatch::offers_plan(where, request({}))) return {};
  // Places are the same from run to run: a contender keeps its memory.
  return {{"lookback planned", false,
           [this, by = std::shared_ptr<dispatch::planned_matrix const>(), is_first = true](dispatch::place const& on,
                                                                                           places const& at) mutable {
             auto const asked = request(at);
             if (std::exchange(is_first, false)) {
               stopwatch clock;
               try {
                 by = dispatch::plan(on, asked);
                 *plan_ = {clock.lap(), by->cached_share(), by->cached_columns(), {}};
               } catch (out_of_memory const& e) {
                 *plan_ = {0, 0, 0, e.what()};
               }
             }
             if (by) by->multiply(on, asked);
             else dispatch::multiply(on, asked);
           }}};
}

std::string spmv_job::about_prepared(back_end where) const {
  if (where != back_end::gpu || !*plan_) return {};
  auto const& made = **plan_;
  std::string const who = "lookback planned: ";
  if (!made.why_none.empty()) return who + "there is no plan, so its products run as without one: " + made.why_none + ".\n";
  std::string const plan =
      who + "the cold run made the plan in " + time_text(made.seconds) + ", loading of kernels included. The plan keeps ";
  if (made.columns == 0) return plan + "nothing of x, because that would not pay: its products run as without a plan.\n";
  return plan + "x of " + grouped(made.columns) + (made.columns == 1 ? " column, which holds " : " columns, which hold ") +
         fixed_text(100 * made.share, 1) + " % of the nonzeros.\n";
}

std::vector<peer_call> spmv_job::peers(back_end where) const {
  std::vector<peer_call> list;
  for (auto const& peer : dispatch::spmv_peers())
    if (peer.where == where && peer.takes(request({})))
      list.push_back({peer.name, peer.is_ceiling,
                      [this, run = peer.start()](dispatch::place const& on, places const& at) { run(on, request(at)); }});
  return list;
}

std::string spmv_job::about_peers(back_end where) const {
  if (where == back_end::cpu)
    return "Eigen, loop and lookback sequential run on one thread. memcpy only copies the values of the matrix.\n";
  if (auto const none = dispatch::why_no_spmv_peers(); !none.empty()) return "cuSPARSE is not among the peers: " + none + ".\n";
  return "The cold run of cuSPARSE includes its descriptors, buffers, preprocessing and, for COO, the row index of every "
         "nonzero.\n";
}

std::vector<array_view> spmv_job::results(outputs const& out) const { return {{a.values.type, {a.rows}, out[0].data(), {}}}; }

// Each word once: values, column indices, offsets and x are read, y is written, and read where beta adds it.
byte_counts spmv_job::moved(outputs const&) const {
  auto const y_bytes = dispatch::size_of(a.values.type) * static_cast<std::size_t>(a.rows);
  return bytes_of(a.values.bytes() + a.column_indices.bytes() + a.offsets.bytes() + x.bytes() + (adds ? y_bytes : 0), y_bytes);
}
std::string spmv_job::moved_text() const {
  return adds ? "values, column indices, offsets and x each once, y twice" : "values, column indices, offsets, x and y each once";
}

std::string spmv_job::first_difference(outputs const& out) const {
  places at;
  for (auto const& input : inputs()) at.in.push_back(input.data());
  at.out.push_back(adds ? const_cast<std::byte*>(y.data) : nullptr);
  return app::first_difference(request(at), out[0].data());
}

std::string spmv_job::reference() const { return spmv_reference(request({})); }

std::string spmv_job::tolerance() const { return spmv_tolerance(request({})); }

std::string spmv_job::finding(outputs const&) const {
  std::string text = grouped(a.rows) + " rows, " + grouped(a.columns) + " columns, " + grouped(a.nonzeros()) + " nonzeros\n  " +
                     text_of(statistics_of_rows(a.offsets), a.rows);
  if (!dispatch::is_float(a.values.type) && !dispatch::is_complex(a.values.type))
    text += std::string("\n  integers: sums are ") + dispatch::name_of(a.values.type) + " and wrap modulo 2^" +
            text_of(8 * dispatch::size_of(a.values.type)) + "; --precision f64 computes with floats";
  return text;
}

std::vector<std::pair<std::string, double>> spmv_job::facts(outputs const&) const {
  auto const rows = statistics_of_rows(a.offsets);
  return {{"rows", static_cast<double>(a.rows)},
          {"columns", static_cast<double>(a.columns)},
          {"nonzeros", static_cast<double>(a.nonzeros())},
          {"shortest_row", static_cast<double>(rows.shortest)},
          {"mean_row", rows.mean},
          {"median_row", rows.median},
          {"longest_row", static_cast<double>(rows.longest)},
          {"empty_rows", static_cast<double>(rows.empty)},
          {"variation_of_rows", rows.variation}};
}

std::unique_ptr<spmv_job> make_spmv_job(matrix a, std::optional<array> x, std::optional<element> precision) {
  auto const type = product_type({a.values.type, x ? std::optional(x->type) : std::nullopt}, precision);
  return job_of(std::move(a), std::move(x), {}, type);
}

std::unique_ptr<job> read_spmv_job(spmv_options const& options, input_reading* times) {
  auto const precision = precision_named(options.precision);
  if (options.beta.empty() != options.y.empty())
    throw usage_error(options.y.empty() ? "--beta needs -y, the vector that it scales" : "-y needs --beta, which scales it");
  auto const format = format_of(options.type, options.column, options.header, "--dtype", input_role::vector);
  auto const needs_none = [](std::string const& path) { return path.empty() || says_itself(path); };
  bool const says_header = format.header != header_line::automatic;
  if ((format.type || format.column || says_header) && needs_none(options.x) && needs_none(options.y))
    throw usage_error(std::string(format.type     ? "--dtype"
                                  : format.column ? "--column"
                                                  : "--header") +
                      ": neither -x nor -y names a raw or text file");
  auto a = read_matrix(options.matrix, times);
  for (auto const& one : a.notes) note(one);
  auto const type_of = [](std::optional<array> const& of) { return of ? std::optional(of->type) : std::nullopt; };
  auto x = vector_in(options.x, format, times), y = vector_in(options.y, format, times);
  auto const type = product_type({a.values.type, type_of(x), type_of(y)}, precision);
  // Before the work of a conversion.
  auto const factor = [&](std::string const& text, char const* option) {
    return text.empty() ? scalar{} : parse_factor(text, type, option);
  };
  auto const alpha = factor(options.alpha, "--alpha"), beta = factor(options.beta, "--beta");
  auto made = job_of(std::move(a), std::move(x), std::move(y), type);
  made->alpha = alpha, made->beta = beta;
  made->scales = !options.alpha.empty();
  // By 0 nothing is added, and y is not read.
  made->adds = !options.beta.empty() && with_matrix_type(type, [&]<class T>(std::type_identity<T>) { return beta.as<T>() != T{}; });
  auto const times_text = [](std::string const& text) {
    return text.empty() ? text : text.find_first_of("+-i") == std::string::npos ? text + " " : "(" + text + ") ";
  };
  made->title = "y = " + times_text(options.alpha) + "A x" + (options.beta.empty() ? "" : " + " + times_text(options.beta) + "y");
  return made;
}

}  // namespace lookback::app
