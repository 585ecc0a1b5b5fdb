// Vectors that are zero because the system hands out memory so. A large one costs nothing until it is
// written to, and its pages then come into being on the threads that write, not on the one that asked.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tertium {

// Takes memory that is zero and leaves numbers that are given no value as they are there.
template <typename T>
class BlankAllocator {
  static_assert(std::is_arithmetic_v<T>);

 public:
  using value_type = T;

  BlankAllocator() = default;
  template <typename Other>
  explicit BlankAllocator(const BlankAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    auto* memory = static_cast<T*>(std::calloc(count, sizeof(T)));  // it looks for overflow itself
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  template <typename Item>
  void construct(Item*) noexcept {}
  template <typename Item, typename... Values>
  void construct(Item* at, Values&&... values) {
    std::construct_at(at, std::forward<Values>(values)...);
  }

  bool operator==(const BlankAllocator&) const { return true; }
};

// BlankVector<T>(n) and the first resize(n) give zeros. One that shrank must not grow again by resize().
template <typename T>
using BlankVector = std::vector<T, BlankAllocator<T>>;

}  // namespace tertium
