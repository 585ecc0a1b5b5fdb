// An operator new that fails on request, for every library of a process that preloads this one.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> n_calls{0};
std::atomic<long> first_failure{0};  // the number of the call that fails, from 1; 0 if none does
std::atomic<bool> all_fail_after{false};

bool must_fail() {
  const long first = first_failure.load();
  if (first == 0) return false;
  const long call = ++n_calls;
  return call == first || (call > first && all_fail_after.load());
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (must_fail()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(std::max<std::size_t>(size, 1));
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Lets the given call of operator new fail, and the later ones too if `stays`; 0 lets none fail.
extern "C" void fail_allocation(long number, bool stays) {
  first_failure = 0;
  n_calls = 0;
  all_fail_after = stays;
  first_failure = number;
}

// The calls since fail_allocation().
extern "C" long count_allocations() { return n_calls; }

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
