// A request to stop, from one thread to others. Python delivers signals to its main thread only, so while
// that thread waits for others, it must pass the request on.
#pragma once

#include <atomic>

namespace tertium::bindings {

// Requested by one thread, obeyed by the threads that have entered it.
class Stop {
 public:
  void request_stop() { requested_.store(true, std::memory_order_relaxed); }
  bool is_requested() const { return requested_.load(std::memory_order_relaxed); }

  // From now on, a request cancels what this thread computes. A thread obeys one Stop at a time.
  void enter() { current() = this; }
  static void leave() { current() = nullptr; }
  static bool is_requested_of_this_thread() { return current() != nullptr && current()->is_requested(); }

 private:
  static const Stop*& current() {
    static thread_local const Stop* entered = nullptr;
    return entered;
  }

  std::atomic<bool> requested_{false};
};

}  // namespace tertium::bindings
