// `lookback sort-table` from file to file: the order, and every row byte for byte as it was.
#include <cstdlib>
#include <numeric>
#include <random>

#include "program.hpp"

using ::testing::HasSubstr;

class sort_table_command : public program {
 protected:
  using words = std::vector<std::string>;

  std::string sorted(std::string const& text, words const& more, std::string const& name = "in.csv") {
    write(name, text);
    words all{"sort-table", name, "-o", "out.csv", "--validate"};
    all.insert(all.end(), more.begin(), more.end());
    auto const done = run(all);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    said = done.err;
    return read("out.csv");
  }
  /// Exits with `code`, says so and stores nothing.
  void refused(int code, std::string const& text, words const& more, words const& named) {
    write("in.csv", text);
    words all{"sort-table", "in.csv", "-o", "out.csv"};
    all.insert(all.end(), more.begin(), more.end());
    auto const done = run(all);
    EXPECT_EQ(done.code, code) << done.err;
    for (auto const& one : named) EXPECT_THAT(done.err, HasSubstr(one));
    EXPECT_FALSE(exists("out.csv"));
  }
  std::string said;
};

static std::string const people = "name,age,city\nbob,40,Rome\nal,9,Oslo\nbob,7,Bern\n";

TEST_F(sort_table_command, by_name_and_by_index) {
  std::string const by_age = "name,age,city\nbob,7,Bern\nal,9,Oslo\nbob,40,Rome\n";
  EXPECT_EQ(sorted(people, {"--by", "age"}), by_age);
  EXPECT_THAT(said, HasSubstr("3 rows by age (i64)"));
  EXPECT_THAT(said, HasSubstr("in.csv: line 1 is taken for a header: name, age, city"));
  EXPECT_EQ(sorted(people, {"--by", "1"}), by_age);
  EXPECT_EQ(sorted(people, {"--by", "city"}), "name,age,city\nbob,7,Bern\nal,9,Oslo\nbob,40,Rome\n");
}
TEST_F(sort_table_command, by_several_columns) {
  EXPECT_EQ(sorted(people, {"--by", "name,age"}), "name,age,city\nal,9,Oslo\nbob,7,Bern\nbob,40,Rome\n");
  EXPECT_THAT(said, HasSubstr("by name (text), age (i64)"));
  EXPECT_EQ(sorted(people, {"--by", "0,2", "--descending"}), "name,age,city\nbob,40,Rome\nbob,7,Bern\nal,9,Oslo\n");
  EXPECT_EQ(sorted(people, {"--by", "age,name,age"}), "name,age,city\nbob,7,Bern\nal,9,Oslo\nbob,40,Rome\n");
  EXPECT_EQ(sorted("b,2,x\na,2,x\nc,1,y\na,1,x\n", {"--by", "2,1,0", "--header", "no"}), "a,1,x\na,2,x\nb,2,x\nc,1,y\n");
}
TEST_F(sort_table_command, numbers_where_all_are_numbers) {
  EXPECT_EQ(sorted("x\n10\n-2\n+3\n9\n", {"--by", "x"}), "x\n-2\n+3\n9\n10\n");
  EXPECT_EQ(sorted("x\n1e3\n-2.5\n1e-3\n-1e2\n999\n", {"--by", "x"}), "x\n-1e2\n-2.5\n1e-3\n999\n1e3\n");
  EXPECT_THAT(said, HasSubstr("x (f64)"));
  EXPECT_EQ(sorted("x\n10\n-2\nthree\n9\n", {"--by", "x"}), "x\n-2\n10\n9\nthree\n");
  EXPECT_EQ(sorted("x,y\n10,\n9,\n,\n", {"--by", "x"}), "x,y\n,\n10,\n9,\n") << "an empty field makes it text";
  EXPECT_THAT(said, HasSubstr("x (text)"));
  EXPECT_EQ(sorted("x,y\n\"10\",a\n 9 ,b\n", {"--by", "x"}), "x,y\n 9 ,b\n\"10\",a\n") << "neither quotes nor blanks are of it";
}
TEST_F(sort_table_command, integers_are_exact) {
  EXPECT_EQ(sorted("9007199254740993\n9007199254740992\n9007199254740994\n-9223372036854775808\n", {"--by", "0"}),
            "-9223372036854775808\n9007199254740992\n9007199254740993\n9007199254740994\n");
  EXPECT_EQ(sorted("18446744073709551615\n18446744073709551614\n1\n", {"--by", "0"}),
            "1\n18446744073709551614\n18446744073709551615\n");
  EXPECT_EQ(sorted("18446744073709551615\n-1\n", {"--by", "0"}), "-1\n18446744073709551615\n");
}
TEST_F(sort_table_command, nans_come_last_in_both_directions) {
  EXPECT_EQ(sorted("nan,1\ninf,2\n-nan,3\n-inf,4\n0,5\n-0,6\n", {"--by", "0"}), "-inf,4\n0,5\n-0,6\ninf,2\nnan,1\n-nan,3\n");
  EXPECT_EQ(sorted("nan,1\ninf,2\n-nan,3\n-inf,4\n0,5\n-0,6\n", {"--by", "0", "--descending"}),
            "inf,2\n0,5\n-0,6\n-inf,4\nnan,1\n-nan,3\n");
}
TEST_F(sort_table_command, texts_by_their_bytes) {
  EXPECT_EQ(sorted("x\nb\n\xc3\xa4\nB\nab\na\n\"\"\n", {"--by", "x"}), "x\n\"\"\nB\na\nab\nb\n\xc3\xa4\n");
  EXPECT_EQ(sorted("x\nlong beginning 10\nlong beginning 9\nlong beginning\n", {"--by", "x", "--descending"}),
            "x\nlong beginning 9\nlong beginning 10\nlong beginning\n");
}
TEST_F(sort_table_command, equal_rows_stay_as_they_were_in_both_directions) {
  EXPECT_EQ(sorted("k,v\n1,a\n2,b\n1,c\n2,d\n1,e\n", {"--by", "k"}), "k,v\n1,a\n1,c\n1,e\n2,b\n2,d\n");
  EXPECT_EQ(sorted("k,v\n1,a\n2,b\n1,c\n2,d\n1,e\n", {"--by", "k", "--descending"}), "k,v\n2,b\n2,d\n1,a\n1,c\n1,e\n");
  EXPECT_EQ(sorted("k,v\nx,a\ny,b\nx,c\ny,d\n", {"--by", "k", "--descending"}), "k,v\ny,b\ny,d\nx,a\nx,c\n");
}
TEST_F(sort_table_command, quoted_fields) {
  EXPECT_EQ(sorted("k,v\n\"b, c\",1\n\"a \"\"q\"\"\",2\n\"a\nb\",3\na,4\n", {"--by", "k"}),
            "k,v\na,4\n\"a\nb\",3\n\"a \"\"q\"\"\",2\n\"b, c\",1\n");
  EXPECT_EQ(sorted("v,\"k, of\nall\"\n\"x\r\ny\",2\n\"\n\n\",1\n", {"--by", "1"}), "v,\"k, of\nall\"\n\"\n\n\",1\n\"x\r\ny\",2\n");
}
TEST_F(sort_table_command, line_ends_stay) {
  EXPECT_EQ(sorted("k\r\n2\r\n1\r\n", {"--by", "k"}), "k\r\n1\r\n2\r\n");
  EXPECT_EQ(sorted("k\n2\r\n1\n", {"--by", "k"}), "k\n1\n2\r\n");
  EXPECT_EQ(sorted("k\r2\r1\r", {"--by", "k"}), "k\r1\r2\r");
}
TEST_F(sort_table_command, the_last_line_may_lack_its_end) {
  EXPECT_EQ(sorted("k\n2\n1", {"--by", "k"}), "k\n1\n2\n");
  EXPECT_EQ(sorted("k\r\n2\r\n1", {"--by", "k"}), "k\r\n1\r\n2\r\n");
  EXPECT_EQ(sorted("1", {"--by", "0"}), "1\n");
}
TEST_F(sort_table_command, with_and_without_a_header) {
  EXPECT_EQ(sorted("2,b\n1,a\n", {"--by", "0"}), "1,a\n2,b\n");
  EXPECT_EQ(sorted("b,2\na,1\n", {"--by", "0"}), "b,2\na,1\n") << "b is taken for a name";
  EXPECT_THAT(said, HasSubstr("--header no reads it as data"));
  EXPECT_EQ(sorted("b,2\na,1\n", {"--by", "0,1"}), "a,1\nb,2\n") << "2 is no name";
  EXPECT_EQ(sorted("b,2\na,1\n", {"--by", "0", "--header", "no"}), "a,1\nb,2\n");
  EXPECT_EQ(sorted("9\n2\n1\n", {"--by", "0", "--header", "yes"}), "9\n1\n2\n");
  EXPECT_EQ(sorted("k,v\n", {"--by", "k"}), "k,v\n");
  EXPECT_EQ(sorted("k,v", {"--by", "v,k"}), "k,v\n");
  EXPECT_THAT(said, HasSubstr("0 rows"));
}
TEST_F(sort_table_command, other_delimiters_and_what_is_no_row) {
  EXPECT_EQ(sorted("k\tv\nb\t1\na\t2\n", {"--by", "k"}, "in.tsv"), "k\tv\na\t2\nb\t1\n");
  EXPECT_EQ(sorted("k;v\nb;1\na;2\n", {"--by", "k"}, "in.txt"), "k;v\na;2\nb;1\n");
  EXPECT_EQ(sorted("# of it\n3 c\n# two\n 2   b\n1 a\n\n", {"--by", "0"}, "in.txt"), "# of it\n1 a\n# two\n 2   b\n3 c\n\n");
  EXPECT_EQ(sorted("\xef\xbb\xbf"
                   "2\n1\n",
                   {"--by", "0"}),
            "\xef\xbb\xbf"
            "1\n2\n")
      << "a byte order mark stays first";
  EXPECT_EQ(sorted("\n3\n\n1\n\n", {"--by", "0"}), "\n\n1\n3\n\n") << "a blank line goes with the row behind it";
}
TEST_F(sort_table_command, what_std_stable_sort_gives) {
  std::mt19937_64 random(5);
  std::vector<std::array<std::string, 3>> rows(30'000);
  for (auto& [number, word, real] : rows) {
    number = std::to_string(static_cast<int>(random() % 50) - 25);
    for (auto k = random() % 20; k > 0; --k) word += static_cast<char>('a' + random() % 2);
    real = std::to_string(static_cast<double>(random() % 1000) / 8 - 60);
  }
  auto const text_of_rows = [&] {
    std::string text = "number,word,real\n";
    for (auto const& [number, word, real] : rows) text += number + ",\"" + word + "\"," + real + "\n";
    return text;
  };
  auto const before = rows;
  auto const in = text_of_rows();
  for (bool const falls : {false, true}) {
    auto const sign = falls ? -1 : 1;
    auto const direction = falls ? words{"--by", "number,word", "--descending"} : words{"--by", "number,word"};
    rows = before;
    std::stable_sort(rows.begin(), rows.end(), [&](auto const& a, auto const& b) {
      int const x = std::stoi(a[0]), y = std::stoi(b[0]);
      return x != y ? sign * x < sign * y : sign * a[1].compare(b[1]) < 0;
    });
    EXPECT_TRUE(sorted(in, direction) == text_of_rows()) << falls;
    rows = before;
    std::stable_sort(rows.begin(), rows.end(),
                     [&](auto const& a, auto const& b) { return sign * std::stod(a[2]) < sign * std::stod(b[2]); });
    EXPECT_TRUE(sorted(in, falls ? words{"--by", "2", "--descending"} : words{"--by", "2"}) == text_of_rows()) << falls;
  }
}
TEST_F(sort_table_command, of_gzip_in_place_and_in_sequence) {
  write("in.csv", people);
  ASSERT_EQ(std::system(("cd '" + folder.string() + "' && gzip -k in.csv").c_str()), 0);
  EXPECT_EQ(run({"sort-table", "in.csv.gz", "--by", "name", "-o", "out.csv"}).code, 0);
  EXPECT_EQ(read("out.csv"), "name,age,city\nal,9,Oslo\nbob,40,Rome\nbob,7,Bern\n");
  EXPECT_EQ(run({"sort-table", "in.csv", "--by", "name", "-o", "in.csv", "--strategy", "sequential"}).code, 0);
  EXPECT_EQ(read("in.csv"), read("out.csv"));
}
TEST_F(sort_table_command, compared_with_the_standard_library) {
  write("in.csv", people);
  auto const done = run({"compare", "sort-table", "in.csv", "--by", "city,age", "--on", "cpu", "--repeat", "1", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("std::stable_sort par"));
  EXPECT_THAT(done.err, ::testing::Not(HasSubstr("differs")));
}
TEST_F(sort_table_command, what_is_refused) {
  refused(65, people, {"--by", "town"}, {"in.csv: line 1", "3 columns: name, age, city", "a column 'town'"});
  refused(65, people, {"--by", "age,3"}, {"name, age, city", "a column '3'"});
  refused(65, people, {"--by", "age", "--header", "no"}, {"--header no: a number from 0"});
  refused(65, "a,b\n1,2\n\n3\n", {"--by", "b"}, {"in.csv: line 4", "1 field", "at least 2"});
  refused(65, "a,b\n\"1\n1\",2\n3,4,5\n", {"--by", "b"}, {"in.csv: line 4", "3 fields", "as many as in the first line, 2"});
  refused(65, "a\n1\n1e999\n", {"--by", "a"}, {"in.csv: line 3", "1e999", "a number of f64"});
  refused(65, "a\n\"1\n", {"--by", "a"}, {"in.csv: line 2", "an opening quote that is never closed"});
  refused(65, "", {"--by", "a"}, {"in.csv", "an empty file"});
  refused(65, std::string("k\0\n\0001\0\n\0", 8), {"--by", "k"}, {"UTF-16"});
  refused(64, people, {}, {"--by"});
  refused(64, people, {"--by", ""}, {"--by: found ''"});
  refused(64, people, {"--by", "age,"}, {"--by: found 'age,'"});
  refused(64, people, {"--by", "age", "--strategy", "textbook"}, {"textbook"});
  EXPECT_EQ(run({"sort-table", "in.csv", "--by", "age"}).code, 64);
  EXPECT_EQ(run({"sort-table", "none.csv", "--by", "age", "-o", "out.csv"}).code, 66);
  write("in.csv.gz", "no gzip");
  EXPECT_EQ(run({"sort-table", "in.csv.gz", "--by", "age", "-o", "out.csv"}).code, 65);
  EXPECT_FALSE(exists("out.csv"));
}
