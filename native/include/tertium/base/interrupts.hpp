// Cancelling a long computation from outside, as Ctrl-C does.
//
// The core knows no Python: its caller passes a function that says whether to stop. Only the calling thread
// calls that function, now and then; its worker threads read a flag. Algorithms mark the points where they
// can be cancelled with check_interrupts() or an InterruptCheck, which throw Interrupted: resources are
// released as for any other exception, and no result is ever incomplete.
//
// The flag is found through a thread-local pointer and not through an argument, because it concerns every
// loop of the core and changes none of their results.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>

namespace tertium {

// Thrown in every thread of a computation that is cancelled.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "the computation was interrupted"; }
};

// Returns whether to stop. Called only by the thread that made the InterruptScope.
using StopRequested = bool (*)();

namespace interrupts {

// Time between two calls of StopRequested: short for a person who pressed Ctrl-C, long for a processor.
inline constexpr std::chrono::milliseconds kInterval{50};

// One call into the core, shared by all its threads.
class Computation {
 public:
  explicit Computation(StopRequested stop_requested)
      : stop_requested_(stop_requested), last_poll_(Clock::now()) {}

  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // For busy loops: reading the clock costs more than some of their steps.
  void poll_sometimes() {
    if (++calls_ % kCallsPerPoll == 0) poll();
  }
  void poll() {
    const auto now = Clock::now();
    if (is_stopped() || now - last_poll_ < kInterval) return;
    if (stop_requested_()) stopped_.store(true, std::memory_order_relaxed);
    last_poll_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Trades the cost of reading the clock (tens of nanoseconds) against the delay of a stop.
  static constexpr unsigned kCallsPerPoll = 16;
  unsigned calls_ = 0;
  StopRequested stop_requested_;
  Clock::time_point last_poll_;
  alignas(64) std::atomic<bool> stopped_{false};  // in a cache line that only a stop changes
};

// The computation that a thread works for, if any, and whether this thread polls for it.
struct Role {
  Computation* computation = nullptr;
  bool polls = false;
};
inline Role& role() {
  static thread_local Role own;
  return own;
}

// Sets the role of this thread for the lifetime of the object.
class CancelScope {
 public:
  explicit CancelScope(Role taken) : before_(role()) { role() = taken; }
  ~CancelScope() { role() = before_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  Role before_;
};

// Whether this thread's computation was cancelled; the polling thread polls now and then.
inline bool must_stop() {
  const Role own = role();
  if (own.computation == nullptr) return false;
  if (own.polls) own.computation->poll_sometimes();
  return own.computation->is_stopped();
}

// The same for a thread that waits for others and only wakes up to poll.
inline bool must_stop_waiting() {
  const Role own = role();
  if (own.polls) own.computation->poll();
  return own.computation != nullptr && own.computation->is_stopped();
}

}  // namespace interrupts

// Makes what this thread and its workers compute cancellable for the lifetime of the object.
class InterruptScope {
 public:
  explicit InterruptScope(StopRequested stop_requested)
      : computation_(stop_requested), scope_({&computation_, true}) {}

 private:
  interrupts::Computation computation_;
  interrupts::CancelScope scope_;
};

// A point where a computation can be cancelled. It costs a few nanoseconds: for loops with longer steps.
inline void check_interrupts() {
  if (interrupts::must_stop()) throw Interrupted();
}

// The same for loops with short steps: checks only after enough work to make the check free.
class InterruptCheck {
 public:
  // `units`: the work done since the last call, in steps of about a nanosecond.
  void tick(std::size_t units) {
    done_ += units;
    if (done_ < kUnitsPerCheck) return;
    done_ = 0;
    check_interrupts();
  }

 private:
  // About 65 microseconds: far below the polling interval, far above the cost of a check.
  static constexpr std::size_t kUnitsPerCheck = std::size_t{1} << 16;
  std::size_t done_ = 0;
};

}  // namespace tertium
