// The phrases of a table that occur in a batch of texts: far fewer than all, but scattered among them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/simd.hpp"

namespace tertium {

// One bit per phrase of the table. Most phrases that are looked up are not in the set, and the bits stay in
// the cache.
class PhraseSet {
 public:
  void clear(std::size_t phrases) { bits_.assign(phrases / 64 + 1, 0); }

  bool has(std::uint32_t phrase) const {
    return phrase / 64 < bits_.size() && (bits_[phrase / 64] >> (phrase % 64) & 1) != 0;
  }
  // Returns whether the phrase is new. It must be one of the table's.
  bool add(std::uint32_t phrase) {
    const std::uint64_t bit = std::uint64_t{1} << (phrase % 64);
    const bool is_new = (bits_[phrase / 64] & bit) == 0;
    bits_[phrase / 64] |= bit;
    return is_new;
  }

 private:
  friend class PhraseNumbers;
  PooledVector<std::uint64_t> bits_;
};

// Numbers the phrases of two sets from 0 on, each by how many come before it.
class PhraseNumbers {
 public:
  // The sets must be of one table.
  PhraseNumbers(const PhraseSet& one, const PhraseSet& other) : words_(uninitialized(one.bits_.size())) {
    simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { unite(one, other); });  // an instruction counts bits
  }

  std::size_t size() const { return size_; }
  // The number of a phrase of either set.
  std::int32_t operator[](std::uint32_t phrase) const {
    const Word& word = words_[phrase / 64];
    const std::uint64_t below = word.bits & ((std::uint64_t{1} << (phrase % 64)) - 1);
    return static_cast<std::int32_t>(word.before) + std::popcount(below);
  }

 private:
  struct Word {
    std::uint64_t bits;
    std::uint32_t before;
  };

  TERTIUM_INLINE void unite(const PhraseSet& one, const PhraseSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] = {one.bits_[w] | other.bits_[w], size_};
      size_ += static_cast<std::uint32_t>(std::popcount(words_[w].bits));
    }
  }

  PooledVector<Word> words_;
  std::uint32_t size_ = 0;
};

}  // namespace tertium
