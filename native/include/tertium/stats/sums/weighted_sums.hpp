// Sums of rows under many rows of small whole weights: a matrix product that gives the same digits for any
// number of threads and any instruction set.
//
// O(samples x rows x columns), blocked for the caches; a sum is made in the order of the rows. Bands of
// columns that are small whole numbers throughout a tile are summed as such, which gives the same digits
// faster.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/prefetch.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/stats/sums/column_sums.hpp"
#include "tertium/stats/sums/whole_tiles.hpp"

namespace tertium {

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
