// Lines of delimited text, quoted as RFC 4180 says.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "encoding.hpp"
#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

/// A quoted field that the end of the text cuts.
struct unclosed_quote : bad_data {
  using bad_data::bad_data;
};

/// Walks over text a record at a time, behind its byte order mark. Lines end in LF, CR LF or CR. Blank lines are skipped; so are
/// lines that begin with '#', or blanks and '#', where `comments` is set. A delimiter of ' ' stands for any run of blanks and tabs.
class text_records {
 public:
  text_records(std::string_view text, char delimiter, bool comments, std::string const& file)
      : text_records(behind_mark(text), delimiter, comments, file, 1) {}

  /// The same of what is behind a line end of a longer text, and begins with its line number `first_line`.
  text_records(std::string_view text, char delimiter, bool comments, std::string const& file, std::size_t first_line)
      : at_{text.data()},
        end_{text.data() + text.size()},
        delimiter_{delimiter},
        comments_{comments},
        file_{file},
        line_{first_line},
        record_line_{first_line} {
    ends_field_[index_of('\n')] = ends_field_[index_of('\r')] = ends_field_[index_of(delimiter)] = true;
    if (delimiter == ' ') ends_field_[index_of('\t')] = true;
  }

  /// Goes to the next record and keeps its field number `wanted`, trimmed and without quotes; false at the end of the text.
  bool next(std::size_t wanted) {
    field_ = {};
    return each_field([&](std::size_t number, std::string_view text) {
      if (number == wanted) keep(text);
    });
  }

  /// The same, with all fields of the record.
  bool next(std::vector<std::string>& fields) {
    fields.clear();
    return each_field([&](std::size_t, std::string_view text) { fields.emplace_back(text); });
  }

  /// Goes to the next record and calls take(number, text) for each of its fields, from 0, trimmed and without quotes. The text is
  /// there until the next field is asked for.
  template <class Take>
  bool each_field(Take take) {
    if (!skip_to_record()) return false;
    record_line_ = line_;
    begin_ = at_;
    fields_ = 0;
    do take(fields_, field());
    while (++fields_, delimiter_follows());
    return true;
  }

  std::string_view field_text() const { return field_; }
  std::size_t fields() const { return fields_; }
  std::size_t line() const { return record_line_; }  // of the record's first character, from 1
  std::size_t next_line() const { return line_; }    // of what is behind the record
  char const* begin() const { return begin_; }       // the record's first character
  char const* position() const { return at_; }       // behind the record and its line end

 private:
  bool skip_to_record() {
    while (at_ != end_) {
      if (ends_line(*at_)) end_line();
      else if (comments_ && begins_comment())
        while (at_ != end_ && !ends_line(*at_)) ++at_;
      else if (delimiter_ == ' ' && blank(*at_)) ++at_;
      else return true;
    }
    return false;
  }

  // Consumes what is between two fields; at the end of the record, its line end.
  bool delimiter_follows() {
    if (delimiter_ == ' ')
      while (at_ != end_ && blank(*at_)) ++at_;
    if (at_ == end_) return false;
    if (ends_line(*at_)) {
      end_line();
      return false;
    }
    if (delimiter_ != ' ') ++at_;
    return true;
  }

  std::string_view field() {
    if (at_ != end_ && *at_ == '"') return quoted_field();
    auto const* const begin = at_;
    while (at_ != end_ && !ends_field_[index_of(*at_)]) ++at_;
    auto const* last = at_;
    while (last != begin && blank(last[-1])) --last;
    auto const* first = begin;
    while (first != last && blank(*first)) ++first;
    return {first, static_cast<std::size_t>(last - first)};
  }

  std::string_view quoted_field() {
    auto const opened = line_;
    unquoted_.clear();
    for (++at_;; ++at_) {
      if (at_ == end_)
        refuse<unclosed_quote>(file_, "line " + text_of(opened), "an opening quote that is never closed", "a closing quote");
      if (*at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] != '\n'))) ++line_;
      if (*at_ == '"') {
        if (at_ + 1 == end_ || at_[1] != '"') break;
        ++at_;
      }
      unquoted_ += *at_;
    }
    ++at_;
    if (at_ != end_ && !ends_field_[index_of(*at_)])
      refuse(file_, "line " + text_of(line_), in_quotes({at_, 1}) + " behind a closing quote",
             "a delimiter or the end of the line");
    return unquoted_;
  }

  // A quoted field's text is overwritten by the next quoted one.
  void keep(std::string_view text) {
    if (text.data() == unquoted_.data()) kept_ = text, field_ = kept_;
    else field_ = text;
  }

  void end_line() {
    at_ += *at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n' ? 2 : 1;
    ++line_;
  }
  // A blank that delimits ends a field, which may then be an empty one before a '#'.
  bool begins_comment() const {
    auto const* at = at_;
    while (at != end_ && blank(*at) && (delimiter_ == ' ' || *at != delimiter_)) ++at;
    return at != end_ && *at == '#';
  }

  static bool blank(char c) { return c == ' ' || c == '\t'; }
  static bool ends_line(char c) { return c == '\n' || c == '\r'; }
  static std::size_t index_of(char c) { return static_cast<unsigned char>(c); }

  char const* at_;
  char const* end_;
  char const* begin_ = nullptr;
  char delimiter_;
  bool comments_;
  std::array<bool, 256> ends_field_{};
  std::string const& file_;
  std::size_t line_, record_line_, fields_ = 0;
  std::string unquoted_, kept_;
  std::string_view field_;
};

}  // namespace lookback::app
