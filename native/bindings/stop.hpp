// One thread's wish that others stop. Python tells signals to its first thread only, so where that one waits
// for others, it must pass on what it has heard.
#pragma once

#include <atomic>

namespace tertium::bindings {

// Asked by one thread, heeded by those that have entered it.
class Stop {
 public:
  void ask() { asked_.store(true, std::memory_order_relaxed); }
  bool is_asked() const { return asked_.load(std::memory_order_relaxed); }

  // From now on, what this thread computes is given up if somebody asks; a thread heeds one at a time.
  void enter() { heeded() = this; }
  static void leave() { heeded() = nullptr; }
  static bool is_asked_of_this_thread() { return heeded() != nullptr && heeded()->is_asked(); }

 private:
  static const Stop*& heeded() {
    static thread_local const Stop* own = nullptr;
    return own;
  }

  std::atomic<bool> asked_{false};
};

}  // namespace tertium::bindings
