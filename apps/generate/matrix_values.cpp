#include "matrix_values.hpp"

#include "io/matrix_rows.hpp"

namespace lookback::app {

std::optional<element> value_type_named(std::string_view name) {
  for (element type : {element::f32, element::f64, element::i32, element::i64, element::c64, element::c128})
    if (name == dispatch::name_of(type)) return type;
  return {};
}

void expect_value_type(element type) {
  if (!value_type_named(dispatch::name_of(type)))
    throw usage_error(std::string("--dtype: found '") + dispatch::name_of(type) + "', expected " + value_type_names +
                      " for a matrix");
}

void draw_values(matrix& of, generation const& how) {
  of.values = make_array(how.type, of.column_indices.n);
  auto const seed = seed_for(purpose::values, how.seed);
  with_value_type(how.type, [&]<class T>(std::type_identity<T>) {
    T* const out = of.values.memory.as<T>();
    in_parts(of.values.n, how.threads, [&](index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k) out[k] = value_from<T>(random_word(seed, static_cast<std::uint64_t>(k)));
    });
  });
}

void set_stencil_values(matrix& of, int diagonal, generation const& how) {
  of.values = make_array(how.type, of.column_indices.n);
  with_value_type(how.type, [&]<class T>(std::type_identity<T>) {
    T* const out = of.values.memory.as<T>();
    with_columns(of, [&](auto const* columns) {
      in_parts(of.rows, how.threads, [&](index_t begin, index_t end) {
        for (index_t row = begin; row < end; ++row)
          for (index_t k = offset_at(of, row); k < offset_at(of, row + 1); ++k)
            out[k] = static_cast<T>(columns[k] == row ? diagonal : -1);
      });
    });
  });
}

}  // namespace lookback::app
