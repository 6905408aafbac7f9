// Lines of delimited text, quoted as RFC 4180 says.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

/// Walks over text a record at a time. Blank lines are skipped; so are lines that begin with '#' where `comments` is set.
/// A delimiter of ' ' stands for any run of blanks and tabs.
class text_records {
 public:
  text_records(std::string_view text, char delimiter, bool comments, std::string const& file)
      : at_{text.data()}, end_{text.data() + text.size()}, delimiter_{delimiter}, comments_{comments}, file_{file} {}

  /// Goes to the next record and keeps its field number `wanted`, trimmed and without quotes; false at the end of the text.
  bool next(std::size_t wanted) {
    if (!skip_to_record()) return false;
    record_line_ = line_;
    fields_ = 0;
    field_ = {};
    do {
      auto const text = field();
      if (fields_++ == wanted) keep(text);
    } while (delimiter_follows());
    return true;
  }

  /// The same, with all fields of the record.
  bool next(std::vector<std::string>& fields) {
    if (!skip_to_record()) return false;
    record_line_ = line_;
    fields.clear();
    do fields.emplace_back(field());
    while (delimiter_follows());
    fields_ = fields.size();
    return true;
  }

  std::string_view field_text() const { return field_; }
  std::size_t fields() const { return fields_; }
  std::size_t line() const { return record_line_; }  // of the record's first character, from 1
  char const* position() const { return at_; }

 private:
  bool skip_to_record() {
    while (at_ != end_) {
      if (*at_ == '\n') ++line_, ++at_;
      else if (*at_ == '\r') ++at_;
      else if (comments_ && *at_ == '#')
        while (at_ != end_ && *at_ != '\n') ++at_;
      else if (delimiter_ == ' ' && blank(*at_)) ++at_;
      else return true;
    }
    return false;
  }

  // Consumes what is between two fields; at the end of the record, its line end.
  bool delimiter_follows() {
    if (delimiter_ == ' ')
      while (at_ != end_ && (blank(*at_) || *at_ == '\r')) ++at_;
    if (at_ != end_ && *at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n')) ++at_;
    if (at_ == end_) return false;
    if (*at_ == '\n') {
      ++at_, ++line_;
      return false;
    }
    if (delimiter_ != ' ') ++at_;
    return true;
  }

  std::string_view field() {
    if (at_ != end_ && *at_ == '"') return quoted();
    auto const* const begin = at_;
    if (delimiter_ == ' ')
      while (at_ != end_ && *at_ != '\n' && *at_ != '\r' && !blank(*at_)) ++at_;
    else
      while (at_ != end_ && *at_ != '\n' && *at_ != delimiter_) ++at_;
    auto const* last = at_;
    while (last != begin && (blank(last[-1]) || last[-1] == '\r')) --last;
    auto const* first = begin;
    while (first != last && blank(*first)) ++first;
    return {first, static_cast<std::size_t>(last - first)};
  }

  std::string_view quoted() {
    auto const opened = line_;
    unquoted_.clear();
    for (++at_;; ++at_) {
      if (at_ == end_) refuse(file_, "line " + text_of(opened), "a quote that is never closed", "a closing quote");
      if (*at_ == '\n') ++line_;
      if (*at_ == '"') {
        if (at_ + 1 == end_ || at_[1] != '"') break;
        ++at_;
      }
      unquoted_ += *at_;
    }
    ++at_;
    if (at_ != end_ && *at_ != '\n' && *at_ != '\r' && *at_ != delimiter_ && !(delimiter_ == ' ' && blank(*at_)))
      refuse(file_, "line " + text_of(line_), std::string("'") + *at_ + "' behind a closing quote",
             "a delimiter or the end of the line");
    return unquoted_;
  }

  // A quoted field's text is overwritten by the next quoted one.
  void keep(std::string_view text) {
    if (text.data() == unquoted_.data()) kept_ = text, field_ = kept_;
    else field_ = text;
  }

  static bool blank(char c) { return c == ' ' || c == '\t'; }

  char const* at_;
  char const* end_;
  char delimiter_;
  bool comments_;
  std::string const& file_;
  std::size_t line_ = 1, record_line_ = 1, fields_ = 0;
  std::string unquoted_, kept_;
  std::string_view field_;
};

}  // namespace lookback::app
