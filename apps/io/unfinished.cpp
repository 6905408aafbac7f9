#include "unfinished.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

#include "asked_to_end.hpp"

namespace lookback::app {

namespace {

// A handler may neither allocate nor lock: fixed places, each owned by who has set its flag.
struct place {
  std::atomic<int> state{0};  // 0 free, 1 being filled, 2 a file's
  char path[PATH_MAX];
};
std::array<place, 8> registered;

std::atomic<bool> remembers{false};
std::atomic<int> remembered{0};

void remove_all_and_end(int signal) {
  if (remembers.load() && remembered.exchange(signal) == 0) return;
  for (auto& p : registered)
    if (p.state.load() == 2) unlink(p.path);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

asked_to_end::asked_to_end() {
  remembered = 0;
  remembers = true;
}
asked_to_end::~asked_to_end() { remembers = false; }
int asked_to_end::signal() const { return remembered.load(); }
void asked_to_end::end_by_it() const {
  if (int const one = signal(); one != 0) remove_all_and_end(one);
}

void end_cleanly_on_signals() {
  for (int const signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, remove_all_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
  std::signal(SIGXFSZ, SIG_IGN);
}

unfinished_file::unfinished_file(std::string const& path) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t k = 0; k < registered.size(); ++k) {
    int free = 0;
    if (!registered[k].state.compare_exchange_strong(free, 1)) continue;
    std::memcpy(registered[k].path, path.c_str(), path.size() + 1);
    registered[k].state = 2;
    place_ = static_cast<int>(k);
    return;
  }
}
unfinished_file::unfinished_file(unfinished_file&& other) noexcept : place_{std::exchange(other.place_, -1)} {}
unfinished_file& unfinished_file::operator=(unfinished_file&& other) noexcept {
  std::swap(place_, other.place_);
  return *this;
}
unfinished_file::~unfinished_file() {
  if (place_ >= 0) registered[static_cast<std::size_t>(place_)].state = 0;
}

}  // namespace lookback::app
