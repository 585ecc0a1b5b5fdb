// Distributes independent items over threads; the result must not depend on which thread computes what.
//
// Thread creation may fail (a limit on processes, no memory for a stack). The calling thread then does that
// share itself: slower, with the same result.
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

// With fewer items a thread costs more than it saves: starting one takes as long as dozens of short segments.
inline constexpr std::size_t kMinItemsPerThread = 64;

inline std::size_t useful_threads(std::size_t items, std::size_t threads) {
  return std::clamp<std::size_t>(items / kMinItemsPerThread, 1, std::max<std::size_t>(threads, 1));
}

// Worker threads of the thread that made the group. The first exception in any of them is rethrown there.
class ThreadGroup {
 public:
  explicit ThreadGroup(std::size_t size) { threads_.reserve(size); }
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  ~ThreadGroup() { wait(); }

  // Runs work() on a new thread; returns false if the system cannot create one.
  template <typename Work>
  bool start(const Work& work) {
    const interrupts::Role role{interrupts::role().computation, false};  // only the calling thread polls
    try {
      threads_.emplace_back([this, role, work] {
        const interrupts::CancelScope scope(role);
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

  // Runs work() on this thread and stores any exception, because the other threads must be joined first.
  template <typename Work>
  void run(const Work& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(lock_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  // Waits for all threads, then rethrows the first exception, if there was one.
  void finish() {
    wait();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // The calling thread keeps polling for a stop, because its workers only read the flag.
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

// Calls work(worker) for every worker in [0, workers), each on its own thread as far as threads can be
// created, and rethrows the first exception.
template <typename Work>
void on_each_worker(std::size_t workers, const Work& work) {
  if (workers <= 1) {
    work(std::size_t{0});
    return;
  }
  ThreadGroup group(workers - 1);
  std::size_t started = 1;
  while (started < workers && group.start([&work, started] { work(started); })) {
    ++started;
    // Linux may queue a new thread behind its creator for a time slice (milliseconds) while another core is
    // idle.
    std::this_thread::yield();
  }
  group.run([&] { work(std::size_t{0}); });
  for (std::size_t worker = started; worker < workers; ++worker) group.run([&] { work(worker); });
  group.finish();
}

// Calls make_worker() once per thread, and the worker it returns with every item in [0, items). Items are
// taken in small blocks, which balances long and short ones.
template <typename MakeWorker>
void parallel_for(std::size_t items, std::size_t threads, const MakeWorker& make_worker) {
  const std::size_t workers = useful_threads(items, threads);
  // About 64 blocks per thread: smaller ones balance better, larger ones need fewer atomic operations.
  const std::size_t block = std::clamp<std::size_t>(items / (workers * 64), 1, 1024);
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
