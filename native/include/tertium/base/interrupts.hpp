// Giving up a long computation from outside, as Ctrl-C asks for. The core knows no Python: whoever calls it
// hands over a function that says whether to stop, and only the calling thread asks it, now and then; the
// other threads look at a flag. Algorithms say where they can be left, by check_interrupts() or a Pace; they
// throw there, so whatever they hold is released as usual, and no result is ever half made.
//
// The flag is found through the thread, not through an argument: it concerns every loop of the core and
// none of their results.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>

namespace tertium {

// Thrown in every thread of a computation that is given up.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "the computation was interrupted"; }
};

// Returns whether to stop. Called by the thread that made the InterruptScope only.
using AskForStop = bool (*)();

namespace interrupts {

// How often the caller asks: soon for a person, rare for a processor.
inline constexpr std::chrono::milliseconds kInterval{50};

// One call into the core; all its threads share it.
class Computation {
 public:
  explicit Computation(AskForStop stop) : stop_(stop), asked_(Clock::now()) {}

  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // For busy loops: looking at the clock costs more than the steps of some.
  void ask_now_and_then() {
    if (++calls_ % kCallsPerLook == 0) ask();
  }
  void ask() {
    const auto now = Clock::now();
    if (is_stopped() || now - asked_ < kInterval) return;
    if (stop_()) stopped_.store(true, std::memory_order_relaxed);
    asked_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kCallsPerLook = 16;
  unsigned calls_ = 0;
  AskForStop stop_;
  Clock::time_point asked_;
  std::atomic<bool> stopped_{false};
};

// What a thread is to the computation it takes part in, if any.
struct Role {
  Computation* computation = nullptr;
  bool asks = false;
};
inline Role& role() {
  static thread_local Role own;
  return own;
}

// Gives this thread a role for as long as it lives.
class RoleScope {
 public:
  explicit RoleScope(Role taken) : before_(role()) { role() = taken; }
  ~RoleScope() { role() = before_; }
  RoleScope(const RoleScope&) = delete;
  RoleScope& operator=(const RoleScope&) = delete;

 private:
  Role before_;
};

// Whether to stop, as far as this thread knows; the thread that may ask does so now and then.
inline bool must_stop() {
  const Role own = role();
  if (own.computation == nullptr) return false;
  if (own.asks) own.computation->ask_now_and_then();
  return own.computation->is_stopped();
}

// The same for a thread that waits for others, and wakes up only to ask.
inline bool must_stop_waiting() {
  const Role own = role();
  if (own.asks) own.computation->ask();
  return own.computation != nullptr && own.computation->is_stopped();
}

}  // namespace interrupts

// For as long as it lives, what this thread and its workers compute can be given up.
class InterruptScope {
 public:
  explicit InterruptScope(AskForStop ask) : computation_(ask), scope_({&computation_, true}) {}

 private:
  interrupts::Computation computation_;
  interrupts::RoleScope scope_;
};

// A place where a computation can be left. A few nanoseconds: for loops whose steps take longer.
inline void check_interrupts() {
  if (interrupts::must_stop()) throw Interrupted();
}

// The same for loops of small steps: looks only after so much work that looking costs nothing.
class Pace {
 public:
  // `units`: how much was done, in steps of a nanosecond or so.
  void spend(std::size_t units) {
    spent_ += units;
    if (spent_ < kUnitsPerCheck) return;
    spent_ = 0;
    check_interrupts();
  }

 private:
  static constexpr std::size_t kUnitsPerCheck = std::size_t{1} << 16;
  std::size_t spent_ = 0;
};

}  // namespace tertium
