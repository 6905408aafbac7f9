// Bad input gets its exit code and a text that names file, place, found and expected, at once, and leaves nothing behind.
#include "bad_input.hpp"

using ::testing::HasSubstr;

TEST_F(bad_input, missing_file) { scan_refused(66, {}, {"in.npy", "No such file"}); }

TEST_F(bad_input, folder_as_input) {
  fs::create_directory(folder / "in.npy");
  scan_refused(66, {}, {"in.npy", "is a directory"});
}

/// The line that says how many follow would be one of them.
TEST_F(bad_input, matrix_market_is_no_text_of_numbers) {
  for (std::string const name : {"y.mtx", "y.mtx.gz"}) {
    write(name, "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
    refused(64, {"scan", name, "-o", "out.npy"}, {name, "which spmv and pagerank read", "expected .npy"});
    refused(64, {"scan", name, "--column", "0", "-o", "out.npy"}, {name, "which spmv and pagerank read"});
  }
  EXPECT_EQ(run({"scan", "y.mtx", "--dtype", "u8", "-o", "bytes.npy"}).code, 0);  // its bytes are what was asked for
}

TEST_F(bad_input, wrong_magic) {
  write("in.npy", "PK\3\4 not numpy at all");
  scan_refused(65, {}, {"in.npy", "byte 0", "NUMPY"});
}

TEST_F(bad_input, empty_npy) {
  write("in.npy", "");
  scan_refused(65, {}, {"in.npy", "byte 0", "an empty file"});
}

TEST_F(bad_input, unknown_version) {
  write("in.npy", npy_text(dict_of("<i4", "(0,)"), "", 4));
  scan_refused(65, {}, {"in.npy", "byte 6", "version 4", "1, 2 or 3"});
}

TEST_F(bad_input, header_cut_short) {
  for (std::size_t const length : {6, 9, 11, 60}) {
    write("in.npy", npy(std::vector<int>(4)).substr(0, length));
    scan_refused(65, {}, {"in.npy", "byte"});
  }
}

TEST_F(bad_input, header_length_past_the_file) {
  auto text = npy(std::vector<int>(4));
  text[8] = '\xff', text[9] = '\xff';
  write("in.npy", text);
  scan_refused(65, {}, {"in.npy", "byte 8", "65535", "left of the file"});
}

TEST_F(bad_input, truncated_data) {
  auto const text = npy(std::vector<int>(100));
  write("in.npy", text.substr(0, text.size() - 3));
  scan_refused(65, {}, {"in.npy", "byte 128", "397 bytes", "enough for 99", "100"});
}

TEST_F(bad_input, header_that_claims_10_to_the_12_items) {
  write("in.npy", npy_text(dict_of("<i8", "(1000000000000,)"), std::string(80, '\0')));
  scan_refused(65, {}, {"in.npy", "80 bytes", "enough for 10", "1000000000000"});
}

TEST_F(bad_input, file_with_holes_beyond_the_memory) {
  write("in.npy", npy_text(dict_of("<f4", "(1000000000000,)"), {}));
  fs::resize_file(folder / "in.npy", fs::file_size(folder / "in.npy") + 4'000'000'000'000);
  scan_refused(71, {"--repeat", "2"}, {"in.npy", "4.0 TB", "memory"});
  if (fs::space(folder).available < 4'000'000'000'000)  // in chunks no memory is too small, but the disk is
    scan_refused(74, {}, {"out.npy", "needs 4.0 TB", "left"});
}

TEST_F(bad_input, output_without_a_name) {
  write("in.npy", npy(std::vector<int>(10)));
  refused(64, {"scan", "in.npy", "-o", ""}, {"--output: found '', expected OUT"});
}

TEST_F(bad_input, row_lengths_that_are_none) {
  write("in.npy", npy(std::vector<int>(10)));
  for (char const* const length : {"0", "-1", "1.5", "99999999999999999999"})
    scan_refused(64, {"--row-length", length}, {"--row-length", length, "whole number"});
}

TEST_F(bad_input, comparing_what_is_no_command) {
  write("in.npy", npy(std::vector<int>(10)));
  refused(64, {"compare", "gather", "in.npy"}, {"compare: found 'gather'", "expected one of scan"});
}

TEST_F(bad_input, shape_whose_product_overflows) {
  write("in.npy", npy_text(dict_of("<i8", "(4294967296, 4294967296, 4294967296)"), std::string(80, '\0')));
  scan_refused(65, {}, {"in.npy", "4294967296 x 4294967296"});
}

TEST_F(bad_input, sizes_that_are_no_sizes) {
  for (std::string const shape : {"(-4,)", "(99999999999999999999,)", "(4.0,)", "(four,)", "4", "(4"}) {
    write("in.npy", npy_text(dict_of("<i4", shape), std::string(16, '\0')));
    scan_refused(65, {}, {"in.npy", "header, byte"});
  }
}

TEST_F(bad_input, fortran_order) {
  write("in.npy", npy_text(dict_of("<i4", "(2, 2)", "True"), std::string(16, '\0')));
  scan_refused(65, {}, {"in.npy", "header", "Fortran order", "C order"});
}

TEST_F(bad_input, big_endian) {
  write("in.npy", npy_text(dict_of(">i4", "(4,)"), std::string(16, '\0')));
  scan_refused(65, {}, {"in.npy", "'>i4'", "big endian", "little endian"});
}

TEST_F(bad_input, unknown_dtype) {
  for (std::string const descr : {"<f2", "<U8", "|S5", "<M8[ns]", "<c8", "<c16", "|O", "<f16", "x", "", "<i3", "<f1"}) {
    write("in.npy", npy_text(dict_of(descr, "(4,)"), std::string(256, '\0')));
    scan_refused(65, {}, {"in.npy", "'" + descr + "'", "i8, i16"});
  }
}

TEST_F(bad_input, structured_dtype) {
  write("in.npy", npy_text("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (4,), }", std::string(16, '\0')));
  scan_refused(65, {}, {"in.npy", "structured", "'<f4'"});
}

TEST_F(bad_input, bool_that_is_no_flag) {
  write("in.npy", npy_text(dict_of("|b1", "(4,)"), std::string(4, '\1')));
  scan_refused(65, {}, {"in.npy", "bool, a type for flags only"});
}

TEST_F(bad_input, header_without_a_key_or_with_one_too_many) {
  for (std::string const dict :
       {"{'descr': '<i4', 'fortran_order': False}", "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (4,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), 'more': 1}", "{}", "", "{'descr"}) {
    write("in.npy", npy_text(dict, std::string(16, '\0')));
    scan_refused(65, {}, {"in.npy", "header, byte"});
  }
}

TEST_F(bad_input, not_a_number_in_line_7) {
  write("in.csv", "value\n1\n2\n3\n4\n5\nsix\n7\n");
  refused(65, {"scan", "in.csv", "--column", "value", "-o", "out.npy"}, {"in.csv", "line 7", "'six'", "expected a number"});
  refused(65, {"scan", "in.csv", "--column", "value", "--dtype", "i32", "-o", "out.npy"},
          {"in.csv", "line 7", "'six'", "an integer of i32"});
}

TEST_F(bad_input, number_that_does_not_fit) {
  write("in.csv", "1\n2\n300\n");
  refused(65, {"scan", "in.csv", "--dtype", "u8", "-o", "out.npy"}, {"in.csv", "line 3", "'300'", "from 0 to 255"});
  write("in.csv", "1\n-2\n");
  refused(65, {"scan", "in.csv", "--dtype", "u8", "-o", "out.npy"}, {"in.csv", "line 2", "'-2'", "from 0 to 255"});
  write("in.csv", "1\n2.5\n");
  refused(65, {"scan", "in.csv", "--dtype", "i64", "-o", "out.npy"}, {"in.csv", "line 2", "'2.5'"});
}

TEST_F(bad_input, missing_field) {
  write("in.csv", "a,b\n1,2\n3\n");
  refused(65, {"scan", "in.csv", "--column", "b", "-o", "out.npy"}, {"in.csv", "line 3", "1 field", "at least 2"});
  write("in.csv", "a,b\n1,2\n3,\n");
  refused(65, {"scan", "in.csv", "--column", "b", "-o", "out.npy"}, {"in.csv", "line 3", "an empty field"});
}

TEST_F(bad_input, more_fields_than_the_first_line) {
  write("in.csv", "1.5\n2,5\n");
  refused(65, {"scan", "in.csv", "-o", "out.npy"}, {"in.csv: line 2: found 2 fields, expected as many as in the first line, 1"});
  write("in.csv", "a,b\n1,2\n\n3,4,5\n");
  refused(65, {"scan", "in.csv", "--column", "a", "-o", "out.npy"},
          {"line 4: found 3 fields, expected as many as in the first line, 2"});
  write("in.txt", "1 2\n3 4 5\n");  // blanks delimit as many as there are
  EXPECT_EQ(run({"scan", "in.txt", "--column", "0", "-o", "out.npy"}).code, 0);
}

TEST_F(bad_input, quote_never_closed) {
  write("in.csv", "a,b\n1,\"2\n3,4\n");
  refused(65, {"scan", "in.csv", "--column", "b", "-o", "out.npy"}, {"in.csv", "line 2", "never closed"});
}

TEST_F(bad_input, no_such_column) {
  write("in.csv", "a,b\n1,2\n");
  refused(65, {"scan", "in.csv", "--column", "c", "-o", "out.npy"}, {"in.csv", "2 columns: a, b", "'c'"});
  refused(65, {"scan", "in.csv", "--column", "2", "-o", "out.npy"}, {"in.csv", "2 columns: a, b", "'2'"});
}

TEST_F(bad_input, no_word_about_the_format) {
  write("in.dat", "1234");
  refused(64, {"scan", "in.dat", "-o", "out.npy"}, {"in.dat", "--dtype", "--column"});
  write("in.csv", "a,b\n1,2\n");
  refused(64, {"scan", "in.csv", "-o", "out.npy"}, {"in.csv", "2 columns (a, b)", "--column"});
}

TEST_F(bad_input, raw_file_with_half_an_item) {
  write("in.dat", "12345678901");
  refused(65, {"scan", "in.dat", "--dtype", "i32", "-o", "out.npy"}, {"in.dat", "byte 8", "11 bytes", "a multiple of 4"});
}

TEST_F(bad_input, gzip_that_is_none_or_is_cut) {
  write("in.csv.gz", "1\n2\n");
  refused(65, {"scan", "in.csv.gz", "-o", "out.npy"}, {"in.csv.gz", "byte", "gzip"});
  std::string const packed("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x33\xe4\x32\xe2\x02\x00\x3d\x83\x83\xa2\x04\x00\x00\x00",
                           24);  // "1\n2\n"
  write("in.csv.gz", packed.substr(0, 15));
  refused(65, {"scan", "in.csv.gz", "-o", "out.npy"}, {"in.csv.gz", "the end of the file"});
  std::string const whole("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\xe4\x32\xe2\x02\x00\x61\x78\xe1\x69\x04\x00\x00\x00", 24);
  for (std::string const behind : {"x", "\x1f", "\x1f\x8b"}) {
    write("in.csv.gz", whole + behind);
    refused(65, {"scan", "in.csv.gz", "-o", "out.npy"}, {"in.csv.gz", "gzip data"});
  }
}

// ---- what describes segments

TEST_F(bad_input, offsets) {
  write("in.npy", npy(std::vector<int>(10)));
  auto const with = [&](std::string const& content, std::vector<std::string> named) {
    write("off.npy", content);
    named.emplace_back("off.npy");
    scan_refused(65, {"--offsets", "off.npy"}, named);
    for (std::string const command : {"sort", "quicksort"})
      refused(65, {command, "in.npy", "-o", "out.npy", "--offsets", "off.npy"}, named);
  };
  with(npy(std::vector<int>{0, 5, 3, 10}), {"item 2", "found 3", "at least the 5", "never decrease"});
  with(npy(std::vector<std::int64_t>{0, 5, 11}), {"item 2", "found 11", "at most n = 10"});
  with(npy(std::vector<int>{0, 5, 9}), {"item 2", "found 9", "n = 10"});
  with(npy(std::vector<int>{1, 5, 10}), {"item 0", "found 1", "expected 0"});
  with(npy(std::vector<std::int64_t>{}), {"no offsets"});
  with(npy(std::vector<int>{-1, 10}), {"item 0", "found -1"});
  with(npy(std::vector<float>{0, 10}), {"offsets of f32", "i32 or i64"});
  with(npy(std::vector<std::uint64_t>{0, 10}), {"offsets of u64", "i32 or i64"});
}

TEST_F(bad_input, flags_bits_and_keys_of_another_length) {
  write("in.npy", npy(std::vector<int>(10)));
  write("flags.npy", npy(std::vector<std::uint8_t>(9)));
  scan_refused(65, {"--heads", "flags.npy"}, {"flags.npy", "9 flags", "10"});
  scan_refused(65, {"--head-bits", "flags.npy"}, {"flags.npy", "9 bytes of bits", "2"});
  scan_refused(65, {"--keys", "flags.npy"}, {"flags.npy", "9 keys", "10"});
  write("bits.npy", npy(std::vector<int>(2)));
  scan_refused(65, {"--head-bits", "bits.npy"}, {"bits.npy", "i32", "u8"});
  scan_refused(66, {"--heads", "nowhere.npy"}, {"nowhere.npy"});
}

// ---- outputs

TEST_F(bad_input, output_that_cannot_be_written) {
  write("in.npy", npy(std::vector<int>(4)));
  refused(74, {"scan", "in.npy", "-o", "no/such/folder/out.npy"}, {"no/such/folder/out.npy", "No such file"});
  fs::create_directory(folder / "out.npy");
  scan_refused(74, {}, {"out.npy", "is a directory"});
  refused(74, {"scan", "in.npy", "-o", "ok.npy", "--json", "no/such.json"}, {"no/such.json"});
}

TEST_F(bad_input, a_report_replaces_nothing_that_is_read_or_written) {
  write("in.npy", npy(std::vector<int>(4)));
  write("heads.npy", npy(std::vector<std::uint8_t>(4)));
  fs::create_directory(folder / "d");
  write("d/in.npy", npy(std::vector<int>(4)));
  write("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n");
  write("x.npy", npy(std::vector<double>(2)));
  fs::create_symlink("in.npy", folder / "link.npy");
  std::vector<std::string> const named{"--json", "reads or writes"};
  for (std::string const other : {"in.npy", "./in.npy", "link.npy", "heads.npy", "out.npy"})
    scan_refused(64, {"--heads", "heads.npy", "--json", other}, named);
  refused(64, {"compare", "scan", "in.npy", "--on", "cpu", "--json", "in.npy"}, named);
  refused(64, {"compare", "scan", "in.npy", "--on", "cpu", "-o", "out.npy", "--json", "out.npy"}, named);
  for (std::string const other : {"m.mtx", "x.npy", "y.npy"})
    refused(64, {"spmv", "m.mtx", "-x", "x.npy", "-o", "y.npy", "--json", other}, named);
  refused(64, {"pagerank", "m.mtx", "--json", "m.mtx"}, named);
  refused(64, {"demo", "--data", "d", "--json", "d/in.npy"}, named);
}

TEST_F(bad_input, nothing_to_demonstrate) {
  fs::create_directory(folder / "d");
  refused(66, {"demo", "--data", "d"}, {"d: found no file", "expected"});
}

TEST_F(bad_input, output_is_looked_at_before_the_input) {
  write("in.npy", npy(std::vector<int>(4)));
  refused(74, {"scan", "in.npy", "-o", "in.npy/out.npy", "--validate"}, {"in.npy/out.npy", "Not a directory"});
}

TEST_F(bad_input, full_device) {
  write("in.npy", npy(std::vector<int>(4)));
  refused(74, {"scan", "in.npy", "-o", "/dev/full"}, {"/dev/full", "No space left"});
}

TEST_F(bad_input, failed_run_leaves_the_old_output) {
  write("in.npy", npy(std::vector<float>(4)));
  write("out.npy", "old");
  scan_refused(64, {"--op", "or"}, {"--op or"});
  EXPECT_EQ(read("out.npy"), "old");
}

TEST_F(bad_input, gpu_where_none_is) {
  write("in.npy", npy(std::vector<int>(4)));
  if (run({"scan", "in.npy", "-o", "/dev/null", "--on", "gpu", "--quiet"}).code == 0) GTEST_SKIP() << "a GPU is present";
  scan_refused(69, {"--on", "gpu"}, {"--on gpu"});
}
