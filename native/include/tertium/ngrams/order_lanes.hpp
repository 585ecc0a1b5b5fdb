// The innermost loop of PlaceMasks with a lane for each order, where the processor has registers of four
// lanes: four orders are counted at once, and eight take two registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>

namespace tertium {

// Clipped matches of each order. `symbols` are those of the hypothesis; each has a set of the places where it
// stands in the reference.
template <std::size_t W, std::size_t Orders>
TERTIUM_AVX2 void count_lanes(std::span<const std::size_t> symbols,
                              const std::vector<std::array<std::uint64_t, W>>& places_of,
                              std::span<std::int64_t> matches) {
  constexpr std::size_t kRegisters = (Orders + 3) / 4;
  const __m256i nothing = _mm256_setzero_si256();
  const __m256i everything = _mm256_set1_epi64x(-1);
  __m256i of_orders[kRegisters][W];  // where the n-gram at the position in hand stands
  __m256i taken[kRegisters][W];      // by n-grams of the order
  __m256i in_vain[kRegisters];       // positions whose n-gram found no free place, as a negative number
  for (std::size_t r = 0; r < kRegisters; ++r) {
    in_vain[r] = nothing;
    for (std::size_t w = 0; w < W; ++w) of_orders[r][w] = taken[r][w] = nothing;
  }
  for (std::size_t i = symbols.size(); i-- > 0;) {
    const std::uint64_t* const places = places_of[symbols[i]].data();
    __m256i seeks[kRegisters];  // all bits of the lanes that have no place yet
    for (std::size_t r = 0; r < kRegisters; ++r) seeks[r] = everything;
    for (std::size_t w = 0; w < W; ++w) {
      const __m256i own = _mm256_set1_epi64x(static_cast<long long>(places[w]));
      __m256i shorter = everything;  // in its first lane: where the n-gram without its first symbol stands
      for (std::size_t r = 0; r < kRegisters; ++r) {
        __m256i rest = _mm256_srli_epi64(of_orders[r][w], 1);
        if (w + 1 < W) rest = _mm256_or_si256(rest, _mm256_slli_epi64(of_orders[r][w + 1], 63));
        const __m256i turned = _mm256_permute4x64_epi64(rest, _MM_SHUFFLE(2, 1, 0, 3));
        const __m256i ngrams = _mm256_and_si256(own, _mm256_blend_epi32(turned, shorter, 0b11));
        const __m256i free = _mm256_and_si256(_mm256_andnot_si256(taken[r][w], ngrams), seeks[r]);
        const __m256i lowest = _mm256_and_si256(free, _mm256_sub_epi64(nothing, free));
        shorter = turned;
        of_orders[r][w] = ngrams;
        taken[r][w] = _mm256_or_si256(taken[r][w], lowest);
        seeks[r] = _mm256_and_si256(seeks[r], _mm256_cmpeq_epi64(free, nothing));
      }
    }
    for (std::size_t r = 0; r < kRegisters; ++r) in_vain[r] = _mm256_add_epi64(in_vain[r], seeks[r]);
  }
  std::array<std::int64_t, 4 * kRegisters> lanes;
  for (std::size_t r = 0; r < kRegisters; ++r)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&lanes[4 * r]), in_vain[r]);
  for (std::size_t n = 0; n < Orders; ++n) matches[n] = static_cast<std::int64_t>(symbols.size()) + lanes[n];
}

}  // namespace tertium
#endif
