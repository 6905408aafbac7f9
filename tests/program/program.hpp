// Runs the program as a user does, in a folder of its own.
#pragma once
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../sanitized.hpp"

namespace fs = std::filesystem;

inline constexpr double soon = harness::sanitized ? 10 : 1;  // seconds in which a bad input must be refused

struct outcome {
  int code = -1;
  std::string out, err;
  double seconds = 0;
};

inline std::string content_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class program : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/lookback-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
    setenv("LOOKBACK_TUNINGS", (folder / "tunings.ini").c_str(), 1);  // not those of whoever runs the tests
  }
  void TearDown() override { fs::remove_all(folder); }

  /// Runs it with the test's folder as working directory.
  outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), LOOKBACK_PROGRAM);
    auto const out = folder / ".stdout", err = folder / ".stderr";
    auto const begin = std::chrono::steady_clock::now();
    pid_t const child = fork();
    if (child == 0) {
      std::vector<char*> pointers;
      for (auto& word : words) pointers.push_back(word.data());
      pointers.push_back(nullptr);
      bool const ready = chdir(folder.c_str()) == 0 && dup2(open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 1) == 1 &&
                         dup2(open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), 2) == 2 &&
                         dup2(open("/dev/null", O_RDONLY), 0) == 0;
      if (ready) execv(pointers[0], pointers.data());
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    outcome done;
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    done.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    done.out = content_of(out), done.err = content_of(err);
    fs::remove(out), fs::remove(err);
    return done;
  }

  void write(std::string const& name, std::string const& content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
  }
  std::string read(std::string const& name) const { return content_of(folder / name); }
  bool exists(std::string const& name) const { return fs::exists(folder / name); }

  /// Names of everything in the folder, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (auto const& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Writes inputs, and returns the words of a small run of every command on them, without outputs.
  std::vector<std::vector<std::string>> every_command() const;

  fs::path folder;
};

// ---- .npy, written here byte by byte so that the program's own writer proves nothing about its reader

template <class T>
std::string descr_of() {
  std::string const kind = std::is_same_v<T, bool> ? "b" : std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
  return (sizeof(T) == 1 ? "|" : "<") + kind + std::to_string(sizeof(T));
}

inline std::string npy_text(std::string const& dict, std::string const& data, char major = 1) {
  std::string header = dict;
  std::size_t const begin = major == 1 ? 10 : 12;
  header.resize((begin + dict.size() + 1 + 63) / 64 * 64 - begin - 1, ' ');
  header += '\n';
  std::string text = std::string("\x93NUMPY") + major + '\0';
  for (std::size_t i = 0; i < begin - 8; ++i) text += static_cast<char>(header.size() >> 8 * i & 0xff);
  return text + header + data;
}

inline std::string dict_of(std::string const& descr, std::string const& shape, char const* fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

template <class T>
std::string raw(std::vector<T> const& values) {
  return {reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::string npy(std::vector<T> const& values, std::string shape = {}) {
  if (shape.empty()) shape = "(" + std::to_string(values.size()) + ",)";
  return npy_text(dict_of(descr_of<T>(), shape), raw(values));
}

inline std::vector<std::vector<std::string>> program::every_command() const {
  std::vector<int> in(200'000), keys(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 2654435761u >> 20), keys[i] = static_cast<int>(i / 9);
  write("in.npy", npy(in));
  write("keys.npy", npy(keys));
  write("lengths.npy", npy(std::vector<int>(in.size(), 2)));
  write("text.txt", "b\na\nc\na\n");
  write("table.csv", "name,age\nb,2\na,1\n");
  write("genome.fa", ">x\nACGTACGTTTACG\n");
  write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 3 2\n3 1 3\n");
  return {{"scan", "in.npy"},
          {"scan", "in.npy", "--keys", "keys.npy", "--reverse"},
          {"select", "in.npy", "--below", "2000"},
          {"unique", "keys.npy"},
          {"rle", "encode", "keys.npy"},
          {"rle", "decode", "in.npy", "--lengths", "lengths.npy"},
          {"reduce-by-key", "keys.npy", "in.npy"},
          {"sort", "in.npy"},
          {"quicksort", "in.npy"},
          {"sort-lines", "text.txt"},
          {"sort-table", "table.csv", "--by", "age"},
          {"kmers", "genome.fa", "-k", "3", "--top", "2"},
          {"spmv", "a.mtx"},
          {"pagerank", "a.mtx"}};
}

struct npy_content {
  std::string dict, data;
};

/// Header text and elements of a version 1 file, as NumPy's documentation says where they lie.
inline npy_content open_npy(std::string const& text) {
  if (text.size() < 10 || text.compare(0, 8, std::string("\x93NUMPY\1\0", 8)) != 0) return {"not .npy", ""};
  std::size_t const length = static_cast<unsigned char>(text[8]) | static_cast<std::size_t>(static_cast<unsigned char>(text[9]))
                                                                       << 8;
  return {text.substr(10, length), text.substr(10 + length)};
}

template <class T>
std::vector<T> elements(std::string const& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}
