// A growing set of numbers that knows how many of its members lie below a given one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/base/simd.hpp"

namespace tertium {

// A bit for each number, and for each word of bits how many members lie in the words before it: a question
// takes one count of bits, an insertion a plain loop over words.
class SeenPlaces {
 public:
  void clear(std::size_t size) {
    words_.assign(size / 64 + 1, 0);
    before_.assign(size / 64 + 1, 0);
  }

  TERTIUM_INLINE void insert(std::uint32_t place) {
    const std::size_t word = place / 64;
    words_[word] |= std::uint64_t{1} << (place % 64);
    std::uint32_t* const before = before_.data();
    for (std::size_t later = word + 1; later < before_.size(); ++later) ++before[later];
  }

  TERTIUM_INLINE std::int64_t count_below(std::uint32_t place) const {
    const std::uint64_t mask = (std::uint64_t{1} << (place % 64)) - 1;
    return before_[place / 64] + std::popcount(words_[place / 64] & mask);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
};

// The same for numbers below 64, in one word.
class FewPlaces {
 public:
  void clear(std::size_t) { word_ = 0; }
  TERTIUM_INLINE void insert(std::uint32_t place) { word_ |= std::uint64_t{1} << place; }
  TERTIUM_INLINE std::int64_t count_below(std::uint32_t place) const {
    return std::popcount(word_ & ((std::uint64_t{1} << place) - 1));
  }

 private:
  std::uint64_t word_ = 0;
};

}  // namespace tertium
