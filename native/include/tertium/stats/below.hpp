// Random numbers below a bound, from random words of 32 bits (Lemire 2019, "Fast random integer generation in
// an interval").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"

namespace tertium {

#if TERTIUM_HAS_AVX2
// Scales both halves of each word, the lower one first; returns false if one of them must be drawn again.
TERTIUM_AVX2 inline bool scale_words_avx2(std::span<const std::uint64_t> words, std::uint32_t bound,
                                          std::uint32_t threshold, std::uint32_t* drawn) {
  using simd::UInt32x8, simd::UInt64x4;
  const auto factor = UInt64x4::all(bound), low_half = UInt64x4::all(0xffffffff);
  const auto least = UInt32x8::all(threshold);
  UInt32x8::Mask is_rejected{};
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const auto both = UInt64x4::load(words.data() + i);
    const UInt64x4 first = simd::multiply_low_halves(both, factor);
    const UInt64x4 second = simd::multiply_low_halves(both >> 32, factor);
    const UInt64x4 upper = (first >> 32) | (second & ~low_half);
    const UInt64x4 lower = (first & low_half) | (second << 32);
    simd::bits_as<UInt32x8>(upper).store(drawn + 2 * i);
    is_rejected |= simd::bits_as<UInt32x8>(lower) < least;
  }
  return !simd::any_bit(is_rejected);
}
#endif

class Below {
 public:
  explicit Below(std::uint32_t bound) : bound_(bound), threshold_((0u - bound) % bound) {}

  // Writes the number that a word gives; false if it must be drawn again.
  bool take(std::uint32_t word, std::uint32_t& drawn) const {
    const std::uint64_t product = std::uint64_t{word} * bound_;
    drawn = static_cast<std::uint32_t>(product >> 32);
    return static_cast<std::uint32_t>(product) >= threshold_;
  }

  // Writes the numbers that the halves of words give, the lower one first, and returns how many; there is
  // room for all, and their number is a multiple of four.
  std::size_t take_all(std::span<const std::uint64_t> words, std::uint32_t* drawn) const {
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2() && scale_words_avx2(words, bound_, threshold_, drawn)) return 2 * words.size();
#endif
    std::size_t n_drawn = 0;
    for (const std::uint64_t both : words) {
      n_drawn += take(static_cast<std::uint32_t>(both), drawn[n_drawn]);
      n_drawn += take(static_cast<std::uint32_t>(both >> 32), drawn[n_drawn]);
    }
    return n_drawn;
  }

 private:
  std::uint32_t bound_, threshold_;  // 2^32 mod bound
};

}  // namespace tertium
