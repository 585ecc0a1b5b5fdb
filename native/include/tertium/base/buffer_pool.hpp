// Vectors whose large buffers are kept and reused.
//
// A fresh page of memory is zeroed by the system when it is first touched, on the thread that touches it,
// while other threads wait for the same lock. Batch after batch needs arrays of the same sizes, so buffers
// that one batch frees serve the next, up to a limit. Taking and returning a buffer cost a lock.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tertium {

// Free buffers, by size.
class BufferPool {
 public:
  // Smaller buffers go to operator new, which keeps them itself; larger ones it would return to the system.
  static constexpr std::size_t kMinPooledBytes = std::size_t{1} << 16;
  // Trades memory that an idle process holds (64 MB) against page faults in the next batch.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr std::size_t kMaxKeptBytes = 0;  // so that a use after free is not hidden
#else
  static constexpr std::size_t kMaxKeptBytes = std::size_t{1} << 26;
#endif

  // The pool of this process. It is never destroyed, because arrays may outlive everything else.
  static BufferPool& instance() {
    static auto& pool = *new BufferPool();
    return pool;
  }

  // The size of the buffer for a request: at most an eighth larger, so that buffers serve similar sizes.
  static std::size_t rounded(std::size_t bytes) {
    if (bytes < kMinPooledBytes) return bytes;
    const std::size_t step = std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
  }

  // Uninitialised memory of at least this size.
  void* take(std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    if (size >= kMinPooledBytes) {
      const std::lock_guard lock(lock_);
      if (const std::size_t i = find(size); i < kept_.size()) return remove(i);
    }
    return ::operator new(size);
  }

  // Returns the memory that take(bytes) gave.
  void give_back(void* memory, std::size_t bytes) noexcept {
    const std::size_t size = rounded(bytes);
    if (size < kMinPooledBytes || size > kMaxKeptBytes) return ::operator delete(memory);
    const std::lock_guard lock(lock_);
    while (!kept_.empty() && (total_ + size > kMaxKeptBytes || kept_.size() == kept_.capacity()))
      ::operator delete(remove(0));
    kept_.push_back({memory, size, this_thread()});
    total_ += size;
  }

 private:
  struct Buffer {
    void* memory;
    std::size_t size;
    const void* thread;  // that returned it
  };
  BufferPool() { kept_.reserve(128); }  // so that give_back() never allocates

  // The buffer of this size that is most likely in this core's cache: the one that this thread returned last,
  // or else any thread.
  std::size_t find(std::size_t size) const noexcept {
    const void* const thread = this_thread();
    std::size_t found = kept_.size();
    for (std::size_t i = kept_.size(); i-- > 0;) {
      if (kept_[i].size != size) continue;
      if (kept_[i].thread == thread) return i;
      if (found == kept_.size()) found = i;
    }
    return found;
  }

  // Identifies this thread by an address that no other living thread has.
  static const void* this_thread() noexcept {
    thread_local char mark;
    return &mark;
  }

  void* remove(std::size_t i) noexcept {
    void* memory = kept_[i].memory;
    total_ -= kept_[i].size;
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
    return memory;
  }

  std::mutex lock_;
  std::vector<Buffer> kept_;  // the one returned first comes first
  std::size_t total_ = 0;
};

// Takes its memory from the pool and leaves elements without a given value uninitialised.
template <typename T>
class PooledAllocator {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  PooledAllocator() = default;
  template <typename Other>
  explicit PooledAllocator(const PooledAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(BufferPool::instance().take(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    BufferPool::instance().give_back(memory, count * sizeof(T));
  }

  template <typename Item>
  void construct(Item*) noexcept {}
  template <typename Item, typename... Values>
  void construct(Item* at, Values&&... values) {
    std::construct_at(at, std::forward<Values>(values)...);
  }

  bool operator==(const PooledAllocator&) const { return true; }
};

// A number of elements that are left uninitialised: write every one before reading it.
struct Uninitialized {
  std::size_t size;
};
inline Uninitialized uninitialized(std::size_t size) { return {size}; }

// A std::vector in pooled memory. Where std::vector would fill new elements with zeros, the caller must say
// which value they get, or uninitialized(n).
template <typename T>
class PooledVector : public std::vector<T, PooledAllocator<T>> {
  using Base = std::vector<T, PooledAllocator<T>>;

 public:
  PooledVector() = default;
  PooledVector(std::initializer_list<T> values) : Base(values) {}
  PooledVector(std::size_t size, const T& value) : Base(size, value) {}
  explicit PooledVector(Uninitialized elements) : Base(elements.size) {}

  void resize(std::size_t size, const T& value) { Base::resize(size, value); }
  void resize(Uninitialized elements) { Base::resize(elements.size); }  // existing elements keep their values
  void resize(std::size_t size) = delete;
  // Fewer elements.
  void truncate(std::size_t size) { Base::resize(size); }
};

}  // namespace tertium
