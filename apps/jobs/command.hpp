// A command that makes arrays of arrays: what its command line says, and how it is carried out.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "job.hpp"
#include "options.hpp"

namespace lookback::app {

/// What a command line says of a job: how to read it, a path for each of its results, the files that are read, which file among
/// these no result may replace (a matrix by a vector), and whether --strategy textbook means something to
/// it as the line has it.
struct command_words {
  job_reader read;
  std::function<std::vector<std::string>()> outputs, inputs;
  std::function<std::string()> kept = nullptr;
  std::function<bool()> has_textbook_form = [] { return false; };
};

/// An input of a command: its name, and the type and column that its format may need. The header is that of all its texts.
struct input_words {
  std::string in, type, column;
  header_line header = header_line::automatic;
};
void add_input(CLI::App& command, input_words& words, char const* name, char const* what);
/// --header, which add_input() declares too; `column_option` is the one that names columns.
void add_header_option(CLI::App& command, header_line& header, std::string const& column_option = "--column");
/// Reads an array and tells what its reader noted.
array read_input(std::string const& path, input_format const& format, input_role role, input_reading* times);
/// Where a result goes. Compared, a result needs no name: a temporary file takes it.
void add_output(CLI::App& command, std::string& path, bool compared);

/// Declares a command's options; `compared` for `lookback compare COMMAND`.
using declare_function = command_words (*)(CLI::App& command, bool compared);

/// Declares a command of the program that reads, runs, writes and tells.
void add_command(CLI::App& program, char const* name, char const* what, declare_function declare);

}  // namespace lookback::app
