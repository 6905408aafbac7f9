// Columns of text: line ends, delimiters, headers, encodings, numbers.
#include <zlib.h>

#include <random>

#include "io/text_column.hpp"
#include "io/text_records.hpp"
#include "program.hpp"
#include "report/failures.hpp"

using namespace lookback;
using namespace lookback::app;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

using column = std::optional<std::string>;

array read_column(std::string const& text, column const& of = {}, header_line header = header_line::automatic, char delimiter = ',',
                  std::optional<element> type = {}) {
  return read_text_column(text, "in.csv", {delimiter, of, type, header});
}

std::vector<double> numbers_of(array const& of) {
  std::vector<double> numbers;
  with_type(of.type, [&]<class T>(std::type_identity<T>) {
    for (auto const number : of.as<T>()) numbers.push_back(static_cast<double>(number));
  });
  return numbers;
}
std::vector<double> numbers(std::string const& text, column const& of = {}, header_line header = header_line::automatic,
                            char delimiter = ',') {
  return numbers_of(read_column(text, of, header, delimiter));
}

/// What it says of bad data; nothing where it reads.
std::string refusal(std::string const& text, column const& of = {}, header_line header = header_line::automatic,
                    char delimiter = ',') {
  try {
    read_column(text, of, header, delimiter);
  } catch (bad_data const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// What a reader makes of a text, with all that it has to tell, or what it throws.
template <class Read>
std::string all_of(Read const& column) {
  try {
    array const read = column();
    std::string said =
        std::string(dispatch::name_of(read.type)) + ' ' + read.column + ' ' + ::testing::PrintToString(read.notes) + ':';
    return said.append(reinterpret_cast<char const*>(read.data), read.bytes());
  } catch (bad_data const& e) {
    return e.what();
  } catch (usage_error const& e) {
    return e.what();
  }
}
std::string all_of(std::string const& text, text_words const& words, reading const& how) {
  return all_of([&] {
    auto read = read_text_column(text, "file", words, how);
    EXPECT_LE(static_cast<std::size_t>(read.n), text.size());
    return read;
  });
}

/// And the same by several threads, a few lines each.
TEST(text, any_bytes_are_read_or_refused) {
  std::mt19937 random(2);
  std::string_view const often = "0123456789.-+e,;\t \"\"\n\n\r#abx";
  for (int round = 0; round < 8000; ++round) {
    std::string text;
    for (auto k = random() % 60; k > 0; --k) text += often[random() % often.size()];
    text_words words;
    if (random() % 2 == 0) words.column = std::to_string(random() % 3);
    words.header = static_cast<header_line>(random() % 3);
    words.delimiter = random() % 2 ? ',' : '\0';
    auto const whole = all_of(text, words, {});
    ASSERT_EQ(all_of(text, words, {.threads = 1 + round % 3, .piece_bytes = 1 + random() % 20}), whole) << text;
  }
}

/// Texts that are mostly right: what is wrong in one line, or is a number of another type, shows however the text is cut.
TEST(text, lines_are_read_by_many_as_by_one) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string const end = random() % 4 == 0 ? "\r\n" : "\n";
    std::string text = random() % 8 == 0 ? "\xef\xbb\xbf" : "";
    if (random() % 2 == 0) text += "# " + end;
    if (random() % 2 == 0) text += "name, other" + end;
    auto const lines = random() % 300, odd = random() % 600;
    for (std::uint32_t k = 0; k < lines; ++k) {
      std::string_view const odds[] = {"1.5",   "x",  "18446744073709551615", "1e400", "", "\"7\n8\"", "\"7\",8\n\n#", "7, \"a\nb",
                                       "9,8,7", "-0", "\xef\xbb\xbf"};
      text += k == odd ? odds[random() % std::size(odds)] : text_of(random() % 1000);
      text += ", \"" + std::string(random() % 12 == 0 ? "a" + end + "\"\"b" : "c") + '"' + end;
    }
    text_words const words{random() % 2 ? ',' : '\0', random() % 4 == 0 ? "1" : "0", {}, header_line::automatic};
    auto const whole = all_of(text, words, {});
    for (std::size_t const bytes : {1, 30, 1000})
      ASSERT_EQ(all_of(text, words, {.threads = 1 + round % 3, .piece_bytes = bytes}), whole) << text;
  }
}

struct packed_text : program {};

std::string gzipped(std::string const& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Parsed while it is decompressed, a text is what it is in memory, and what is wrong in it is told with the same line: also where
/// gzip's data end too early behind it.
TEST_F(packed_text, is_read_as_if_it_were_none) {
  std::mt19937 random(4);
  auto const path = (folder / "in.csv.gz").string();
  for (int round = 0; round < 24; ++round) {
    std::size_t const lines = round == 0 ? 0 : 80'000, odd = random() % (2 * lines + 1);
    std::string text = random() % 2 ? "x\n" : "";
    std::string_view const odds[] = {"1.5", "x", "18446744073709551615", "\"7\n8\"", "\"", std::string_view("\0", 1)};
    for (std::size_t k = 0; k < lines; ++k)
      text += k == odd ? std::string(odds[random() % std::size(odds)]) + "\n" : text_of(random() % 100'000) + "\n";
    std::size_t const first = random() % (text.size() + 1);
    write("in.csv.gz", gzipped(text.substr(0, first)) + gzipped(text.substr(first)) + std::string(random() % 3, '\0'));
    auto const whole = all_of([&] { return read_text_column(text, path, {','}); });
    input_file const file(path);
    for (std::size_t const bytes : {std::size_t{1000}, std::size_t{200'000}, std::size_t{0}})
      ASSERT_TRUE(all_of([&] { return read_text_column(file, true, {','}, {.threads = 3, .piece_bytes = bytes}); }) == whole)
          << round;
    auto const packed = content_of(path);
    write("cut.gz", packed.substr(0, packed.size() * 2 / 3));
    input_file const cut(folder / "cut.gz");
    auto const refused = all_of([&] { return read_text_column(cut, true, {','}, {.threads = 3, .piece_bytes = 1000}); });
    EXPECT_THAT(refused, ::testing::AnyOf(HasSubstr("cut.gz: byte "), HasSubstr("cut.gz: line ")));
    EXPECT_EQ(all_of([&] { return read_text_column(cut, true, {','}, {.threads = 2, .piece_bytes = 1000}); }), refused);
  }
}

TEST(text, records_of_rfc_4180) {
  std::string const file = "file";
  text_records records("a, b ,\"c,\"\"\"\r\n\n\"x\ny\",\n,", ',', false, file);
  std::vector<std::string> fields;
  ASSERT_TRUE(records.next(fields));
  EXPECT_EQ(fields, (std::vector<std::string>{"a", "b", "c,\""}));
  EXPECT_EQ(records.line(), 1u);
  ASSERT_TRUE(records.next(fields));
  EXPECT_EQ(fields, (std::vector<std::string>{"x\ny", ""}));
  EXPECT_EQ(records.line(), 3u);
  ASSERT_TRUE(records.next(fields));
  EXPECT_EQ(fields, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(records.line(), 5u);
  EXPECT_FALSE(records.next(fields));
}

TEST(text, where_records_begin_and_end) {
  std::string const file = "file", text = "# x\na \"b\nc\"\r\n\n  d  e  \nf";
  text_records records(text, ' ', true, file);
  std::vector<std::string> fields, parts;
  auto const take = [&](std::size_t number, std::string_view field) { fields.push_back(text_of(number) + std::string(field)); };
  for (char const* end = text.data(); records.each_field(take); end = records.position()) {
    parts.emplace_back(end, records.begin());
    parts.emplace_back(records.begin(), records.position());
  }
  EXPECT_EQ(fields, (std::vector<std::string>{"0a", "1b\nc", "0d", "1e", "0f"}));
  EXPECT_EQ(parts, (std::vector<std::string>{"# x\n", "a \"b\nc\"\r\n", "\n  ", "d  e  \n", "", "f"}));
}

TEST(text, every_number_survives_the_way_to_text_and_back) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 10000; ++round) {
    std::uint64_t const word = random();
    double number;
    std::memcpy(&number, &word, sizeof number);
    double again = 0;
    ASSERT_EQ(parse_number(text_of(number), again), parsed::ok) << text_of(number);
    if (number == number) ASSERT_EQ(std::memcmp(&number, &again, sizeof number), 0);
    else ASSERT_NE(again, again);
    auto const whole = static_cast<std::int64_t>(word);
    std::int64_t whole_again = 0;
    ASSERT_EQ(parse_number(text_of(whole), whole_again), parsed::ok);
    ASSERT_EQ(whole, whole_again);
  }
}

TEST(text, lines_end_in_lf_crlf_or_cr) {
  for (std::string const end : {"\n", "\r\n", "\r"}) {
    EXPECT_THAT(numbers("1" + end + "2" + end + "3" + end), ElementsAre(1, 2, 3));
    EXPECT_THAT(numbers("a,b" + end + end + "1,\"2\"" + end + "3,4", "b"), ElementsAre(2, 4));
    EXPECT_THAT(numbers(" 1  2 " + end + "#" + end + "3\t4" + end, "1", {}, '\0'), ElementsAre(2, 4));
    EXPECT_THAT(refusal("1" + end + end + "\"2" + end + "\",3" + end + "x", "0"), HasSubstr("line 3: found '2"));
    EXPECT_THAT(refusal("\"1\",\"a" + end + "b\"" + end + "x", "0"), HasSubstr("line 3: found 'x'"));
  }
  EXPECT_THAT(numbers("1\r2\n3\r\n\r4\n\n5"), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(refusal("1\r2\n3\r\n\r4\nx"), HasSubstr("line 6: found 'x'"));
  EXPECT_THAT(numbers("1,\r2,\r", "0"), ElementsAre(1, 2));
  EXPECT_THAT(refusal("1,2\r3,\r", "1"), HasSubstr("line 2: found an empty field"));
}

TEST(text, the_delimiter_is_that_of_the_data) {
  auto const of = [](std::string const& text, char const* index) { return numbers(text, index, {}, '\0'); };
  EXPECT_THAT(of("# time, x\n1 2\n3 4\n", "1"), ElementsAre(2, 4));
  EXPECT_THAT(of("\r\n \n  # a;b\tc\r\n#,\r 1 2\n3 4\n", "1"), ElementsAre(2, 4));
  EXPECT_THAT(of("#\n1;2\n# 5;6\n3;4\n", "1"), ElementsAre(2, 4));
  EXPECT_THAT(of("\"a, b\" c\n1 2\n", "c"), ElementsAre(2));
  EXPECT_THAT(of("5\" disk;2\n7;4\n", "1"), ElementsAre(2, 4));
  EXPECT_THAT(refusal("# a,b\n\n1 2\n", "9", {}, '\0'), HasSubstr("line 3: found 2 columns: 1, 2, expected a column '9'"));
}

// ---- the first line

TEST(text, a_header_is_what_holds_the_name_or_no_number) {
  EXPECT_THAT(numbers("a,b\n1,2\n", "b"), ElementsAre(2));
  EXPECT_THAT(numbers("a,b\n1,2\n", "1"), ElementsAre(2));
  EXPECT_THAT(numbers("1,b\n3,4\n", "0"), ElementsAre(1, 3));
  EXPECT_THAT(numbers("2020,2021\n1,2\n3,4\n", "2021"), ElementsAre(2, 4));
  EXPECT_THAT(numbers("\"2020\",\"2021\"\n1,2\n3,4\n", "2021"), ElementsAre(2, 4));
  EXPECT_THAT(numbers("2020,1\n1,2\n", "1"), ElementsAre(1, 2));  // an index where it can be one
  EXPECT_THAT(numbers("1e999x\n1\n"), ElementsAre(1));
  EXPECT_THAT(refusal("1e999\n1\n"), HasSubstr("line 1: found '1e999'"));
}

TEST(text, an_empty_field_is_no_name) {
  EXPECT_EQ(refusal("a,\nb,2\nc,3\n", "1"), "in.csv: line 1: found an empty field, expected a number of f64");
  EXPECT_THAT(refusal("\n\n,a\n1,2\n", "0"), HasSubstr("line 3: found an empty field"));
  EXPECT_THAT(refusal("\"\"\n1\n"), HasSubstr("line 1: found an empty field"));
  EXPECT_THAT(refusal("  \n1\n"), HasSubstr("line 1: found an empty field"));
  EXPECT_THAT(numbers(",x\n0,1.5\n1,2.5\n", "x"), ElementsAre(1.5, 2.5));
  EXPECT_THAT(numbers(",x\n0,1.5\n1,2.5\n", "0", header_line::yes), ElementsAre(0, 1));
}

TEST(text, a_header_can_be_told) {
  EXPECT_THAT(numbers("2020,2021\n1,2\n3,4\n", "1", header_line::yes), ElementsAre(2, 4));
  EXPECT_THAT(numbers("7\n1\n2\n", {}, header_line::yes), ElementsAre(1, 2));
  EXPECT_THAT(numbers("7\n1\n2\n", {}, header_line::no), ElementsAre(7, 1, 2));
  EXPECT_EQ(refusal("N/A\n13\n", {}, header_line::no), "in.csv: line 1: found 'N/A', expected a number of f64");
  EXPECT_THAT(refusal("a,b\n1,2\n", "b", header_line::no), HasSubstr("line 1: found 2 columns: a, b, expected a column 'b'"));
  EXPECT_THAT(refusal("2020,2021\n1,2\n", "2021", header_line::no), HasSubstr("--header no"));
  EXPECT_THAT(refusal("", {}, header_line::yes), HasSubstr("line 1: found an empty file, expected a header"));
  EXPECT_THAT(numbers("", {}, header_line::no), ElementsAre());
}

TEST(text, a_header_is_noted) {
  auto const notes = [](std::string const& text, column const& of = {}, header_line header = header_line::automatic) {
    return read_column(text, of, header).notes;
  };
  EXPECT_THAT(notes("N/A\n13\n"), ElementsAre("in.csv: line 1 is taken for a header: N/A (--header no reads it as data)"));
  EXPECT_THAT(notes("\n2020,2021\n1,2\n", "2021"), ElementsAre("in.csv: line 2 is taken for a header: 2020, 2021"));
  EXPECT_THAT(notes("7\n1\n", {}, header_line::yes), ElementsAre("in.csv: line 1 is taken for a header: 7"));
  EXPECT_THAT(notes("7\n1\n"), ElementsAre());
  EXPECT_THAT(notes("7\n1\n", {}, header_line::no), ElementsAre());
}

// ---- what is no text of numbers

TEST(text, other_encodings_are_named) {
  using namespace std::string_literals;
  auto const wide = [](std::string const& text, bool big) {
    std::string made;
    for (char const c : text) made += big ? std::string{'\0', c} : std::string{c, '\0'};
    return made;
  };
  for (bool const big : {false, true})
    for (std::string const mark : {"", big ? "\xfe\xff" : "\xff\xfe"}) {
      EXPECT_EQ(refusal(mark + wide("v\n1\n2\n", big)).substr(0, 54), "in.csv: byte 0: found UTF-16 text, expected UTF-8 (ico");
      EXPECT_THAT(refusal(mark + wide("7", big)), HasSubstr("UTF-16"));
    }
  EXPECT_THAT(refusal("\xff\xfe\0\0"
                      "1\0\0\0"s),
              HasSubstr("UTF-32"));
  EXPECT_THAT(refusal("1\n2\n\0\n"s), HasSubstr("line 3: found '\\x00'"));
}

TEST(text, numbers_that_are_too_small_are_the_nearest) {
  EXPECT_THAT(numbers("1e-400\n1\n2e-324\n"), ElementsAre(0, 1, 0));
  auto const single = read_column("1e-46\n1e-45\n-1e-99\n", {}, {}, ',', element::f32);
  EXPECT_THAT(numbers_of(single), ElementsAre(0, 0x1p-149, 0));
}

// ---- the program

class text_command : public program {};

TEST_F(text_command, tells_which_line_is_a_header) {
  write("in.csv", "N/A\n13\n14\n");
  auto const told = run({"scan", "in.csv", "-o", "out.npy"});
  EXPECT_EQ(told.code, 0);
  EXPECT_THAT(told.err, HasSubstr("lookback: note: in.csv: line 1 is taken for a header: N/A (--header no reads it as data)\n"));
  EXPECT_EQ(run({"scan", "in.csv", "-o", "out.npy", "--quiet"}).err, "");
  auto const compared = run({"compare", "scan", "in.csv", "--on", "cpu", "--repeat", "2"}).err;
  EXPECT_EQ(compared.find("line 1 is taken"), compared.rfind("line 1 is taken"));  // read many times
  auto const refused = run({"scan", "in.csv", "--header", "no", "-o", "new.npy"});
  EXPECT_EQ(refused.code, 65);
  EXPECT_THAT(refused.err, HasSubstr("in.csv: line 1: found 'N/A'"));
  EXPECT_FALSE(exists("new.npy"));
}

/// Of every command, for every file that it reads.
TEST_F(text_command, takes_word_of_headers) {
  write("k.csv", "5\n1\n1\n2\n"), write("v.csv", "1\n1\n2\n3\n");
  write("m.mtx", "%%MatrixMarket matrix array real general\n1 3\n1\n1\n1\n");
  for (auto const& words : std::vector<std::vector<std::string>>{{"scan", "v.csv", "--keys", "k.csv"},
                                                                 {"select", "v.csv", "--flags", "k.csv"},
                                                                 {"unique", "v.csv", "--counts", "c.csv"},
                                                                 {"rle", "encode", "v.csv", "--lengths", "c.csv"},
                                                                 {"rle", "decode", "v.csv", "--lengths", "k.csv"},
                                                                 {"reduce-by-key", "k.csv", "v.csv", "--values-out", "c.csv"},
                                                                 {"spmv", "m.mtx", "-x", "v.csv"}}) {
    auto all = words;
    all.insert(all.end(), {"-o", "out.csv", "--header", "yes", "--quiet"});
    auto const done = run(all);
    EXPECT_EQ(done.code, 0) << words[0] << ": " << done.err;
  }
  EXPECT_EQ(read("out.csv"), "6\n");
  EXPECT_EQ(run({"spmv", "m.mtx", "-o", "out.csv", "--header", "yes"}).code, 64);  // there is no text
  auto const wrong = run({"scan", "v.csv", "-o", "out.csv", "--header", "maybe"});
  EXPECT_EQ(wrong.code, 64);
  EXPECT_THAT(wrong.err, HasSubstr("--header"));
}

TEST_F(text_command, demo_has_rows_with_and_without_a_header) {
  fs::create_directory(folder / "d");
  write("d/plain.csv", "2024-01-01,4\n2024-01-01,5\n2024-01-02,6\n");
  write("d/years.csv", "day,2020\n2024-01-01,4\n2024-01-02,5\n");
  auto const done = run({"demo", "--data", "d"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, ContainsRegex("column 1: total of each day +3 "));
  EXPECT_THAT(done.err, ContainsRegex("2020: total of each day +2 "));
  EXPECT_THAT(done.err, Not(HasSubstr("note")));
}

TEST_F(text_command, shows_no_byte_that_a_terminal_acts_upon) {
  write("in.csv", "1\n\x1b[31mred\n");
  EXPECT_EQ(run({"scan", "in.csv", "-o", "out.npy"}).err,
            "lookback: in.csv: line 2: found '\\x1b[31mred', expected a number of f64\n");
  write("in.csv", std::string("a\0b\n1\n", 6));
  EXPECT_THAT(run({"scan", "in.csv", "-o", "out.npy"}).err, HasSubstr("header: a\\x00b"));
  EXPECT_THAT(run({"scan", "in.csv", "-o", "out.npy", "--op", "\x1b[31m"}).err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"scan", "caf\xe9\x1b.npy", "-o", "out.npy"}).err, HasSubstr("lookback: caf\\xe9\\x1b.npy: cannot be opened"));
}

TEST_F(text_command, reports_are_json_whatever_a_file_is_called) {
  write("caf\xe9.csv", "1\n");
  ASSERT_EQ(run({"scan", "caf\xe9.csv", "-o", "out.npy", "--json", "times.json", "--quiet"}).code, 0);
  EXPECT_THAT(read("times.json"), HasSubstr("caf\\u00e9.csv"));
}
