// Distributes independent items over threads; the result must not depend on which thread computes what.
//
// Thread creation may fail (a limit on processes, no memory for a stack). The calling thread then does that
// share itself: slower, with the same result.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "tertium/base/interrupts.hpp"

namespace tertium {

// With fewer items a thread costs more than it saves: starting one takes as long as dozens of short segments.
inline constexpr std::size_t kMinItemsPerThread = 64;

inline std::size_t useful_threads(std::size_t items, std::size_t threads) {
  return std::clamp<std::size_t>(items / kMinItemsPerThread, 1, std::max<std::size_t>(threads, 1));
}

// Threads that wait for work. Linux often starts a new thread on the core of its creator, where it waits for
// a time slice, while it wakes a waiting thread on an idle core.
class ThreadPool {
 public:
  using Work = std::function<void()>;

  // The pool of this process; after a fork() the threads of the parent do not exist in the child. It is never
  // destroyed, because its threads wait until the process ends.
  static ThreadPool& instance() {
    static constinit std::atomic<ThreadPool*> current{nullptr};
    ThreadPool* pool = current.load();
    if (pool == nullptr || pool->process_ != process_id()) {
      auto* const fresh = new ThreadPool();
      if (current.compare_exchange_strong(pool, fresh)) return *fresh;
      delete fresh;  // another thread was faster
    }
    return *pool;
  }

  // Runs work() and then finish() on a thread of its own; returns false if the system cannot create one. When
  // finish() runs, the thread can already take other work.
  bool start(Work work, Work finish) {
    Thread* thread = take();
    if (thread == nullptr) return false;
    const std::lock_guard lock(thread->lock);
    thread->work = std::move(work);
    thread->finish = std::move(finish);
    thread->wake.notify_one();
    return true;
  }

 private:
  struct Thread {
    std::mutex lock;
    std::condition_variable wake;
    Work work, finish;
  };

  static long process_id() {
#ifdef _WIN32
    return 0;  // there is no fork()
#else
    return getpid();
#endif
  }

  Thread* take() {
    {
      const std::lock_guard lock(lock_);
      if (!idle_.empty()) {
        Thread* const last = idle_.back();
        idle_.pop_back();
        return last;
      }
      idle_.reserve(++n_threads_);  // so that a thread never allocates when it becomes idle
    }
    auto made = std::make_unique<Thread>();
    try {
      std::thread([this, self = made.get()] { serve(*self); }).detach();
    } catch (const std::system_error&) {
      return nullptr;
    }
    return made.release();
  }

  void serve(Thread& self) {
    for (;;) {
      std::unique_lock waiting(self.lock);
      self.wake.wait(waiting, [&] { return self.work != nullptr; });
      const Work work = std::exchange(self.work, nullptr), finish = std::exchange(self.finish, nullptr);
      waiting.unlock();
      work();
      {
        const std::lock_guard lock(lock_);
        idle_.push_back(&self);
      }
      finish();
    }
  }

  const long process_ = process_id();
  std::mutex lock_;
  std::size_t n_threads_ = 0;
  std::vector<Thread*> idle_;
};

// Work on other threads for the thread that made the group. The first exception in any of them is rethrown
// there.
class ThreadGroup {
 public:
  ThreadGroup() = default;
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  ~ThreadGroup() { wait(); }

  // Runs work() on another thread; returns false if the system cannot create one.
  template <typename Work>
  bool start(const Work& work) {
    const interrupts::Role role{interrupts::role().computation, false};  // only the calling thread polls
    const bool is_started = ThreadPool::instance().start(
        [this, role, work] {
          const interrupts::CancelScope scope(role);
          run(work);
        },
        [this] {
          const std::lock_guard lock(lock_);
          ++finished_;
          done_.notify_one();  // within the lock, because the group may end after it
        });
    started_ += is_started;
    return is_started;
  }

  // Runs work() on this thread and stores any exception, because the other threads must finish first.
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
  // The calling thread keeps polling for a stop, because its workers only read the flag. At first it does not
  // sleep, because threads that share items finish at about the same time.
  void wait() {
    const auto sleeps_from = std::chrono::steady_clock::now() + kPatience;
    while (finished_ < started_ && std::chrono::steady_clock::now() < sleeps_from) std::this_thread::yield();
    std::unique_lock lock(lock_);
    while (!done_.wait_for(lock, interrupts::kInterval, [&] { return finished_ == started_; })) {
      lock.unlock();
      interrupts::must_stop_waiting();
      lock.lock();
    }
  }

  // Waking a thread takes about 30 microseconds.
  static constexpr std::chrono::microseconds kPatience{100};

  std::mutex lock_;
  std::condition_variable done_;
  std::size_t started_ = 0;
  std::atomic<std::size_t> finished_{0};
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
  ThreadGroup group;
  std::size_t started = 1;
  while (started < workers && group.start([&work, started] { work(started); })) ++started;
  group.run([&] { work(std::size_t{0}); });
  for (std::size_t worker = started; worker < workers; ++worker) group.run([&] { work(worker); });
  group.finish();
}

// Hands out items in blocks that get smaller towards the end: few atomic operations, and threads that share
// the items end at about the same time.
class ItemBlocks {
 public:
  struct Block {
    std::size_t begin, end;
  };

  ItemBlocks(std::size_t items, std::size_t workers) : items_(items), n_blocks_(workers * kBlocksPerThread) {}

  // The next block; it is empty if no items are left.
  Block take() {
    std::size_t begin = next_;
    while (begin < items_) {
      const std::size_t end = begin + std::clamp<std::size_t>((items_ - begin) / n_blocks_, 1, kMaxItems);
      if (next_.compare_exchange_weak(begin, end)) return {begin, end};
    }
    return {items_, items_};
  }

 private:
  static constexpr std::size_t kBlocksPerThread = 32;  // of the items that are left
  static constexpr std::size_t kMaxItems = 1024;       // of a block, so that no thread waits long for another

  const std::size_t items_, n_blocks_;
  std::atomic<std::size_t> next_{0};
};

// Calls make_worker() once per worker, each on its own thread, and the worker it returns with every item in
// [0, items).
template <typename MakeWorker>
void share_items(std::size_t items, std::size_t workers, const MakeWorker& make_worker) {
  ItemBlocks blocks(items, workers);
  on_each_worker(workers, [&](std::size_t) {
    auto worker = make_worker();
    for (auto block = blocks.take(); block.begin < block.end; block = blocks.take())
      for (std::size_t item = block.begin; item < block.end; ++item) {
        check_interrupts();
        worker(item);
      }
  });
}

// The same on as many threads as are useful for short items.
template <typename MakeWorker>
void parallel_for(std::size_t items, std::size_t threads, const MakeWorker& make_worker) {
  share_items(items, useful_threads(items, threads), make_worker);
}

// The same for tasks that each take long enough to be worth a thread.
template <typename MakeWorker>
void parallel_tasks(std::size_t tasks, std::size_t threads, const MakeWorker& make_worker) {
  share_items(tasks, std::clamp<std::size_t>(tasks, 1, std::max<std::size_t>(threads, 1)), make_worker);
}

// Calls all functions, at the same time if there are threads.
template <typename... Functions>
void call_together(std::size_t threads, const Functions&... functions) {
  const std::function<void()> all[] = {std::cref(functions)...};
  parallel_tasks(sizeof...(functions), threads, [&] { return [&](std::size_t i) { all[i](); }; });
}

}  // namespace tertium
