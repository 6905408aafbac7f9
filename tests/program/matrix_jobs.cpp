// What the commands of matrices are made of: checks that must see what is wrong, types, statistics, indices of every width.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "dispatch/spmv_eigen.hpp"
#include "generate/matrix_generators.hpp"
#include "io/memory_left.hpp"
#include "jobs/check_spmv.hpp"
#include "jobs/contenders.hpp"
#include "jobs/matrix_vector.hpp"
#include "jobs/pagerank_job.hpp"
#include "jobs/row_statistics.hpp"
#include "jobs/spmv_job.hpp"
#include "matrix_texts.hpp"

using namespace lookback;
using namespace lookback::app;
using ::testing::HasSubstr;

namespace {

template <class T>
array array_of(std::vector<T> const& values) {
  array made = make_array(element_of<T>(), static_cast<index_t>(values.size()));
  std::copy(values.begin(), values.end(), made.memory.as<T>());
  return made;
}

// A small matrix of a type, rows of 0 to some, its x and what is to be y.
template <class T>
struct example {
  matrix a = empty_rows(300, {.share = 0.2, .mean = 9}, {.columns = 200}, {.type = element::i32, .seed = 3});
  array x;
  std::vector<T> y = std::vector<T>(300);
  dispatch::spmv_request request;
  T alpha{}, beta{};

  example() {
    a.values = as_product_type(std::move(a.values), element_of<T>());
    x = counted_vector(element_of<T>(), 200);
    request.rows = 300, request.columns = 200, request.nonzeros = a.nonzeros();
    request.offsets = a.offsets.data, request.column_indices = a.column_indices.data;
    request.values = a.values.data, request.type = element_of<T>();
    request.x = x.data, request.y = y.data();
  }
};

template <class F>
void each_type(F f) {
  f(std::int32_t{}), f(std::int64_t{}), f(float{}), f(double{}), f(std::complex<float>{}), f(std::complex<double>{});
}

}  // namespace

TEST(matrix_jobs, products_of_every_type_pass_and_a_wrong_row_does_not) {
  each_type([]<class T>(T) {
    for (bool const scaled : {false, true}) {
      example<T> e;
      e.alpha = T(3), e.beta = T(-2);
      std::fill(e.y.begin(), e.y.end(), T(7));
      auto const before = e.y;
      if (scaled) e.request.alpha = &e.alpha, e.request.beta = &e.beta;
      dispatch::multiply({}, e.request);
      auto const check = [&](std::vector<T> const& y) {
        auto asked = e.request;
        auto scaled_from = before;
        asked.y = scaled_from.data();
        return first_difference(asked, y.data());
      };
      EXPECT_EQ(check(e.y), "");
      auto wrong = e.y;
      wrong[17] += T(1);
      EXPECT_THAT(check(wrong), HasSubstr("1 of 300 rows: row 18: found "));
      for (std::size_t const row : {40, 50, 60}) wrong[row] += T(1);
      EXPECT_THAT(check(wrong), HasSubstr("4 of 300 rows: row 18: "));
      EXPECT_THAT(check(wrong), HasSubstr("; row 51: found"));
      EXPECT_EQ(check(wrong).find("row 61"), std::string::npos);
    }
  });
}

TEST(matrix_jobs, a_float_that_is_off_by_more_than_roundings_differs) {
  example<double> e;
  dispatch::multiply({}, e.request);
  auto const longest = std::max_element(e.y.begin(), e.y.end());
  *longest *= 1 + 1e-12;
  EXPECT_THAT(first_difference(e.request, e.y.data()), HasSubstr("1 of 300 rows"));
  *longest = NAN;
  EXPECT_THAT(first_difference(e.request, e.y.data()), HasSubstr("found nan"));
  *longest = INFINITY;
  EXPECT_THAT(first_difference(e.request, e.y.data()), HasSubstr("found inf"));
}

// 2 (row length + 1 + log2 tiles) eps |A||x|: of one nonzero in one tile 4 eps.
TEST(matrix_jobs, the_bound_is_that_of_the_row) {
  double const value = 1, x = 1, eps = std::numeric_limits<double>::epsilon();
  std::int32_t const offsets[] = {0, 1}, column = 0;
  double y = 1;
  dispatch::spmv_request r{
      .rows = 1, .columns = 1, .nonzeros = 1, .offsets = offsets, .column_indices = &column, .values = &value, .x = &x, .y = &y};
  y = 1 + 4 * eps;
  EXPECT_EQ(first_difference(r, &y), "");
  y = 1 + 5 * eps;
  EXPECT_THAT(first_difference(r, &y), HasSubstr("row 1: found 1.000000000000001"));
}

TEST(matrix_jobs, infinities_have_a_sign_and_are_no_nan) {
  double const values[] = {INFINITY, 1};
  std::int32_t const offsets[] = {0, 2}, columns[] = {0, 1};
  double const x[] = {1, 2};
  double y = INFINITY;
  dispatch::spmv_request r{
      .rows = 1, .columns = 2, .nonzeros = 2, .offsets = offsets, .column_indices = columns, .values = values, .x = x, .y = &y};
  EXPECT_EQ(first_difference(r, &y), "");
  for (double const other : {-1.0 / 0.0, std::nan(""), 1e308}) EXPECT_NE(first_difference(r, &other), "") << other;
}

TEST(matrix_jobs, indices_of_every_width_give_the_same) {
  each_type([]<class T>(T) {
    example<T> e;
    dispatch::multiply_with_loop(e.request);
    auto const wanted = e.y;
    auto const wide = [](array const& narrow) {
      array made = make_array(element::i64, narrow.n);
      std::copy_n(narrow.as<std::int32_t>().begin(), narrow.n, made.memory.as<std::int64_t>());
      return made;
    };
    auto const offsets = wide(e.a.offsets), columns = wide(e.a.column_indices);
    auto const expect_same = [&](dispatch::strategy how) {
      std::fill(e.y.begin(), e.y.end(), T(-1));
      auto asked = e.request;
      asked.how = how;
      dispatch::multiply({}, asked);
      EXPECT_EQ(first_difference(e.request, e.y.data()), "");
    };
    for (auto const how : {strategy::best, strategy::decoupled_look_back, strategy::sequential}) expect_same(how);
    if (dispatch::is_float(element_of<T>())) expect_same(strategy::reduce_then_scan);
    e.request.offsets = offsets.data, e.request.offset_type = element::i64;
    expect_same(strategy::best);
    e.request.column_indices = columns.data, e.request.column_type = element::i64;
    EXPECT_FALSE(dispatch::eigen_takes(e.request));
    if (dispatch::is_float(element_of<T>())) expect_same(strategy::best);
    else EXPECT_THROW(dispatch::multiply({}, e.request), dispatch::unavailable);
    // Both references are the same.
    dispatch::multiply_with_loop(e.request);
    EXPECT_EQ(e.y, wanted);
    e.request.offsets = e.a.offsets.data, e.request.offset_type = element::i32;
    e.request.column_indices = e.a.column_indices.data, e.request.column_type = element::i32;
    for (int const threads : {1, 2}) {
      dispatch::multiply_with_eigen(e.request, threads);
      EXPECT_EQ(e.y, wanted);  // small integers in every type
    }
  });
}

TEST(matrix_jobs, types_of_products) {
  using e = element;
  auto const type = [](std::initializer_list<std::optional<element>> parts, std::optional<element> precision = {}) {
    return product_type(parts, precision);
  };
  EXPECT_EQ(type({e::i64}), e::i64);
  EXPECT_EQ(type({e::i32, e::u8, e::i16}), e::i32);
  EXPECT_EQ(type({e::i32, e::u32}), e::i64);
  EXPECT_EQ(type({e::i32, std::nullopt, e::i64}), e::i64);
  EXPECT_EQ(type({e::f32}), e::f32);
  EXPECT_EQ(type({e::f32, e::f64}), e::f64);
  EXPECT_EQ(type({e::f32, e::i32}), e::f64);
  EXPECT_EQ(type({e::f32, e::c64}), e::c64);
  EXPECT_EQ(type({e::f64, e::c64}), e::c128);
  EXPECT_EQ(type({e::i64, e::c128}, e::f32), e::c64);
  EXPECT_EQ(type({e::i64}, e::f32), e::f32);
  EXPECT_EQ(type({e::f32}, e::f64), e::f64);
}

TEST(matrix_jobs, indices_are_narrowed_where_they_fit) {
  auto const wide = array_of<std::int64_t>({0, 5, (std::int64_t{1} << 31) - 1});
  EXPECT_EQ(matrix_texts::shown(narrowed_indices(array_of<std::int64_t>({0, 5}), 5)), "2 of i32: 0 5");
  array same = array_of<std::int64_t>({0, 5});
  EXPECT_EQ(narrowed_indices(std::move(same), std::int64_t{1} << 31).type, element::i64);
  array edge = array_of<std::int64_t>({0, (std::int64_t{1} << 31) - 1});
  EXPECT_EQ(matrix_texts::shown(narrowed_indices(std::move(edge), wide.as<std::int64_t>()[2])), "2 of i32: 0 2147483647");
}

TEST(matrix_jobs, statistics_of_rows) {
  auto const of = statistics_of_rows(array_of<std::int64_t>({0, 3, 5, 5, 6}));  // 3 2 0 1
  EXPECT_EQ(of.shortest, 0);
  EXPECT_EQ(of.longest, 3);
  EXPECT_EQ(of.empty, 1);
  EXPECT_EQ(of.mean, 1.5);
  EXPECT_EQ(of.median, 1.5);
  EXPECT_NEAR(of.variation, std::sqrt(1.25) / 1.5, 1e-15);
  EXPECT_EQ(statistics_of_rows(array_of<std::int32_t>({0, 7, 8, 12})).median, 4);
  EXPECT_EQ(statistics_of_rows(array_of<std::int32_t>({0})).longest, 0);
}

namespace {
outputs ranked(job const& of) {
  outputs out;
  places at;
  for (auto const bytes : of.room()) at.out.push_back(out.emplace_back(bytes).data());
  for (auto const& input : of.inputs()) at.in.push_back(input.data());
  of.run({}, strategy::best, false, at);
  return out;
}
}  // namespace

TEST(matrix_jobs, a_wrong_rank_differs) {
  auto const job = make_pagerank_job(unweighted(rmat({.scale = 8})));
  auto const out = ranked(*job);
  EXPECT_EQ(job->first_difference(out), "");
  EXPECT_EQ(job->shortcoming(out), "");
  out[0].as<double>()[77] *= 1 + 1e-9;
  EXPECT_THAT(job->first_difference(out), HasSubstr("page 78: found "));
}

// Whoever takes the last change for smaller than it is stops too early, with ranks that are right for so many steps.
TEST(matrix_jobs, a_wrong_change_differs) {
  auto const job = make_pagerank_job(unweighted(rmat({.scale = 8})), {.most_iterations = 3});
  auto const out = ranked(*job);
  EXPECT_EQ(job->first_difference(out), "");
  EXPECT_NE(job->shortcoming(out), "");
  pagerank_end end = end_in(out);
  end.change = 0;
  std::memcpy(out.back().data(), &end, sizeof end);
  EXPECT_EQ(job->shortcoming(out), "");
  EXPECT_THAT(job->first_difference(out), HasSubstr("the last change: found 0, expected 0."));
}

TEST(matrix_jobs, more_pages_than_memory) {
  matrix links;
  links.rows = links.columns = index_t{1} << 50;
  links.from = "links.mtx";
  links.values = make_array(element::f64, 0);
  try {
    make_pagerank_job(std::move(links));
    ADD_FAILURE() << "not refused";
  } catch (out_of_memory const& e) {
    EXPECT_THAT(e.what(), HasSubstr("links.mtx: a graph of 1,125,899,906,842,624 pages and 0 links needs "));
  }
}

// What pages, links and weights of 1 need is one sum. None of the links are there: who reads or makes any, fails.
TEST(matrix_jobs, pages_and_links_are_refused_together) {
  auto const of_left = [](double share, double bytes) {
    return static_cast<index_t>(share * static_cast<double>(memory_left()) / bytes);
  };
  auto const refused = [](index_t pages, index_t links, bool without_weights) {
    matrix m;
    m.rows = m.columns = pages;
    m.values.type = element::f64, m.column_indices.type = element::i32;
    m.values.n = m.column_indices.n = links;
    EXPECT_THROW(make_pagerank_job(std::move(m), {}, 10, without_weights), out_of_memory);
  };
  refused(of_left(0.6, 56), of_left(0.6, 12), false);
  refused(3, of_left(0.75, 12), true);
}

// What is timed after a peer has all CPUs: none of its threads is left that looks for work.
TEST(matrix_jobs, no_thread_of_a_peer_outlives_its_timing) {
  if (!dispatch::eigen_has_threads()) GTEST_SKIP() << "Eigen was compiled without OpenMP";
  auto const threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  auto const job = make_spmv_job(poisson_2d(200));
  common_options options;
  options.threads = 3;
  runner const on = make_runner(back_end::cpu, options);
  job_memory memory(on, *job);
  for (auto const& who : contenders_for(*job, back_end::cpu, strategy::best, false)) {
    if (who.name != "Eigen OpenMP") continue;
    auto const before = threads();
    phase_times times;
    memory.run(*job, who.run, times);
    ASSERT_EQ(threads(), before + 2);
    kernel_seconds(who, *job, memory, 2, 2);
    for (int tries = 0; tries < 1000 && threads() > before; ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(threads(), before);
    return;
  }
  ADD_FAILURE() << "no peer of several threads";
}

// Enough runs, but no more than need be where one takes long.
TEST(matrix_jobs, runs_of_a_kernel_end_early_where_they_take_long) {
  auto const job = make_spmv_job(poisson_2d(3));
  common_options options;
  options.threads = 1;
  runner const on = make_runner(back_end::cpu, options);
  job_memory memory(on, *job);
  int runs = 0;
  auto const counted = [&](int milliseconds) {
    runs = 0;
    return contender{"it", back_end::cpu, contender_kind::peer, strategy::best, [&runs, milliseconds](auto const&, auto const&) {
                       ++runs;
                       std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                     }};
  };
  kernel_seconds(counted(0), *job, memory, 2, 9);
  EXPECT_EQ(runs, 10) << "the first is not counted";
  kernel_seconds(counted(300), *job, memory, 1, 9);
  EXPECT_EQ(runs, 3) << "two of them are half a second";
  kernel_seconds(counted(300), *job, memory, 3, 9);
  EXPECT_EQ(runs, 4);
}

// On the CPU there is nothing to plan, on a GPU nothing for what few people compute with.
TEST(matrix_jobs, a_plan_is_for_floats_on_a_gpu) {
  auto const job = make_spmv_job(poisson_2d(20));
  auto request = job->request({});
  EXPECT_FALSE(dispatch::offers_plan(back_end::cpu, request));
  EXPECT_TRUE(job->prepared_forms(back_end::cpu).empty());
  EXPECT_EQ(job->about_prepared(back_end::cpu), "");
  EXPECT_EQ(job->about_prepared(back_end::gpu), "") << "before it has run";
  dispatch::place here;
  here.where = back_end::cpu;
  EXPECT_THROW(dispatch::plan(here, request), dispatch::unavailable);
  bool const has_gpu_code = dispatch::offers_spmv(back_end::gpu, strategy::best, element::f64, element::i32);
  for (auto const& [type, column_type, offered] : {std::tuple{element::f32, element::i32, true},
                                                   {element::f64, element::i32, true},
                                                   {element::f64, element::i64, false},
                                                   {element::i32, element::i32, false},
                                                   {element::c64, element::i32, false}}) {
    request.type = type, request.column_type = column_type;
    EXPECT_EQ(dispatch::offers_plan(back_end::gpu, request), offered && has_gpu_code);
  }
  request.type = element::f64, request.column_type = element::i32;
  request.reproducible = true;
  EXPECT_FALSE(dispatch::offers_plan(back_end::gpu, request));
  request.reproducible = false, request.how = strategy::reduce_then_scan;
  EXPECT_FALSE(dispatch::offers_plan(back_end::gpu, request));
  auto const planned = [&](strategy how, bool reproducible) {
    auto const list = contenders_for(*job, back_end::gpu, how, reproducible);
    return std::count_if(list.begin(), list.end(),
                         [](contender const& who) { return who.name == "lookback planned" && who.kind == contender_kind::ours; });
  };
  EXPECT_EQ(planned(strategy::best, false), has_gpu_code ? 1 : 0);
  EXPECT_EQ(planned(strategy::decoupled_look_back, false), has_gpu_code ? 1 : 0);
  EXPECT_EQ(planned(strategy::reduce_then_scan, false), 0);
  EXPECT_EQ(planned(strategy::best, true), 0) << "products by it are those without";
}

// Eigen's matrices have one type of index, of 4 bytes: the loop is named where it is what is compared with.
TEST(matrix_jobs, the_reference_is_named) {
  auto const job = make_spmv_job(poisson_2d(3));
  EXPECT_EQ(job->reference(), "Eigen");
  job->a.offsets.type = element::i64;
  EXPECT_EQ(job->reference(), "a plain loop");
  job->a.offsets.type = element::i32, job->a.column_indices.type = element::i64;
  EXPECT_EQ(job->reference(), "a plain loop");
}

TEST(matrix_jobs, what_a_page_hands_on) {
  matrix links;
  links.rows = links.columns = 3;
  links.offsets = array_of<std::int32_t>({0, 2, 2, 3});
  links.column_indices = array_of<std::int32_t>({1, 2, 0});
  links.values = array_of<std::int64_t>({3, 1, 9});
  auto const passed = passed_by(links);
  EXPECT_EQ(matrix_texts::shown(passed.turned), "3 x 3 of f64: 1,3=1 2,1=0.75 3,1=0.25");
  EXPECT_EQ(passed.dangling_pages, 1);
  EXPECT_EQ(passed.dangling.as<std::uint8_t>()[1], 1);
  EXPECT_FALSE(is_plain_graph(links));
  EXPECT_TRUE(is_plain_graph(unweighted(std::move(links))));
}
