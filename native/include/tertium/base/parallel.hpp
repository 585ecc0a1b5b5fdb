// Spreads independent items over threads; the caller's result must not depend on who does what.
//
// Threads are a favour that the system may refuse (a limit of processes, no memory for a stack). What a
// thread that could not be started should have done, the caller does: slower, with the same result.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "tertium/base/interrupts.hpp"

namespace tertium {

// Below this many items a thread costs more than it saves.
inline constexpr std::size_t kItemsWorthAThread = 64;

inline std::size_t useful_threads(std::size_t items, std::size_t threads) {
  return std::clamp<std::size_t>(items / kItemsWorthAThread, 1, std::max<std::size_t>(threads, 1));
}

// Threads that work for the one that made the crew, and the first thing that went wrong in any of them.
class Crew {
 public:
  explicit Crew(std::size_t size) { threads_.reserve(size); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { wait(); }

  // Runs work() on a thread of its own; false if the system gives none.
  template <typename Work>
  bool start(const Work& work) {
    const interrupts::Role role{interrupts::role().computation, false};  // only the caller asks
    try {
      threads_.emplace_back([this, role, work] {
        const interrupts::RoleScope scope(role);
        run(work);
        const std::lock_guard lock(lock_);
        ++finished_;
        done_.notify_one();
      });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  // Runs work() here and keeps what it throws, for the others must be waited for all the same.
  template <typename Work>
  void run(const Work& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(lock_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  // Returns when all are done, or throws what went wrong first.
  void finish() {
    wait();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // The caller goes on asking whether to stop: the others only look at what it has learnt.
  void wait() {
    std::unique_lock lock(lock_);
    while (!done_.wait_for(lock, interrupts::kInterval, [&] { return finished_ == threads_.size(); })) {
      lock.unlock();
      interrupts::must_stop_waiting();
      lock.lock();
    }
    lock.unlock();
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::vector<std::thread> threads_;
  std::mutex lock_;
  std::condition_variable done_;
  std::size_t finished_ = 0;
  std::exception_ptr failure_;
};

// Runs work(worker) once for each of `workers` numbers, each on a thread of its own as far as there are
// threads, and hands on the first exception.
template <typename Work>
void on_each_worker(std::size_t workers, const Work& work) {
  if (workers <= 1) {
    work(std::size_t{0});
    return;
  }
  Crew crew(workers - 1);
  std::size_t started = 1;
  while (started < workers && crew.start([&work, started] { work(started); })) {
    ++started;
    // Linux may leave a new thread behind its maker for a time slice, milliseconds, while another core is
    // idle.
    std::this_thread::yield();
  }
  crew.run([&] { work(std::size_t{0}); });
  for (std::size_t worker = started; worker < workers; ++worker) crew.run([&] { work(worker); });
  crew.finish();
}

// Calls make_worker() once per thread and the worker it returns with every item in [0, items).
// Items are taken in small blocks, so long and short ones even out.
template <typename MakeWorker>
void parallel_for(std::size_t items, std::size_t threads, const MakeWorker& make_worker) {
  const std::size_t workers = useful_threads(items, threads);
  const std::size_t block = std::clamp<std::size_t>(items / (workers * 16), 1, 1024);
  std::atomic<std::size_t> next{0};
  on_each_worker(workers, [&](std::size_t) {
    auto worker = make_worker();
    for (std::size_t begin; (begin = next.fetch_add(block)) < items;) {
      const std::size_t end = std::min(begin + block, items);
      for (std::size_t item = begin; item < end; ++item) {
        check_interrupts();
        worker(item);
      }
    }
  });
}

}  // namespace tertium
