// Sums of small whole numbers under small whole weights, sixteen products in one instruction.
//
// Statistics are nearly always counts. Where all numbers of some columns fit into 16 bits, their sums over a
// tile of rows are made in 32 bits, which is exact, and so the same as a sum of doubles in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>
#endif

namespace tertium {

// No sum of weights of 8 bits times numbers of 16 bits over so many rows exceeds 32 bits.
inline constexpr std::size_t kWholeRows = 256;
static_assert(kWholeRows * 255 * 32768 < std::size_t{1} << 31);

inline constexpr std::size_t kBandColumns = 16;  // which are chosen together, and summed together
inline constexpr std::size_t kWholeSamples = 4;

// A pair of weights of neighbouring rows, or of numbers in one column of them, is 32 bits wide.
inline constexpr std::size_t kBandPairs = kWholeRows / 2 * kBandColumns;

#if TERTIUM_HAS_AVX2
// Eight neighbouring numbers of a row, rounded to whole ones; sets bits of `lost` if that or 16 bits lose
// anything.
TERTIUM_AVX2 inline __m256i eight_whole(const double* row, __m256i& lost) {
  const __m256d first = _mm256_loadu_pd(row), second = _mm256_loadu_pd(row + 4);
  const __m128i lower = _mm256_cvtpd_epi32(first), upper = _mm256_cvtpd_epi32(second);
  const __m256d changed = _mm256_or_pd(_mm256_cmp_pd(_mm256_cvtepi32_pd(lower), first, _CMP_NEQ_UQ),
                                       _mm256_cmp_pd(_mm256_cvtepi32_pd(upper), second, _CMP_NEQ_UQ));
  const __m256i whole = _mm256_set_m128i(upper, lower);
  const __m256i narrow = _mm256_srai_epi32(_mm256_slli_epi32(whole, 16), 16);
  lost =
      _mm256_or_si256(lost, _mm256_or_si256(_mm256_castpd_si256(changed), _mm256_xor_si256(whole, narrow)));
  return whole;
}

// Writes a band of a tile as pairs, two rows of a column side by side, if all its numbers are whole and small
// enough; `stride` is the width of the tile, which has an even number of rows.
TERTIUM_AVX2 inline bool pack_whole_avx2(const double* tile, std::size_t rows, std::size_t stride,
                                         std::int32_t* pairs) {
  __m256i lost = _mm256_setzero_si256();
  for (std::size_t i = 0; i < rows; i += 2, tile += 2 * stride, pairs += kBandColumns) {
    for (std::size_t j = 0; j < kBandColumns; j += 8) {
      const __m256i upper = eight_whole(tile + j, lost), lower = eight_whole(tile + stride + j, lost);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(pairs + j),
                          _mm256_blend_epi16(upper, _mm256_slli_epi32(lower, 16), 0xaa));
    }
    if (_mm256_testz_si256(lost, lost) == 0) return false;
  }
  return true;
}

inline std::int32_t pair_at(const std::int16_t* numbers) {
  std::int32_t pair;
  std::memcpy(&pair, numbers, sizeof pair);
  return pair;
}

// Writes weights as numbers of 16 bits.
TERTIUM_AVX2 inline void widen_weights_avx2(const std::uint8_t* weights, std::size_t rows,
                                            std::int16_t* wide) {
  std::size_t i = 0;
  for (; i + 16 <= rows; i += 16) {
    const __m128i narrow = _mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(wide + i), _mm256_cvtepu8_epi16(narrow));
  }
  for (; i < rows; ++i) wide[i] = weights[i];
}

// sums[j] += totals[j], for eight columns.
TERTIUM_AVX2 inline void add_eight_whole(__m256i totals, double* sums) {
  const __m256d lower = _mm256_cvtepi32_pd(_mm256_castsi256_si128(totals));
  const __m256d upper = _mm256_cvtepi32_pd(_mm256_extracti128_si256(totals, 1));
  _mm256_storeu_pd(sums, _mm256_add_pd(_mm256_loadu_pd(sums), lower));
  _mm256_storeu_pd(sums + 4, _mm256_add_pd(_mm256_loadu_pd(sums + 4), upper));
}

// sums[s][column + j] += sum over pairs of weights[s][pair] · band[pair][j], for four samples and the columns
// of a band.
TERTIUM_AVX2 inline void add_whole_avx2(const std::int16_t* weights, const std::int32_t* band,
                                        std::size_t pairs, double* const* sums, std::size_t column) {
  __m256i totals[kWholeSamples][kBandColumns / 8];
  for (auto& row : totals)
    for (auto& each : row) each = _mm256_setzero_si256();
  const auto* numbers = reinterpret_cast<const __m256i*>(band);
  for (std::size_t pair = 0; pair < pairs; ++pair, numbers += kBandColumns / 8) {
    const __m256i own[] = {_mm256_loadu_si256(numbers), _mm256_loadu_si256(numbers + 1)};
    for (std::size_t s = 0; s < kWholeSamples; ++s) {
      const __m256i both = _mm256_set1_epi32(pair_at(weights + s * kWholeRows + 2 * pair));
      for (std::size_t j = 0; j < kBandColumns / 8; ++j)
        totals[s][j] = _mm256_add_epi32(totals[s][j], _mm256_madd_epi16(both, own[j]));
    }
  }
  for (std::size_t s = 0; s < kWholeSamples; ++s)
    for (std::size_t j = 0; j < kBandColumns / 8; ++j)
      add_eight_whole(totals[s][j], sums[s] + column + 8 * j);
}
#endif

// The bands of a tile that are whole numbers; none where registers are narrow.
class WholeBands {
 public:
  bool has(std::size_t band) const { return is_whole_[band]; }
  bool has_all() const { return std::ranges::find(is_whole_, false) == is_whole_.end(); }

  // Takes what it can of a tile of rows of `stride` columns, the first `width` of which are whole bands.
  void pack(const double* tile, std::size_t rows, std::size_t stride, std::size_t width) {
    rows_ = rows;
    is_whole_.assign(width / kBandColumns, false);
    pairs_.resize(is_whole_.size() * kBandPairs);
#if TERTIUM_HAS_AVX2
    if (!prefers_avx2()) return;
    for (std::size_t band = 0; band < is_whole_.size(); ++band)
      is_whole_[band] = pack_whole_avx2(tile + band * kBandColumns, rows, stride, &pairs_[band * kBandPairs]);
#else
    static_cast<void>(tile), static_cast<void>(stride);
#endif
  }

  // Adds the sums of its bands under the weights of four samples to each of theirs.
  void add(const std::uint8_t* const* weights, double* const* sums) {
#if TERTIUM_HAS_AVX2
    if (!prefers_avx2()) return;
    for (std::size_t s = 0; s < kWholeSamples; ++s)
      widen_weights_avx2(weights[s], rows_, &wide_[s * kWholeRows]);
    for (std::size_t band = 0; band < is_whole_.size(); ++band)
      if (is_whole_[band])
        add_whole_avx2(wide_.data(), &pairs_[band * kBandPairs], (rows_ + 1) / 2, sums, band * kBandColumns);
#else
    static_cast<void>(weights), static_cast<void>(sums);
#endif
  }

 private:
  std::size_t rows_ = 0;
  std::vector<bool> is_whole_;
  std::vector<std::int32_t> pairs_;  // of all bands
  std::vector<std::int16_t> wide_ = std::vector<std::int16_t>(kWholeSamples * kWholeRows);
};

}  // namespace tertium
