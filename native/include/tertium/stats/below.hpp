// Random numbers below a bound, from random words of 32 bits (Lemire 2019, "Fast random integer generation in
// an interval").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>
#endif

namespace tertium {

#if TERTIUM_HAS_AVX2
// Scales both halves of each word, the lower one first; false if one of them must be drawn again.
TERTIUM_AVX2 inline bool scale_words_avx2(std::span<const std::uint64_t> words, std::uint32_t bound,
                                          std::uint32_t threshold, std::uint32_t* drawn) {
  const __m256i factor = _mm256_set1_epi64x(bound), least = _mm256_set1_epi32(static_cast<int>(threshold));
  __m256i are_taken = _mm256_set1_epi32(-1);
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words.data() + i));
    const __m256i first = _mm256_mul_epu32(both, factor);
    const __m256i second = _mm256_mul_epu32(_mm256_srli_epi64(both, 32), factor);
    const __m256i upper = _mm256_blend_epi32(_mm256_srli_epi64(first, 32), second, 0xaa);
    const __m256i lower = _mm256_blend_epi32(first, _mm256_slli_epi64(second, 32), 0xaa);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(drawn + 2 * i), upper);
    are_taken = _mm256_and_si256(are_taken, _mm256_cmpeq_epi32(_mm256_max_epu32(lower, least), lower));
  }
  return _mm256_movemask_epi8(are_taken) == -1;
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
    if (prefers_avx2() && scale_words_avx2(words, bound_, threshold_, drawn)) return 2 * words.size();
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
