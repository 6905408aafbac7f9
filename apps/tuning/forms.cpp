#include "forms.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "dispatch/gpu.hpp"
#include "dispatch/tuned_table.hpp"
#include "report/machine.hpp"

namespace lookback::app {

namespace {

constexpr char const* file_name = "liblookback_tunings.so";

struct loaded_table {
  dispatch::tuned_table const* table = nullptr;
  std::string why_none;

  loaded_table() {
    if (!dispatch::has_gpu_code()) {
      why_none = "no GPU in this build";
      return;
    }
    std::error_code code;
    auto const here = std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
    void* library = nullptr;
    for (auto const& folder : {here, here.parent_path() / "lib"})
      if (auto const path = folder / file_name; !library && std::filesystem::exists(path, code)) {
        library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // never unloaded: the device knows its kernels
        if (!library) why_none = dlerror();
      }
    if (!library) {
      if (why_none.empty())
        why_none = std::string("there is no ") + file_name + " beside the program, which the target lookback_tunings makes";
      return;
    }
    auto const get = reinterpret_cast<dispatch::tuned_table_function>(dlsym(library, "lookback_tunings"));
    auto const* const found = get ? get() : nullptr;
    if (!found || found->sizes != dispatch::border_sizes{} || found->version != build().version || found->commit != build().commit)
      why_none = std::string(file_name) + " is of another commit than the program, expected one that was built with it";
    else table = found;
  }
};

}  // namespace

compiled_forms forms_of(std::string const& command, dispatch::element type, int device) {
  static loaded_table const loaded;
  if (!loaded.table) return {nullptr, loaded.why_none};
  for (std::size_t k = 0; k < loaded.table->count; ++k) {
    auto const& one = loaded.table->commands[k];
    if (command != one.command || type != one.type) continue;
    loaded.table->use_device(device);
    return {&one, {}};
  }
  return {nullptr, "lookback_tunings has no configurations of " + command + " for " + dispatch::name_of(type)};
}

}  // namespace lookback::app
