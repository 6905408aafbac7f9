#include "spmv_chunks.hpp"

#include <algorithm>

namespace lookback::app {

namespace {

// Calls f(offsets) with the type they have.
template <class F>
auto with_offsets(array const& offsets, F f) {
  return offsets.type == element::i32 ? f(offsets.as<std::int32_t>()) : f(offsets.as<std::int64_t>());
}

// What is cut are rows. A block is brought its part of the matrix, whose offsets begin at 0; x stays there.
class row_blocks final : public chunked_job {
 public:
  explicit row_blocks(spmv_job const& of) : job_{of} {}

  index_t items(job const&) const override { return job_.a.rows; }
  index_t multiple() const override { return 1; }  // no row is cut, however long
  void load(item_range block) override {
    with_offsets(job_.a.offsets, [&]<class Offset>(std::span<Offset const> all) {
      auto const here = all.subspan(static_cast<std::size_t>(block.begin), static_cast<std::size_t>(block.count) + 1);
      offsets_.resize(here.size_bytes());
      auto* const to = reinterpret_cast<Offset*>(offsets_.data());
      std::transform(here.begin(), here.end(), to, [first = here[0]](Offset o) { return static_cast<Offset>(o - first); });
      first_ = here.front(), nonzeros_ = here.back() - here.front();
    });
  }
  std::vector<std::span<std::byte const>> constants() const override { return {{job_.x.data, job_.x.bytes()}}; }
  std::vector<std::span<std::byte const>> inputs(item_range block) const override {
    std::vector<std::span<std::byte const>> all{offsets_, part(job_.a.column_indices, first_, nonzeros_),
                                                part(job_.a.values, first_, nonzeros_)};
    if (job_.adds) all.push_back(part(job_.y, block.begin, block.count));
    return all;
  }
  std::vector<std::size_t> input_room(index_t rows) const override {
    auto const number = static_cast<std::size_t>(rows), nonzeros = static_cast<std::size_t>(most_nonzeros(rows));
    std::vector<std::size_t> all{(number + 1) * dispatch::size_of(job_.a.offsets.type),
                                 nonzeros * dispatch::size_of(job_.a.column_indices.type), nonzeros * size_};
    if (job_.adds) all.push_back(number * size_);
    return all;
  }
  std::vector<std::size_t> room(index_t rows) const override { return {static_cast<std::size_t>(rows) * size_}; }
  void run(dispatch::place const& on, item_range block, chunk_places const& at) override {
    auto asked = job_.request({});
    asked.rows = block.count;
    asked.nonzeros = static_cast<index_t>(at.in_bytes[2] / size_);
    asked.offsets = at.in[0], asked.column_indices = at.in[1], asked.values = at.in[2];
    asked.x = at.constants[0], asked.y = at.out[0];
    if (job_.adds) dispatch::copy(on, asked.y, at.in[3], at.in_bytes[3]);
    dispatch::multiply(on, asked);
  }
  std::vector<index_t> made(item_range block, void const*) const override { return {block.count}; }
  std::vector<item_range> finish(item_range block, void const*, std::vector<void*>&) override { return {block}; }
  std::vector<array_view> largest() const override { return {{job_.a.values.type, {job_.a.rows}, nullptr, {}}}; }

 private:
  static std::span<std::byte const> part(array const& of, index_t begin, index_t count) {
    auto const size = dispatch::size_of(of.type);
    return {of.data + static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(count) * size};
  }
  index_t most_nonzeros(index_t rows) const {
    return with_offsets(job_.a.offsets, [&](auto all) {
      index_t most = 0;
      for (index_t begin = 0; begin < job_.a.rows; begin += rows) {
        index_t const end = std::min(begin + rows, job_.a.rows);
        most = std::max<index_t>(most, all[static_cast<std::size_t>(end)] - all[static_cast<std::size_t>(begin)]);
      }
      return most;
    });
  }

  spmv_job const& job_;
  std::size_t size_ = dispatch::size_of(job_.a.values.type);
  // Of the block that was loaded.
  std::vector<std::byte> offsets_;
  index_t first_ = 0, nonzeros_ = 0;
};

}  // namespace

std::unique_ptr<chunked_job> blocks_of_rows(spmv_job const& of) { return std::make_unique<row_blocks>(of); }

}  // namespace lookback::app
