// Enters cuSPARSE into a contest: by each of its algorithms, as it is and prepared for the matrix.
#pragma once
#include <dispatch/cusparse.hpp>
#include <lookback/spmv_plan.cuh>

#include "harness.hpp"

namespace bench {

template <class T>
class spmv_peers {
 public:
  template <class Operands>
  spmv_peers(device& d, Operands& of) : rows_{d.filled(row_of_each(of.on_host.offsets))} {
    using namespace lookback::dispatch;
    if (auto const why = why_no_cusparse(); !why.empty()) throw std::runtime_error(why);
    for (auto const by :
         {cusparse_algorithm::csr_1, cusparse_algorithm::csr_2, cusparse_algorithm::coo_1, cusparse_algorithm::coo_2})
      for (bool const prepared : {false, true}) {
        auto const a = of.matrix();
        cusparse_matrix const matrix{
            a.rows,         a.columns, std::ssize(a.values), is_coo(by) ? rows_.data() : a.offsets.data(), a.column_indices.data(),
            a.values.data()};
        auto const product = std::make_shared<cusparse_product<T>>(matrix, of.x.data(), of.y.data(), by);
        if (prepared) product->preprocess(d.stream());
        all_.push_back({std::string("cusparse_") + name_of(by) + (prepared ? "_prepared" : ""), product});
      }
  }

  void enter(contest& c, device& d, timing how) const {
    for (auto const& each : all_)
      c.enter(each.name, d.timed(how, [product = each.product, stream = d.stream()] { product->enqueue(stream); }));
  }

 private:
  struct peer {
    std::string name;
    std::shared_ptr<lookback::dispatch::cusparse_product<T>> product;
  };
  static std::vector<std::int32_t> row_of_each(std::vector<std::int32_t> const& offsets) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(offsets.back()));
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
      std::fill(rows.begin() + offsets[r], rows.begin() + offsets[r + 1], static_cast<std::int32_t>(r));
    return rows;
  }

  array<std::int32_t> rows_;
  std::vector<peer> all_;
};

}  // namespace bench
