// SciPy's sparse matrices: archives written here byte by byte.
#include <zlib.h>

#include <limits>

#include "io/npz.hpp"
#include "io/read_matrix.hpp"
#include "matrix_texts.hpp"
#include "program.hpp"

using namespace lookback;
using namespace lookback::app;
using matrix_texts::shown;
using ::testing::HasSubstr;

namespace {

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

std::string deflated(std::string const& text) { return matrix_texts::compressed(text, -MAX_WBITS); }

struct part {
  std::string name, content;
};

// Little lies, each of one member.
struct zip_options {
  bool deflate = false, wide = false;
  std::uint16_t method = 0xffff, flags = 0;
  std::int64_t size = -1;  // claimed
  std::uint32_t crc = 0;   // added to the right one
  std::string comment = {};
};

std::string zip(std::vector<part> const& parts, zip_options const& with = {}) {
  std::string text, directory;
  for (auto const& [name, content] : parts) {
    auto const packed = with.deflate ? deflated(content) : content;
    std::uint64_t const size = with.size < 0 ? content.size() : static_cast<std::uint64_t>(with.size);
    std::uint32_t const crc = with.crc + static_cast<std::uint32_t>(crc32(0, reinterpret_cast<Bytef const*>(content.data()),
                                                                          static_cast<uInt>(content.size())));
    auto const common = number(20, 2) + number(with.flags, 2) +
                        number(with.method != 0xffff ? with.method
                               : with.deflate        ? 8
                                                     : 0,
                               2) +
                        number(0, 4) + number(crc, 4);
    std::uint64_t const at = text.size();
    text += "PK\3\4" + common + number(with.wide ? 0xffffffff : packed.size(), 4) + number(with.wide ? 0xffffffff : size, 4) +
            number(name.size(), 2);
    text += number(with.wide ? 20 : 0, 2) + name;
    if (with.wide) text += number(1, 2) + number(16, 2) + number(size, 8) + number(packed.size(), 8);
    text += packed;
    directory += "PK\1\2" + number(20, 2) + common + number(with.wide ? 0xffffffff : packed.size(), 4) +
                 number(with.wide ? 0xffffffff : size, 4);
    directory += number(name.size(), 2) + number(with.wide ? 5 + 28 : 0, 2) + number(0, 8) + number(0, 2) +
                 number(with.wide ? 0xffffffff : at, 4) + name;
    if (with.wide)
      directory += number(7, 2) + number(1, 2) + "x" + number(1, 2) + number(24, 2) + number(size, 8) + number(packed.size(), 8) +
                   number(at, 8);
  }
  std::uint64_t const begin = text.size();
  text += directory;
  if (with.wide) {
    std::uint64_t const end = text.size();
    text +=
        "PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) + number(parts.size(), 8) + number(parts.size(), 8);
    text += number(directory.size(), 8) + number(begin, 8) + "PK\6\7" + number(0, 4) + number(end, 8) + number(1, 4);
  }
  std::uint64_t const count = with.wide ? 0xffff : parts.size();
  return text + "PK\5\6" + number(0, 4) + number(count, 2) + number(count, 2) +
         number(with.wide ? 0xffffffff : directory.size(), 4) + number(with.wide ? 0xffffffff : begin, 4) +
         number(with.comment.size(), 2) + with.comment;
}

std::string const csr = npy_text(dict_of("|S3", "()"), "csr");

using longs = std::vector<std::int64_t>;
using ints = std::vector<int>;

// 3 x 4: 5 at (1, 2) and (3, 4), 7 at (3, 1), in SciPy's order of members.
struct archive {
  std::string indices = npy(ints{1, 3, 0}), indptr = npy(ints{0, 1, 1, 3}), format = csr, shape = npy(longs{3, 4}),
              data = npy(std::vector<double>{5, 5, 7});
  std::vector<part> parts() const {
    return {{"indices.npy", indices}, {"indptr.npy", indptr}, {"format.npy", format}, {"shape.npy", shape}, {"data.npy", data}};
  }
};

}  // namespace

class npz : public program {
 protected:
  std::string path() const { return (folder / "m.npz").string(); }
  matrix read_back(std::string const& bytes) {
    write("m.npz", bytes);
    auto made = read_matrix(path());
    for (array const* const part : {&made.offsets, &made.column_indices, &made.values})
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part->data) % dispatch::size_of(part->type), 0u) << part->from;
    return made;
  }
  std::string read(std::string const& bytes) { return shown(read_back(bytes)); }
  std::string read(archive const& of) { return read(zip(of.parts())); }

  void refused(std::string const& bytes, std::vector<std::string> const& named) {
    try {
      read_back(bytes);
      ADD_FAILURE() << "not refused; expected: " << ::testing::PrintToString(named);
    } catch (bad_data const& e) {
      EXPECT_THAT(e.what(), HasSubstr("m.npz: "));
      for (auto const& text : named) EXPECT_THAT(e.what(), HasSubstr(text));
    }
  }
  void refused(archive const& of, std::vector<std::string> const& named) { refused(zip(of.parts()), named); }
};

TEST_F(npz, stored_deflated_and_wide) {
  std::string const wanted = "3 x 4 of f64: 1,2=5 3,4=5 3,1=7";  // columns stay in the order of the file
  for (bool const deflate : {false, true})
    for (bool const wide : {false, true})
      for (std::string const comment : {"", "a comment, PK\5\6 in it"})
        EXPECT_EQ(read(zip(archive{}.parts(), {.deflate = deflate, .wide = wide, .comment = comment})), wanted) << deflate << wide;
  EXPECT_EQ(read(zip(archive{}.parts(), {.deflate = true, .flags = 8})), wanted);  // sizes behind the data, and in the directory
}

TEST_F(npz, members_in_any_order_and_more_of_them) {
  auto parts = archive{}.parts();
  std::reverse(parts.begin(), parts.end());
  parts.push_back({"_is_array.npy", npy(std::vector<std::uint8_t>{1})});
  parts.push_back({"notes/read me.txt", ""});
  EXPECT_EQ(read(zip(parts)), "3 x 4 of f64: 1,2=5 3,4=5 3,1=7");
}

/// An archive that was appended to holds what was replaced, too.
TEST_F(npz, the_last_member_of_a_name_counts) {
  auto parts = archive{}.parts();
  parts.push_back({"data.npy", npy(std::vector<double>{50, 60, 70})});
  EXPECT_EQ(read(zip(parts)), "3 x 4 of f64: 1,2=50 3,4=60 3,1=70");
  parts.insert(parts.begin(), {"format.npy", "no array"});
  EXPECT_EQ(read(zip(parts)), "3 x 4 of f64: 1,2=50 3,4=60 3,1=70");
}

TEST_F(npz, members_that_nobody_needs_are_not_looked_at) {
  auto parts = archive{}.parts();
  parts.insert(parts.begin(), {"notes.txt", "by another program"});
  auto const with = [&](std::size_t at, std::string const& lie) {
    auto bytes = zip(parts);
    return bytes.replace(bytes.find("PK\1\2") + at, lie.size(), lie);  // the first entry of the directory
  };
  std::string const wanted = "3 x 4 of f64: 1,2=5 3,4=5 3,1=7";
  EXPECT_EQ(read(with(10, number(14, 2))), wanted);          // LZMA
  EXPECT_EQ(read(with(8, number(1, 2))), wanted);            // encrypted
  EXPECT_EQ(read(with(16, number(1, 4))), wanted);           // another CRC-32
  EXPECT_EQ(read(with(20, number(0x7ffffff0, 4))), wanted);  // longer than the file
  EXPECT_EQ(read(with(42, number(0x7ffffff0, 4))), wanted);  // behind its end
  std::rotate(parts.begin(), parts.begin() + 1, parts.end());
  refused(with(10, number(14, 2)), {"found indices.npy by compression method 14"});
  refused(with(8, number(1, 2)), {"found indices.npy, an encrypted member"});
}

/// SciPy leaves them there, and trims them when it reads.
TEST_F(npz, items_behind_the_last_row) {
  EXPECT_EQ(read(archive{.indptr = npy(ints{0, 1, 1, 2})}), "3 x 4 of f64: 1,2=5 3,4=5");
  EXPECT_EQ(read(archive{.indices = npy(ints{1, 99, -1}), .indptr = npy(ints{0, 1, 1, 1})}), "3 x 4 of f64: 1,2=5");
  EXPECT_EQ(read(archive{.indptr = npy(ints{0, 0, 0, 0}), .data = npy(std::vector<std::uint8_t>{1, 2, 3})}), "3 x 4 of i32:");
  EXPECT_EQ(read(archive{.indptr = npy(ints{0, 1, 1, 2}), .data = npy(std::vector<std::uint64_t>{1, 2, 9223372036854775808u})}),
            "3 x 4 of i64: 1,2=1 3,4=2");
}

TEST_F(npz, types_of_values) {
  auto const of = [&]<class T>(std::vector<T> const& values) { return read(archive{.data = npy(values)}); };
  EXPECT_EQ(of(std::vector<std::int8_t>{-5, 0, 7}), "3 x 4 of i32: 1,2=-5 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::uint8_t>{255, 0, 7}), "3 x 4 of i32: 1,2=255 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::int16_t>{-5, 0, 7}), "3 x 4 of i32: 1,2=-5 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::uint16_t>{65535, 0, 7}), "3 x 4 of i32: 1,2=65535 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::int32_t>{-5, 0, 7}), "3 x 4 of i32: 1,2=-5 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::uint32_t>{4294967295, 0, 7}), "3 x 4 of i64: 1,2=4294967295 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::int64_t>{-5, 0, 7}), "3 x 4 of i64: 1,2=-5 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<std::uint64_t>{9223372036854775807, 0, 7}), "3 x 4 of i64: 1,2=9223372036854775807 3,4=0 3,1=7");
  EXPECT_EQ(of(std::vector<float>{0.5, 0, 7}), "3 x 4 of f32: 1,2=0.5 3,4=0 3,1=7");
  EXPECT_EQ(read(archive{.data = npy_text(dict_of("|b1", "(3,)"), std::string("\1\0\xff", 3))}), "3 x 4 of i32: 1,2=1 3,4=0 3,1=1");
  EXPECT_EQ(read(archive{.data = npy_text(dict_of("<c8", "(3,)"), raw(std::vector<float>{1, -2, 3, 4, 5, 6}))}),
            "3 x 4 of c64: 1,2=1-2i 3,4=3+4i 3,1=5+6i");
  EXPECT_EQ(read(archive{.data = npy_text(dict_of("<c16", "(3,)"), raw(std::vector<double>{1, -2, 3, 4, 5, 6}))}),
            "3 x 4 of c128: 1,2=1-2i 3,4=3+4i 3,1=5+6i");
}

TEST_F(npz, types_of_indices_and_texts) {
  auto const wide = read_back(zip(archive{.indices = npy(longs{1, 3, 0}), .indptr = npy(longs{0, 1, 1, 3})}.parts()));
  EXPECT_EQ(shown(wide), "3 x 4 of f64: 1,2=5 3,4=5 3,1=7");
  EXPECT_EQ(wide.offsets.type, element::i64);
  EXPECT_EQ(wide.column_indices.type, element::i64);
  EXPECT_EQ(read(archive{.shape = npy(ints{3, 4})}), "3 x 4 of f64: 1,2=5 3,4=5 3,1=7");
  EXPECT_EQ(read(archive{.format = npy_text(dict_of("<U3", "()"), std::string("c\0\0\0s\0\0\0r\0\0\0", 12))}),
            "3 x 4 of f64: 1,2=5 3,4=5 3,1=7");
  EXPECT_EQ(read(archive{.indices = npy(ints{1, 1, 1})}), "3 x 4 of f64: 1,2=5 3,2=5 3,2=7");
  EXPECT_EQ(read(archive{.indices = npy(ints{}), .indptr = npy(ints{0}), .shape = npy(longs{0, 0}), .data = npy(ints{})}),
            "0 x 0 of i32:");
}

TEST_F(npz, other_formats) {
  for (std::string const name : {"csc", "coo", "bsr", "dia"})
    refused(archive{.format = npy_text(dict_of("|S3", "()"), name)}, {"format.npy: item 0: found '" + name + "', expected 'csr'"});
  refused(archive{.format = npy(ints{1})}, {"format.npy: header: found descr '<i4', expected one text"});
  refused(archive{.format = npy_text(dict_of("|S3", "(1,)"), "csr")}, {"format.npy: header"});
  refused(archive{.format = npy_text(dict_of("|S3", "()"), "cs")}, {"format.npy: byte 128", "enough for 0"});
  for (std::string const descr : {"|S99999999999", "|S0", "|S", "|S-1", "<U17"})
    refused(archive{.format = npy_text(dict_of(descr, "()"), "csr")}, {"format.npy: header: found descr '" + descr});
}

TEST_F(npz, members_that_are_missing) {
  for (std::size_t k = 0; k < 5; ++k) {
    auto parts = archive{}.parts();
    auto const name = parts[k].name;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
    refused(zip(parts), {"directory: found no " + name, "csr"});
  }
}

TEST_F(npz, shapes) {
  refused(archive{.shape = npy(longs{3})}, {"shape.npy: header: found 1 items, expected 2"});
  refused(archive{.shape = npy(longs{3, 4, 5})}, {"shape.npy: header: found 3 items"});
  refused(archive{.shape = npy(longs{3, -4})}, {"shape.npy: item 1: found -4"});
  refused(archive{.shape = npy(std::vector<double>{3, 4})}, {"shape.npy: header: found elements of f64, expected i32 or i64"});
  refused(archive{.shape = npy(longs{4, 4})},
          {"indptr.npy: header: found 4 items, expected one more than the 4 rows of shape.npy"});
  refused(archive{.shape = npy(longs{std::numeric_limits<std::int64_t>::max(), 4})}, {"indptr.npy: header: found 4 items"});
  refused(archive{.indptr = npy(ints{}), .shape = npy(longs{0, 4})}, {"indptr.npy: header: found 0 items"});
}

TEST_F(npz, offsets) {
  refused(archive{.indptr = npy(ints{1, 1, 1, 3})}, {"indptr.npy: item 0: found 1, expected 0"});
  refused(archive{.indptr = npy(ints{0, 2, 1, 3})}, {"indptr.npy: item 2: found 1, expected at least the 2 before it"});
  refused(archive{.indptr = npy(ints{0, -1, 1, 3})}, {"indptr.npy: item 1: found -1, expected at least the 0"});
  refused(archive{.indptr = npy(ints{0, 1, 1, 4})},
          {"indptr.npy: item 3: found 4, expected at most 3, the number of items of data.npy"});
  refused(archive{.indptr = npy(std::vector<std::uint32_t>{0, 1, 1, 3})},
          {"indptr.npy: header: found elements of u32, expected i32 or i64"});
  refused(archive{.indptr = npy(ints{0, 1, 1, 3}, "(2, 2)")}, {"indptr.npy: header: found 2 dimensions, expected 1"});
}

TEST_F(npz, columns) {
  refused(archive{.indices = npy(ints{1, 4, 9})}, {"indices.npy: item 1: found 4, expected a column from 0 to 3"});
  refused(archive{.indices = npy(ints{1, 3, -1})}, {"indices.npy: item 2: found -1, expected a column from 0 to 3"});
  refused(archive{.indices = npy(ints{1, 3})}, {"indices.npy: header: found 2 items, expected 3, as many as data.npy has"});
  refused(archive{.shape = npy(longs{3, 0})}, {"indices.npy: item 0: found 1, expected no item"});
  refused(archive{.indices = npy(std::vector<float>{1, 3, 0})}, {"indices.npy: header: found elements of f32"});
}

TEST_F(npz, values) {
  refused(archive{.data = npy(std::vector<std::uint64_t>{0, 9223372036854775808u, 0})},
          {"data.npy: item 1: found 9223372036854775808, expected an integer of i64"});
  refused(archive{.data = npy_text(dict_of(">f8", "(3,)"), std::string(24, '\0'))},
          {"data.npy: header: found descr '>f8' (big endian)"});
  refused(archive{.data = npy_text(dict_of("<f2", "(3,)"), std::string(6, '\0'))}, {"data.npy: header: found descr '<f2'"});
  refused(archive{.data = npy_text(dict_of(">c16", "(3,)"), std::string(48, '\0'))},
          {"data.npy: header: found descr '>c16' (big endian)"});
  refused(archive{.data = npy(std::vector<double>{5, 5}, "(3,)")},
          {"data.npy: byte 128", "16 bytes of data, enough for 2 items", "3 items of 8"});
  refused(archive{.data = npy(std::vector<double>{5, 5, 7}, "(1000000000000,)")}, {"data.npy", "1000000000000 items of 8"});
  refused(archive{.data = "no array"}, {"data.npy: byte 0: found another magic"});
}

TEST_F(npz, directories_that_point_beyond_the_file) {
  auto const lie = [&](bool wide, std::string const& behind, std::size_t at, std::string const& instead) {
    auto bytes = zip(archive{}.parts(), {.wide = wide});
    return bytes.replace(bytes.rfind(behind) + at, instead.size(), instead);
  };
  refused(lie(false, "PK\1\2", 20, number(5000, 4) + number(5000, 4)), {"the end of the file, expected the content of a member"});
  refused(lie(false, "PK\1\2", 42, number(0x7fffffff, 4)), {"the end of the file, expected a member"});
  refused(lie(false, "PK\1\2", 42, number(1, 4)), {"byte 1: found other bytes, expected a member of a zip archive"});
  refused(lie(false, "PK\1\2", 28, number(0xffff, 2)), {"the end of the file, expected the name of a member"});
  refused(lie(false, "PK\5\6", 16, number(0x7fffffff, 4)), {"the end of the file, expected an entry of the directory"});
  refused(lie(false, "PK\5\6", 10, number(6, 2)), {"the end of the file, expected an entry of the directory"});
  refused(lie(true, "PK\6\7", 8, number(~std::uint64_t{0}, 8)), {"the end of the file, expected the end of the directory (zip64)"});
  refused(lie(true, "PK\6\6", 32, number(~std::uint64_t{0}, 8)), {"found other bytes, expected an entry of the directory"});
  refused(lie(true, "PK\1\2", 46 + 8 + 5 + 2, number(4, 2)), {"a zip64 field of 4 bytes, expected 8 for each size"});
}

TEST_F(npz, archives_that_are_broken) {
  auto const whole = zip(archive{}.parts());
  refused(std::string(), {"byte 0: found an empty file, expected a complete zip archive"});
  refused("PK", {"no end of a directory"});
  refused(std::string(1000, 'x'), {"byte 1000: found no end of a directory"});
  for (std::size_t length = 0; length < whole.size(); length += 7) refused(whole.substr(0, length), {"byte"});
  refused(whole.substr(10), {"byte"});
  refused(zip(archive{}.parts(), {.flags = 1}), {"an encrypted member"});
  refused(zip(archive{}.parts(), {.method = 12}), {"compression method 12, expected 0 (stored) or 8"});
  refused(zip(archive{}.parts(), {.crc = 1}), {"format.npy with CRC-32"});
  refused(zip(archive{}.parts(), {.deflate = true, .crc = 1}), {"format.npy with CRC-32"});
  refused(zip(archive{}.parts(), {.size = 5}), {"of a stored member, expected 5"});
  refused(zip(archive{}.parts(), {.deflate = true, .size = 5}), {"found more data, expected 5 bytes of format.npy"});
  refused(zip(archive{}.parts(), {.deflate = true, .size = 5000}), {"the end of the data after", "5000 bytes of format.npy"});
  refused(zip(archive{}.parts(), {.deflate = true, .size = 4'000'000'000}), {"found 4000000000 bytes deflated to", "1032"});
  refused(zip(archive{}.parts(), {.deflate = true, .wide = true, .size = std::numeric_limits<std::int64_t>::max()}), {"1032"});
  refused(zip(archive{}.parts(), {.method = 8}), {"deflated"});
}
