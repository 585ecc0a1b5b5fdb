// Numbers for whatever is met, from 0 in the order of first appearance: the way in which n-grams, tree
// paths and phrases get exact names. A name of two parts is one 64-bit key, so that a longer sequence is
// named by (name of its beginning, last symbol) and no two sequences ever share a name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// The key of an ordered pair of numbers; different pairs have different keys.
inline std::uint64_t pair_key(std::int32_t first, std::int32_t second) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32) |
         static_cast<std::uint32_t>(second);
}

// An open-addressing map from 64-bit keys to dense ids. It is emptied in constant time: one table serves
// thousands of short sentences, and clearing it would cost more than filling it.
class DenseNames {
 public:
  DenseNames() : slots_(256) {}

  void clear() {
    size_ = 0;
    if (++epoch_ == 0) {  // the stamp went round: forget every old one
      std::fill(slots_.begin(), slots_.end(), Slot{});
      epoch_ = 1;
    }
  }
  std::int32_t size() const { return size_; }

  // The key's id, or -1 if it has none.
  std::int32_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(key, mask); slots_[at].epoch == epoch_; at = (at + 1) & mask)
      if (slots_[at].key == key) return slots_[at].id;
    return -1;
  }

  // The key's id, given now if it is new.
  std::int32_t name(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = place(key, mask);
    for (; slots_[at].epoch == epoch_; at = (at + 1) & mask)
      if (slots_[at].key == key) return slots_[at].id;
    slots_[at] = {key, epoch_, size_};
    if (static_cast<std::size_t>(++size_) * 2 > slots_.size()) grow();
    return size_ - 1;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t epoch = 0;  // a slot of an older epoch is free
    std::int32_t id = 0;
  };
  // Fibonacci hashing: the golden ratio spreads neighbouring keys, and its high bits depend on all of them.
  static std::size_t place(std::uint64_t key, std::size_t mask) {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      std::size_t at = place(slot.key, mask);
      while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t epoch_ = 1;
  std::int32_t size_ = 0;
};

}  // namespace tertium
