#include "text_file.hpp"

#include "gunzip.hpp"
#include "report/clock.hpp"

namespace lookback::app {

text_file read_text_file(std::string const& path, input_reading* times) {
  stopwatch clock;
  text_file made;
  made.file = input_file(path);
  made.file.load();
  made.packed = extension_of(path) == ".gz";
  if (made.packed) made.held = gunzip(made.file);
  if (times) times->load += clock.lap();
  return made;
}

}  // namespace lookback::app
