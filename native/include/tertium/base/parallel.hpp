// Spreads independent items over threads; the caller's result must not depend on who does what.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tertium {

// Below this many items a thread costs more than it saves.
inline constexpr std::size_t kItemsWorthAThread = 64;

inline std::size_t useful_threads(std::size_t items, std::size_t threads) {
  return std::clamp<std::size_t>(items / kItemsWorthAThread, 1, std::max<std::size_t>(threads, 1));
}

// Runs work(worker) once on each of `workers` threads and hands on the first exception.
template <typename Work>
void on_each_worker(std::size_t workers, const Work& work) {
  if (workers <= 1) {
    work(std::size_t{0});
    return;
  }
  std::exception_ptr failure;
  std::mutex failure_lock;
  auto guarded = [&](std::size_t worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(workers - 1);
  for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(guarded, worker);
  guarded(0);
  for (auto& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
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
      for (std::size_t item = begin; item < end; ++item) worker(item);
    }
  });
}

}  // namespace tertium
