// Dot products by registers of eight floats, for processors that have them: asked at run time, so that one
// build serves all. The sums are those of similarity.hpp to the last bit, since the eight lanes are the same
// and no product is fused with a sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>
#endif

namespace tertium::similarity {

#if TERTIUM_HAS_AVX2

// The values of a vector from `at` on that do not fill a register, with zeros behind them.
TERTIUM_AVX inline __m256 load_last(const float* at, std::size_t count) {
  alignas(32) static constexpr std::int32_t kMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_maskload_ps(at, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMask + 8 - count)));
}

// Lane l plus lane l + 4, as doubles.
TERTIUM_AVX inline __m256d add_halves(__m256 lanes) {
  return _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(lanes)),
                       _mm256_cvtps_pd(_mm256_extractf128_ps(lanes, 1)));
}

// The four lanes, added from the first to the last.
TERTIUM_AVX inline double add_lanes(__m256d lanes) {
  alignas(32) double values[4];
  _mm256_store_pd(values, lanes);
  return values[0] + values[1] + values[2] + values[3];
}
// The same for four registers at once.
TERTIUM_AVX inline __m256d add_lanes(const __m256d* lanes) {
  const __m256d low01 = _mm256_unpacklo_pd(lanes[0], lanes[1]);
  const __m256d high01 = _mm256_unpackhi_pd(lanes[0], lanes[1]);
  const __m256d low23 = _mm256_unpacklo_pd(lanes[2], lanes[3]);
  const __m256d high23 = _mm256_unpackhi_pd(lanes[2], lanes[3]);
  const __m256d first = _mm256_permute2f128_pd(low01, low23, 0x20);
  const __m256d second = _mm256_permute2f128_pd(high01, high23, 0x20);
  const __m256d third = _mm256_permute2f128_pd(low01, low23, 0x31);
  const __m256d fourth = _mm256_permute2f128_pd(high01, high23, 0x31);
  return _mm256_add_pd(_mm256_add_pd(_mm256_add_pd(first, second), third), fourth);
}

// out[r * stride + c] = a[r]·b[c]; every value loaded is used for all rows or columns.
template <std::size_t Rows, std::size_t Columns>
TERTIUM_AVX void dot_block(const float* const* a, const float* const* b, std::size_t width, double* out,
                           std::size_t stride) {
  __m256 sums[Rows][Columns] = {};
  const auto add_products = [&](const auto& load) __attribute__((target("avx"), always_inline)) {
    __m256 left[Rows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) left[r] = load(a[r]);
#pragma GCC unroll 4
    for (std::size_t c = 0; c < Columns; ++c) {
      __m256 right = load(b[c]);
      asm("" : "+x"(right));  // stay in a register: compilers would load it anew for every row
#pragma GCC unroll 4
      for (std::size_t r = 0; r < Rows; ++r)
        sums[r][c] = _mm256_add_ps(sums[r][c], _mm256_mul_ps(left[r], right));
    }
  };
  const std::size_t whole = width - width % 8;
  for (std::size_t k = 0; k < whole; k += 8)
    add_products([k](const float* values)
                     __attribute__((target("avx"), always_inline)) { return _mm256_loadu_ps(values + k); });
  if (whole < width)
    add_products([whole, width](const float* values) __attribute__((target("avx"), always_inline)) {
      return load_last(values + whole, width - whole);
    });
  for (std::size_t r = 0; r < Rows; ++r) {
    __m256d halves[Columns];
    for (std::size_t c = 0; c < Columns; ++c) halves[c] = add_halves(sums[r][c]);
    if constexpr (Columns == 4)
      _mm256_storeu_pd(out + r * stride, add_lanes(halves));
    else
      for (std::size_t c = 0; c < Columns; ++c) out[r * stride + c] = add_lanes(halves[c]);
  }
}

// out[i] = a[i]·a[i]; four at a time, since each addition waits for the one before.
TERTIUM_AVX inline void square_four(const float* const* a, std::size_t width, double* out) {
  __m256 sums[4] = {};
  const std::size_t whole = width - width % 8;
  for (std::size_t k = 0; k < whole; k += 8)
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
      const __m256 values = _mm256_loadu_ps(a[i] + k);
      sums[i] = _mm256_add_ps(sums[i], _mm256_mul_ps(values, values));
    }
  __m256d halves[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const __m256 values = whole < width ? load_last(a[i] + whole, width - whole) : __m256{};
    halves[i] = add_halves(_mm256_add_ps(sums[i], _mm256_mul_ps(values, values)));
  }
  _mm256_storeu_pd(out, add_lanes(halves));
}

// out[k] = the sum of vectors[.][k], for the first whole registers; returns how many values they hold. Four
// registers at a time, so that sums stay in them.
TERTIUM_AVX inline std::size_t add_up_wide(const float* const* vectors, std::size_t count, std::size_t width,
                                           float* out) {
  using Oct = float __attribute__((vector_size(32)));
  std::size_t k = 0;
  for (; k + 32 <= width; k += 32) {
    Oct sums[4] = {};
    for (std::size_t v = 0; v < count; ++v)
#pragma GCC unroll 4
      for (std::size_t q = 0; q < 4; ++q) {
        Oct values;
        std::memcpy(&values, vectors[v] + k + 8 * q, sizeof(Oct));
        sums[q] += values;
      }
    std::memcpy(out + k, sums, sizeof sums);
  }
  return k;
}

#endif

}  // namespace tertium::similarity
