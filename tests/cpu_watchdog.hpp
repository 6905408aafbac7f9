// A test that hangs ends the program, and says so: the protocol's promise is that nobody waits for ever.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "sanitized.hpp"

class watched : public ::testing::Test {
 protected:
  watched()
      : dog_([this] {
          std::unique_lock lock(mutex_);
          if (done_.wait_for(lock, std::chrono::seconds(seconds), [this] { return ended_; })) return;
          std::fprintf(stderr, "watchdog: a test has hung for %d s\n", seconds);
          std::abort();
        }) {}
  ~watched() override {
    {
      std::lock_guard lock(mutex_);
      ended_ = true;
    }
    done_.notify_one();
    dog_.join();
  }

 private:
  // A slow machine that has other work, too, is no hang.
  static constexpr int seconds = harness::slowdown > 1 ? 480 : 120;
  std::mutex mutex_;
  std::condition_variable done_;
  bool ended_ = false;
  std::thread dog_;
};
