// Maps from keys to dense ids (0, 1, 2, ... in order of first appearance) that are cleared in O(1).
//
// They give n-grams, tree paths and phrases exact ids: a sequence's key is the pair (id of its prefix, last
// symbol), so no two sequences share an id. All of them use the same technique, an epoch counter: an entry is
// valid only if it carries the current epoch, so clearing is incrementing a number. One table serves
// thousands of short sentences; wiping it would cost more than filling it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "tertium/base/buffer_pool.hpp"

namespace tertium {

// A table of entries indexed by small integers, all of which are emptied in O(1). An Entry is an aggregate
// with a member `std::uint32_t epoch = 0`, which belongs to the table; it is a member so that entries stay
// small.
template <typename Entry>
class EpochTable {
 public:
  explicit EpochTable(std::size_t size = 0) : entries_(size, Entry{}) {}

  std::size_t size() const { return entries_.size(); }
  // New entries are empty; existing ones stay as they are.
  void resize(std::size_t size) { entries_.resize(size, Entry{}); }

  void clear() {
    if (++epoch_ == 0) {  // the counter wrapped around: old entries would look current
      std::ranges::fill(entries_, Entry{});
      epoch_ = 1;
    }
  }

  bool has(std::size_t i) const { return entries_[i].epoch == epoch_; }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }  // its contents count only if has(i)
  void set(std::size_t i, Entry entry) {
    entry.epoch = epoch_;
    entries_[i] = entry;
  }
  // The entry, new if the table does not have it.
  Entry& claim(std::size_t i) {
    if (!has(i)) set(i, {});
    return entries_[i];
  }

 private:
  PooledVector<Entry> entries_;
  std::uint32_t epoch_ = 1;
};

// An open-addressing hash map from keys to dense ids, cleared in O(1). `Hash` returns a well-mixed number;
// `Equal` is called for keys in the same probe sequence.
template <typename Key, typename Hash, typename Equal = std::equal_to<Key>>
class EpochMap {
 public:
  EpochMap() : slots_(kInitialSlots) {}

  void clear() {
    size_ = 0;
    slots_.clear();
  }
  std::int32_t size() const { return size_; }

  // Makes space for this many keys, which saves growing step by step.
  void reserve(std::size_t keys) {
    if (slots_.size() < 2 * keys) grow(std::bit_ceil(2 * keys));
  }

  // The key's id, or -1 if it has none.
  std::int32_t find(const Key& key) const {
    const std::size_t at = probe(key);
    return slots_.has(at) ? slots_[at].id : -1;
  }

  // The key's id, assigned now if the key is new.
  std::int32_t intern(const Key& key) {
    std::size_t at = probe(key);
    if (slots_.has(at)) return slots_[at].id;
    if ((static_cast<std::size_t>(size_) + 1) * 2 > slots_.size()) {  // first, because it may fail
      grow(2 * slots_.size());
      at = free_slot(key);
    }
    slots_.set(at, {.key = key, .id = size_});
    return size_++;
  }

 private:
  static constexpr std::size_t kInitialSlots = 256;  // enough for a sentence of 128 different words
  struct Slot {
    Key key{};
    std::int32_t id = 0;
    std::uint32_t epoch = 0;
  };

  // The slot that has the key, or the free one where it belongs.
  std::size_t probe(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = Hash{}(key)&mask;
    while (slots_.has(at) && !Equal{}(slots_[at].key, key)) at = (at + 1) & mask;
    return at;
  }
  void grow(std::size_t n_slots) {
    EpochTable<Slot> old(n_slots);
    std::swap(old, slots_);
    for (std::size_t i = 0; i < old.size(); ++i)
      if (old.has(i)) slots_.set(free_slot(old[i].key), old[i]);
  }
  // For a key that the table does not have: no keys are compared, which may be slow or throw.
  std::size_t free_slot(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = Hash{}(key)&mask;
    while (slots_.has(at)) at = (at + 1) & mask;
    return at;
  }

  EpochTable<Slot> slots_;
  std::int32_t size_ = 0;
};

// Fibonacci hashing: multiplying by the golden ratio spreads neighbouring keys, and the high bits of the
// product depend on all bits of the key.
struct FibonacciHash {
  std::size_t operator()(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32);
  }
};

using DenseIds = EpochMap<std::uint64_t, FibonacciHash>;

// The key of an ordered pair of numbers; different pairs have different keys.
inline std::uint64_t pair_key(std::int32_t first, std::int32_t second) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32) |
         static_cast<std::uint32_t>(second);
}

}  // namespace tertium
