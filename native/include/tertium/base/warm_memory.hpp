// Large arrays whose memory is kept for the next ones. The system gives a fresh page only after it has wiped
// it, on the thread that touches it first and with others waiting; batch after batch needs arrays of the same
// sizes, so what one gave back the next one takes, up to a limit. Taking and giving back cost a lock.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tertium {

// Blocks that wait to be used again, by their sizes.
class BlockStore {
 public:
  static constexpr std::size_t kLeast = std::size_t{1} << 16;  // smaller ones are the system's business
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr std::size_t kMostKept = 0;  // so that no use after the end is hidden
#else
  static constexpr std::size_t kMostKept = std::size_t{1} << 26;
#endif

  // The store of this process. It is never taken down: arrays may outlive everything else.
  static BlockStore& instance() {
    static auto& store = *new BlockStore();
    return store;
  }

  // What a block for so many bytes has: an eighth more at most, so that blocks serve for similar sizes.
  static std::size_t rounded(std::size_t bytes) {
    if (bytes < kLeast) return bytes;
    const std::size_t step = std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
  }

  // Memory for at least so many bytes, with anything in it.
  void* take(std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    if (size >= kLeast) {
      const std::lock_guard lock(lock_);
      for (std::size_t i = kept_.size(); i-- > 0;)  // the last one is the warmest
        if (kept_[i].size == size) return take_out(i);
    }
    void* memory = std::malloc(size);
    if (memory == nullptr && size > 0) throw std::bad_alloc();
    return memory;
  }

  // Takes back what take() gave for so many bytes.
  void give_back(void* memory, std::size_t bytes) noexcept {
    const std::size_t size = rounded(bytes);
    if (size < kLeast || size > kMostKept) return std::free(memory);
    const std::lock_guard lock(lock_);
    while (!kept_.empty() && (total_ + size > kMostKept || kept_.size() == kept_.capacity()))
      std::free(take_out(0));
    kept_.push_back({memory, size});
    total_ += size;
  }

  // The bytes of all blocks that wait.
  std::size_t total() {
    const std::lock_guard lock(lock_);
    return total_;
  }

 private:
  struct Block {
    void* memory;
    std::size_t size;
  };
  BlockStore() { kept_.reserve(64); }  // so that keeping a block asks for no memory itself

  void* take_out(std::size_t i) noexcept {
    void* memory = kept_[i].memory;
    total_ -= kept_[i].size;
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
    return memory;
  }

  std::mutex lock_;
  std::vector<Block> kept_;  // the one that has waited longest comes first
  std::size_t total_ = 0;
};

// Items that are given no value have any: who makes a vector of a certain size writes all of it.
template <typename T>
class WarmAllocator {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  WarmAllocator() = default;
  template <typename Other>
  explicit WarmAllocator(const WarmAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(BlockStore::instance().take(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    BlockStore::instance().give_back(memory, count * sizeof(T));
  }

  template <typename Item>
  void construct(Item*) noexcept {}
  template <typename Item, typename... Values>
  void construct(Item* at, Values&&... values) {
    std::construct_at(at, std::forward<Values>(values)...);
  }

  bool operator==(const WarmAllocator&) const { return true; }
};

template <typename T>
using WarmVector = std::vector<T, WarmAllocator<T>>;

}  // namespace tertium
