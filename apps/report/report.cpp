#include "report.hpp"

#include <unistd.h>

#include <algorithm>

#include "clock.hpp"
#include "machine.hpp"
#include "printable.hpp"

namespace lookback::app {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    char const c = text[0];
    auto const byte = static_cast<unsigned char>(c);
    auto const length = utf8_character(text);
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (length == 0 || byte < 0x20 || byte == 0x7f) {
      constexpr char digits[] = "0123456789abcdef";
      (out += "\\u00") += {digits[byte >> 4], digits[byte & 15]};
    } else out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + '"';
}

json_object measurement(std::string const& name, int repetitions, phase_times const& times, double moved_bytes) {
  json_object made;
  made.add("name", name).add("run_name", name).add("run_type", "iteration").add("repetitions", repetitions).add("iterations", 1);
  made.add("real_time", 1e3 * times.total()).add("cpu_time", 1e3 * times.total()).add("time_unit", "ms");
  auto const& chunks = times.overlapped;
  auto const &in = times.bringing, &out = times.taking;
  double const kernel = times.kernel + chunks.work;
  made.add("load_seconds", times.load + chunks.fill + in.fill).add("parse_seconds", times.parse);
  made.add("transfer_in_seconds", times.transfer_in + in.work);
  // Chunks on a GPU: enqueuing does not wait, and what does waits for copies and kernels together.
  bool const together = chunks.fetch > 0;
  if (together) made.add("gpu_seconds", chunks.work + chunks.fetch);
  else made.add("kernel_seconds", kernel).add("transfer_out_seconds", times.transfer_out + out.work);
  made.add("store_seconds", times.store + chunks.drain + out.drain);
  if (times.parts) made.add("bringing_seconds", in.total).add("taking_seconds", out.total);
  if (times.chunks > 0)
    made.add("chunks", times.chunks).add("overlapped_seconds", chunks.total).add("limit", text_of(chunks.limit()));
  if (kernel > 0 && !together) made.add("bytes_per_second", moved_bytes / kernel);
  return made;
}

report::report(std::string const& path) {
  if (!path.empty()) file_.emplace_back(path);
}

void report::expect_apart_from(std::vector<std::string> const& files) const {
  for (auto const& mine : file_)
    for (auto const& other : files)
      if (!other.empty() && mine.is_same_file(other))
        throw usage_error("--json: found '" + mine.path() + "', which the command reads or writes, expected another file");
}

void report::write() {
  if (file_.empty()) return;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  auto const survey = dispatch::survey_gpus();
  json_object context;
  context.add("date", utc_text())
      .add("host_name", host)
      .add("executable", command_line)
      .add("num_cpus", worker_threads(0))
      .add("cpu", cpu_name());
  context.add("gpu", survey.devices.empty() ? survey.why_none : survey.devices[0].name).add("cuda", survey.versions);
  context.add("library_version", build().version).add("commit", build().commit).add("compiler", build().compiler);
  std::string list;
  for (auto const& one : measurements_) list += (list.empty() ? "\n    " : ",\n    ") + one;
  std::string const text = "{\n  \"context\": " + context.text() + ",\n  \"benchmarks\": [" + list + "\n  ]\n}\n";
  file_[0].write(text);
  file_[0].finish();
  file_[0].commit();
}

}  // namespace lookback::app
