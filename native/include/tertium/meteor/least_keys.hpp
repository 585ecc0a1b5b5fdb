// The smallest of a few numbers, in order, without unpredictable branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"

namespace tertium {

// Sorts up to 256 different numbers: each is compared with all others, eight at a time with AVX2, and the
// number of smaller ones is its place. Quadratic, yet with so few numbers faster than sorting with branches.
class LeastKeys {
 public:
  static constexpr std::size_t kMaxKeys = 256;

  // Storage for the keys; sort() gets their number.
  std::span<std::int32_t, kMaxKeys> keys() { return keys_; }

  // Writes the smallest of the first `count` keys in order, as many as fit into `least`.
  void sort(std::size_t count, std::span<std::int32_t> least) {
    const std::size_t padded = (count + kBlock - 1) / kBlock * kBlock;
    std::fill(keys_.begin() + count, keys_.begin() + padded, INT32_MAX);
    count_lesser(count, padded);
    for (std::size_t i = 0; i < count; ++i) sorted_[static_cast<std::size_t>(places_[i])] = keys_[i];
    std::copy_n(sorted_.begin(), least.size(), least.begin());
  }

 private:
  static constexpr std::size_t kBlock = 32;

  void count_lesser(std::size_t count, std::size_t padded) {
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) return count_lesser_wide(count, padded);
#endif
    for (std::size_t i = 0; i < count; i += 2) {  // each key that is read is compared with two
      const std::int32_t one = keys_[i], other = keys_[i + 1];
      std::int32_t below_one = 0, below_other = 0;
      for (std::size_t j = 0; j < padded; ++j) {
        below_one += keys_[j] < one;
        below_other += keys_[j] < other;
      }
      places_[i] = below_one;
      places_[i + 1] = below_other;
    }
  }

#if TERTIUM_HAS_AVX2
  TERTIUM_AVX2 void count_lesser_wide(std::size_t count, std::size_t padded) {
    using simd::Int32x8;
    for (std::size_t first = 0; first < padded; first += kBlock) {
      Int32x8 own[4], lesser[4];
      simd::clear(lesser);
      for (std::size_t k = 0; k < 4; ++k) own[k] = Int32x8::load(&keys_[first + 8 * k]);
      for (std::size_t j = 0; j < count; ++j) {
        const auto other = Int32x8::all(keys_[j]);
        for (std::size_t k = 0; k < 4; ++k) lesser[k] -= own[k] > other;
      }
      for (std::size_t k = 0; k < 4; ++k) lesser[k].store(&places_[first + 8 * k]);
    }
  }
#endif

  alignas(32) std::array<std::int32_t, kMaxKeys> keys_;
  alignas(32) std::array<std::int32_t, kMaxKeys> places_;
  std::array<std::int32_t, kMaxKeys> sorted_;
};

}  // namespace tertium
