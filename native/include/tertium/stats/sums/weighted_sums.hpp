// Sums of rows under many rows of small whole weights: a matrix product that gives the same digits for any
// number of threads and any instruction set.
//
// O(samples x rows x columns), blocked for the caches; a sum is made in the order of the rows. Bands of
// columns that are small whole numbers throughout a tile are summed as such, which gives the same digits
// faster: statistics are nearly always counts. Where all numbers of some columns fit into 16 bits, or 8 bits
// with AVX-512, their sums over a tile of rows are computed in 32 bits, 16 or 64 products per instruction,
// which is exact, and therefore equal to a sum of doubles in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tertium/base/prefetch.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/stats/sums/column_sums.hpp"

namespace tertium {

// Up to this many rows, no sum of weights of 8 bits times numbers of 16 bits exceeds 32 bits.
inline constexpr std::size_t kWholeRows = 256;
static_assert(kWholeRows * 255 * 32768 < std::size_t{1} << 31);

inline constexpr std::size_t kBandColumns = 16;  // columns that are packed and summed together
inline constexpr std::size_t kWholeSamples = 4;
inline constexpr std::size_t kRowsTogether = 4;  // rows whose products an instruction adds, at most

// A pair of weights of neighbouring rows, or of numbers in one column of them, is 32 bits wide.
inline constexpr std::size_t kBandPairs = kWholeRows / 2 * kBandColumns;

#if TERTIUM_HAS_AVX2
// Eight neighbouring numbers of a row, rounded to integers; sets bits of `lost` if a number is not an integer
// of 16 bits.
TERTIUM_AVX2_INLINE simd::Int32x8 eight_whole(const double* row, simd::Int32x8& lost) {
  using simd::Double4, simd::Int32x8;
  const auto first = Double4::load(row), second = Double4::load(row + 4);
  const Int32x8 whole = simd::round_to_int(first, second);
  const auto changed = (simd::low_as_doubles(whole) != first) | (simd::high_as_doubles(whole) != second);
  lost |= simd::bits_as<Int32x8>(changed) | (whole ^ (whole << 16 >> 16));
  return whole;
}

// Writes a band of a tile as pairs of neighbouring rows of a column, if all its numbers are integers of 16
// bits; `stride` is the width of the tile.
TERTIUM_AVX2 inline bool pack_whole_avx2(const double* tile, std::size_t rows, std::size_t stride,
                                         std::int32_t* pairs) {
  using simd::Int32x8;
  const auto low_half = Int32x8::all(0xffff);
  Int32x8 lost{};
  for (std::size_t i = 0; i < rows; i += 2, tile += 2 * stride, pairs += kBandColumns) {
    for (std::size_t j = 0; j < kBandColumns; j += 8) {
      const Int32x8 upper = eight_whole(tile + j, lost), lower = eight_whole(tile + stride + j, lost);
      ((upper & low_half) | (lower << 16)).store(pairs + j);
    }
    if (simd::any_bit(lost)) return false;
  }
  return true;
}

// The bits of two numbers of 16 bits, or four of 8.
template <typename Number>
TERTIUM_INLINE std::int32_t bits_at(const Number* numbers) {
  std::int32_t bits;
  std::memcpy(&bits, numbers, sizeof bits);
  return bits;
}

// Writes weights as numbers of 16 bits.
TERTIUM_AVX2 inline void widen_weights_avx2(const std::uint8_t* weights, std::size_t rows,
                                            std::int16_t* wide) {
  std::size_t i = 0;
  for (; i + 16 <= rows; i += 16) simd::load_widened(weights + i).store(wide + i);
  for (; i < rows; ++i) wide[i] = weights[i];
}

// sums[j] += totals[j], for eight columns.
TERTIUM_AVX2_INLINE void add_eight_whole(const simd::Int32x8& totals, double* sums) {
  (simd::Double4::load(sums) + simd::low_as_doubles(totals)).store(sums);
  (simd::Double4::load(sums + 4) + simd::high_as_doubles(totals)).store(sums + 4);
}

// sums[s][column + j] += sum over pairs of weights[s][pair] · band[pair][j], for four samples and the columns
// of a band.
TERTIUM_AVX2 inline void add_whole_avx2(const std::int16_t* weights, const std::int32_t* band,
                                        std::size_t pairs, double* const* sums, std::size_t column) {
  using simd::Int16x16, simd::Int32x8;
  constexpr std::size_t registers = kBandColumns / 8;
  Int32x8 totals[kWholeSamples][registers];
  simd::clear(totals);
  for (std::size_t pair = 0; pair < pairs; ++pair, band += kBandColumns) {
    Int16x16 own[registers];
    for (std::size_t j = 0; j < registers; ++j) own[j] = simd::bits_as<Int16x16>(Int32x8::load(band + 8 * j));
    for (std::size_t s = 0; s < kWholeSamples; ++s) {
      const auto both = simd::bits_as<Int16x16>(Int32x8::all(bits_at(weights + s * kWholeRows + 2 * pair)));
      for (std::size_t j = 0; j < registers; ++j) totals[s][j] += simd::multiply_pairs(both, own[j]);
    }
  }
  for (std::size_t s = 0; s < kWholeSamples; ++s)
    for (std::size_t j = 0; j < registers; ++j) add_eight_whole(totals[s][j], sums[s] + column + 8 * j);
}

// Writes a packed band as groups of four neighbouring rows of a column, if all its numbers are integers of 8
// bits; the number of pairs of rows is even.
TERTIUM_AVX2 inline bool pack_bytes_avx2(const std::int32_t* band, std::size_t pairs, std::int32_t* fours) {
  using simd::Int32x8;
  Int32x8 lost{};
  for (std::size_t i = 0; i < pairs; i += 2, band += 2 * kBandColumns, fours += kBandColumns) {
    for (std::size_t j = 0; j < kBandColumns; j += 8) {
      const auto upper = Int32x8::load(band + j), lower = Int32x8::load(band + kBandColumns + j);
      for (const Int32x8& pair : {upper, lower})
        lost |= ((pair << 24 >> 24) ^ (pair << 16 >> 16)) | ((pair << 8 >> 24) ^ (pair >> 16));
      const auto first = Int32x8::all(0xff), second = Int32x8::all(0xff00);
      (((upper & first) | (upper >> 8 & second)) | ((lower & first) << 16 | (lower >> 8 & second) << 16))
          .store(fours + j);
    }
    if (simd::any_bit(lost)) return false;
  }
  return true;
}

// As add_whole_avx2(), for a band of groups of four rows. The weights are those of four neighbouring rows.
TERTIUM_AVX512 inline void add_bytes_avx512(const std::uint8_t* const* weights, const std::int32_t* band,
                                            std::size_t fours, double* const* sums, std::size_t column) {
  using simd::Int32x16;
  Int32x16 totals[kWholeSamples];
  simd::clear(totals);
  for (std::size_t four = 0; four < fours; ++four, band += kBandColumns) {
    const auto own = Int32x16::load(band);
#pragma GCC unroll 4
    for (std::size_t s = 0; s < kWholeSamples; ++s)
      simd::add_byte_products(totals[s], Int32x16::all(bits_at(weights[s] + 4 * four)), own);
  }
  for (std::size_t s = 0; s < kWholeSamples; ++s) {
    std::int32_t lanes[kBandColumns];
    totals[s].store(lanes);
    for (std::size_t j = 0; j < kBandColumns; j += 8)
      add_eight_whole(simd::Int32x8::load(lanes + j), sums[s] + column + j);
  }
}
#endif

// The bands of a tile that contain integers only; none without AVX2.
class WholeBands {
 public:
  bool has(std::size_t band) const { return bands_[band] != Band::fractions; }
  bool has_all() const { return std::ranges::find(bands_, Band::fractions) == bands_.end(); }

  // Packs the integer bands of a tile of rows of `stride` columns, the first `width` of which are complete
  // bands. The tile has kRowsTogether rows or a multiple of it.
  void pack(const double* tile, std::size_t rows, std::size_t stride, std::size_t width) {
    rows_ = rows;
    bands_.assign(width / kBandColumns, Band::fractions);
    packed_.resize(bands_.size() * kBandPairs);
#if TERTIUM_HAS_AVX2
    if (!simd::use_avx2()) return;
    for (std::size_t band = 0; band < bands_.size(); ++band)
      bands_[band] = pack_band(tile + band * kBandColumns, stride, &packed_[band * kBandPairs]);
#else
    static_cast<void>(tile), static_cast<void>(stride);
#endif
  }

  // Adds the weighted sums of the packed bands to the sums of four samples. Rows beyond the weights are zero.
  void add(const std::uint8_t* const* weights, std::size_t n_weights, double* const* sums) {
#if TERTIUM_HAS_AVX2
    if (!simd::use_avx2()) return;
    const bool has_pairs = std::ranges::find(bands_, Band::pairs) != bands_.end();
    const std::uint8_t* narrow[kWholeSamples];
    for (std::size_t s = 0; s < kWholeSamples; ++s) {
      narrow[s] = weights[s];
      if (has_pairs) widen_weights_avx2(weights[s], n_weights, &wide_[s * kWholeRows]);
      if (n_weights < rows_)
        narrow[s] = std::copy_n(weights[s], n_weights, &narrow_[s * kWholeRows]) - n_weights;
    }
    for (std::size_t band = 0; band < bands_.size(); ++band) {
      const std::int32_t* const packed = &packed_[band * kBandPairs];
      if (bands_[band] == Band::bytes)
        add_bytes_avx512(narrow, packed, rows_ / 4, sums, band * kBandColumns);
      else if (bands_[band] == Band::pairs)
        add_whole_avx2(wide_.data(), packed, rows_ / 2, sums, band * kBandColumns);
    }
#else
    static_cast<void>(weights), static_cast<void>(n_weights), static_cast<void>(sums);
#endif
  }

 private:
  enum class Band : std::uint8_t { fractions, pairs, bytes };

#if TERTIUM_HAS_AVX2
  Band pack_band(const double* tile, std::size_t stride, std::int32_t* packed) {
    if (!pack_whole_avx2(tile, rows_, stride, packed)) return Band::fractions;
    if (!simd::use_avx512() || !pack_bytes_avx2(packed, rows_ / 2, bytes_.data())) return Band::pairs;
    std::copy_n(bytes_.data(), rows_ / 4 * kBandColumns, packed);
    return Band::bytes;
  }
#endif

  std::size_t rows_ = 0;
  std::vector<Band> bands_;
  std::vector<std::int32_t> packed_;  // all bands
  std::vector<std::int32_t> bytes_ = std::vector<std::int32_t>(kBandPairs / 2);
  std::vector<std::int16_t> wide_ = std::vector<std::int16_t>(kWholeSamples * kWholeRows);
  std::vector<std::uint8_t> narrow_ = std::vector<std::uint8_t>(kWholeSamples * kWholeRows);
};

// Weights (samples x rows), one row of weights after another.
struct Weights {
  std::span<const std::uint8_t> values;
  std::size_t samples, rows;

  const std::uint8_t* of(std::size_t sample) const { return values.data() + sample * rows; }
};

// Prefetches the weights of a tile, which are far apart: waiting for them would take as long as some of the
// sums.
inline void fetch_early(const std::uint8_t* memory, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 64) prefetch(memory + i);
}

inline constexpr std::size_t kTileRows = kWholeRows;
inline constexpr std::size_t kStripColumns =
    6 * kBandColumns;  // a tile takes 192 kB, within a second-level cache
inline constexpr std::size_t kPanelSamples = kWholeSamples;
// The sums of a chunk are added in the order of chunks, so changing this may change last digits.
inline constexpr std::size_t kChunkRows = 32 * kTileRows;

// sums[s][j] += sum over i of weights[i][s] * tile[i][j], for four samples and 4 * Fours columns.
template <std::size_t Fours>
TERTIUM_INLINE void add_products(const double* weights, const double* tile, std::size_t rows,
                                 double* const* sums, std::size_t column) {
  simd::Double4 totals[kPanelSamples][Fours];
  simd::clear(totals);
  for (std::size_t i = 0; i < rows; ++i) {
    const double* row = tile + i * kStripColumns + column;
    for (std::size_t s = 0; s < kPanelSamples; ++s) {
      const auto weight = simd::Double4::all(weights[i * kPanelSamples + s]);
      for (std::size_t j = 0; j < Fours; ++j) totals[s][j] += weight * simd::Double4::load(row + 4 * j);
    }
  }
  for (std::size_t s = 0; s < kPanelSamples; ++s)
    for (std::size_t j = 0; j < Fours; ++j) {
      double* const to = sums[s] + column + 4 * j;
      (simd::Double4::load(to) + totals[s][j]).store(to);
    }
}

// The same for the columns [column, end).
template <std::size_t Fours>
TERTIUM_INLINE void add_columns(const double* weights, const double* tile, std::size_t rows,
                                double* const* sums, std::size_t column, std::size_t end) {
  for (; column < end; column += 4 * Fours) add_products<Fours>(weights, tile, rows, sums, column);
}

TERTIUM_AVX2 inline void add_columns_avx2(const double* weights, const double* tile, std::size_t rows,
                                          double* const* sums, std::size_t column, std::size_t end) {
  add_columns<2>(weights, tile, rows, sums, column, end);
}

inline void add_columns_plain(const double* weights, const double* tile, std::size_t rows,
                              double* const* sums, std::size_t column, std::size_t end) {
  add_columns<1>(weights, tile, rows, sums, column, end);
}

// Makes the sums of a task, tile by tile.
class TileSummer {
 public:
  explicit TileSummer(const Weights& weights) : weights_(weights) {}

  void operator()(const SumTask& task) {
    for (std::size_t begin = task.begin; begin < task.end; begin += kTileRows) {
      const std::size_t rows = std::min(kTileRows, task.end - begin);
      pack(*task.strip, begin, rows);
      for (std::size_t sample = task.first; sample < task.last; sample += kPanelSamples)
        add_tile(task, begin, rows, sample);
    }
  }

 private:
  // The missing columns of the last band and the missing rows of the last group are filled with zeros, which
  // are integers and add nothing.
  void pack(const ColumnStrip& strip, std::size_t begin, std::size_t rows) {
    strip.pack(begin, begin + rows, kStripColumns, tile_);
    const std::size_t width = (strip.width + kBandColumns - 1) / kBandColumns * kBandColumns;
    for (std::size_t i = 0; i < rows; ++i)
      std::fill_n(tile_.data() + i * kStripColumns + strip.width, width - strip.width, 0.0);
    const std::size_t padded = (rows + kRowsTogether - 1) / kRowsTogether * kRowsTogether;
    for (std::size_t i = rows; i < padded; ++i) std::fill_n(tile_.data() + i * kStripColumns, width, 0.0);
    whole_.pack(tile_.data(), padded, kStripColumns, width);
  }

  void add_tile(const SumTask& task, std::size_t begin, std::size_t rows, std::size_t sample) {
    double* sums[kPanelSamples];
    const std::uint8_t* weights[kPanelSamples];
    for (std::size_t s = 0; s < kPanelSamples; ++s) {
      const bool exists = sample + s < task.last;
      sums[s] = exists ? &task.sums[(sample + s - task.first) * kStripColumns] : unused_.data();
      weights[s] = weights_.of(exists ? sample + s : sample) + begin;
    }
    for (std::size_t s = sample + kPanelSamples; s < std::min(sample + 2 * kPanelSamples, task.last); ++s)
      fetch_early(weights_.of(s) + begin, rows);
    whole_.add(weights, rows, sums);
    if (!whole_.has_all()) add_fractions(weights, rows, task.strip->width, sums);
  }

  // Adds the bands that are not whole numbers.
  void add_fractions(const std::uint8_t* const* weights, std::size_t rows, std::size_t width,
                     double* const* sums) {
    for (std::size_t s = 0; s < kPanelSamples; ++s)
      for (std::size_t i = 0; i < rows; ++i) panel_[i * kPanelSamples + s] = weights[s][i];
    const auto add = simd::use_avx2() ? add_columns_avx2 : add_columns_plain;
    for (std::size_t column = 0; column < width; column += kBandColumns)
      if (!whole_.has(column / kBandColumns))
        add(panel_.data(), tile_.data(), rows, sums, column, std::min(column + kBandColumns, width));
  }

  const Weights& weights_;
  WholeBands whole_;
  std::vector<double> tile_ = std::vector<double>(kTileRows * kStripColumns);
  std::vector<double> panel_ = std::vector<double>(kTileRows * kPanelSamples);
  std::vector<double> unused_ = std::vector<double>(kStripColumns);
};

// Adds to `sums` (samples x columns).
inline void weighted_sums(std::span<const ColumnRun> tables, const Weights& weights, std::size_t threads,
                          std::span<double> sums) {
  const SumShape shape{kChunkRows, group_samples(weights.samples, threads), kStripColumns};
  sum_in_chunks(tables, weights.rows, weights.samples, shape, threads, sums,
                [&] { return TileSummer(weights); });
}

}  // namespace tertium
