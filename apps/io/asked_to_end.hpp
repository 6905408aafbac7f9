// Work that keeps what it has when a signal asks the program to end.
#pragma once

namespace lookback::app {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP is remembered and does not end the program; a second one does, as always.
class asked_to_end {
 public:
  asked_to_end();
  ~asked_to_end();
  asked_to_end(asked_to_end const&) = delete;

  /// The signal; 0 for none so far.
  int signal() const;
  /// Ends the program by the signal that came, for who started it to see. Call it when everything is kept; returns where none came.
  void end_by_it() const;
};

}  // namespace lookback::app
