// Rows of delimited text and their columns: many threads read what one reads.
#include <gtest/gtest.h>

#include <random>

#include "io/text_table.hpp"
#include "report/failures.hpp"

using namespace lookback;
using namespace lookback::app;

namespace {

/// All that a table holds, or what reading it throws.
std::string shown(std::string const& text, std::vector<std::string> const& wanted, header_line header, int threads,
                  std::size_t piece_bytes, char delimiter = ',') {
  try {
    auto const table =
        read_text_table(text, "file", layout_of(text, "file", delimiter, wanted, header, "--by"), threads, piece_bytes);
    std::string all;
    for (auto const begin : table.begins) all += std::to_string(begin) + ' ';
    for (auto const& column : table.columns) {
      all += '\n' + column.name + ": ";
      if (!column.is_text) {
        EXPECT_EQ(column.numbers.n, table.rows());
        all += dispatch::name_of(column.numbers.type);
        all.append(reinterpret_cast<char const*>(column.numbers.data), column.numbers.bytes());
        continue;
      }
      EXPECT_EQ(column.begins.n, table.rows() + 1);
      for (auto const begin : column.begins.as<index_t>()) all += std::to_string(begin) + ' ';
      all += column.characters;
    }
    return all;
  } catch (bad_data const& e) {
    return e.what();
  } catch (usage_error const& e) {
    return e.what();
  }
}

}  // namespace

TEST(text_table, any_bytes_are_read_by_many_as_by_one) {
  std::mt19937 random(4);
  int read = 0;
  std::string_view const often = "0123456789.-+e,;\t \"\"\n\n\r#abx";
  for (int round = 0; round < 8000; ++round) {
    std::string text;
    for (auto k = random() % 60; k > 0; --k) text += often[random() % often.size()];
    std::vector<std::string> const wanted{std::to_string(random() % 3), "0"};
    auto const header = static_cast<header_line>(random() % 3);
    char const delimiter = std::string_view{"\0,\t", 3}[random() % 3];
    auto const whole = shown(text, wanted, header, 1, std::size_t{1} << 20, delimiter);
    read += !whole.starts_with("file");
    ASSERT_EQ(shown(text, wanted, header, 1 + round % 3, 1 + random() % 20, delimiter), whole) << text;
  }
  EXPECT_GT(read, 1000);
}

/// Of many numbers that are too large the first is told, by any number of threads; and a text behind them all makes it a column of
/// texts.
TEST(text_table, numbers_are_read_by_many_as_by_one) {
  std::string text = "a\n";
  for (int row = 0; row < 100'000; ++row)
    text += (row == 20'000 || row == 55'555 || row == 90'000 ? "1e400" : std::to_string(row)) + '\n';
  for (int const threads : {1, 2, 8}) {
    auto const said = shown(text, {"a"}, header_line::automatic, threads, std::size_t{1} << 20);
    EXPECT_TRUE(said.starts_with("file: line 20002: ")) << said.substr(0, 100);
    EXPECT_TRUE(shown(text + "x\n", {"a"}, header_line::automatic, threads, std::size_t{1} << 16).ends_with("99999x"));
  }
}

/// Mostly right: what is wrong in one row, a quoted line end, or a number that needs another type, shows however the text is cut.
TEST(text_table, rows_are_read_by_many_as_by_one) {
  std::mt19937 random(5);
  int refused = 0, quoted = 0;
  for (int round = 0; round < 500; ++round) {
    std::string const end = random() % 4 == 0 ? "\r\n" : "\n";
    std::string text = random() % 8 == 0 ? "\xef\xbb\xbf" : "";
    for (auto k = random() % 3; k > 0; --k) text += end;
    if (random() % 2 == 0) text += "name,other" + end;
    auto const lines = 1 + random() % 300, odd = random() % 600;
    for (std::uint32_t k = 0; k < lines; ++k) {
      std::string_view const odds[] = {"1.5",   "x", "18446744073709551615", "1e400", "", "\"7\n8\"", "\"7\",8\n\n", "7, \"a\nb",
                                       "9,8,7", "-0"};
      text += k == odd ? odds[random() % std::size(odds)] : std::to_string(random() % 1000);
      text += random() % 12 == 0 && round % 2 == 0 ? ",\"a" + end + "\"\"b\"" : ",c" + std::to_string(random() % 50);
      if (k + 1 < lines || random() % 2 == 0) text += end;
      if (random() % 30 == 0) text += end;
    }
    auto const whole = shown(text, {"0", "1"}, header_line::automatic, 1, std::size_t{1} << 20);
    refused += whole.starts_with("file");
    quoted += text.find("\"a") != std::string::npos;
    for (std::size_t const bytes : {1, 30, 1000})
      ASSERT_EQ(shown(text, {"0", "1"}, header_line::automatic, 1 + round % 3, bytes), whole) << text;
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(quoted, 100);
}
