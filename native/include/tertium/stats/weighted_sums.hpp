// Sums of rows under many rows of small whole weights: a matrix product that gives the same digits for any
// number of threads and any instruction set.
//
// O(samples x rows x columns), blocked for the caches; a sum is made in the order of the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/stats/lanes.hpp"
#include "tertium/stats/partial_sums.hpp"

namespace tertium {

// Weights (samples x rows), one row of weights after another.
struct Weights {
  std::span<const std::uint8_t> values;
  std::size_t samples, rows;

  const std::uint8_t* of(std::size_t sample) const { return values.data() + sample * rows; }
};

inline constexpr std::size_t kTileRows = 256;
inline constexpr std::size_t kStripColumns = 96;  // a tile of a strip fits into the second cache
inline constexpr std::size_t kPanelSamples = 4;
inline constexpr std::size_t kChunkRows = 32 * kTileRows;
inline constexpr std::size_t kGroupSamples = 128;

// sums[s][j] += sum over i of weights[i][s] * tile[i][j], for four samples and 4 * Fours columns.
template <std::size_t Fours>
TERTIUM_INLINE void add_products(const double* weights, const double* tile, std::size_t rows,
                                 double* const* sums, std::size_t column) {
  Four totals[kPanelSamples][Fours] = {};
  for (std::size_t i = 0; i < rows; ++i) {
    const double* row = tile + i * kStripColumns + column;
    for (std::size_t s = 0; s < kPanelSamples; ++s) {
      const double weight = weights[i * kPanelSamples + s];
      for (std::size_t j = 0; j < Fours; ++j) totals[s][j] += weight * four_at(row + 4 * j);
    }
  }
  for (std::size_t s = 0; s < kPanelSamples; ++s)
    for (std::size_t j = 0; j < Fours; ++j) four_at(sums[s] + column + 4 * j) += totals[s][j];
}

template <std::size_t Fours>
TERTIUM_INLINE void add_panel(const double* weights, const double* tile, std::size_t rows,
                              std::size_t columns, double* const* sums) {
  for (std::size_t column = 0; column < columns; column += 4 * Fours)
    add_products<Fours>(weights, tile, rows, sums, column);
}

TERTIUM_AVX2 inline void add_panel_avx2(const double* weights, const double* tile, std::size_t rows,
                                        std::size_t columns, double* const* sums) {
  add_panel<2>(weights, tile, rows, columns, sums);
}

inline void add_panel_plain(const double* weights, const double* tile, std::size_t rows, std::size_t columns,
                            double* const* sums) {
  add_panel<1>(weights, tile, rows, columns, sums);
}

// Makes the sums of a task, tile by tile.
class TileSummer {
 public:
  explicit TileSummer(const Weights& weights) : weights_(weights) {}

  void operator()(const SumTask& task) {
    for (std::size_t begin = task.begin; begin < task.end; begin += kTileRows) {
      const std::size_t rows = std::min(kTileRows, task.end - begin);
      task.strip->pack(begin, begin + rows, kStripColumns, tile_);
      for (std::size_t sample = task.first; sample < task.last; sample += kPanelSamples)
        add_tile(task, begin, rows, sample);
    }
  }

 private:
  void add_tile(const SumTask& task, std::size_t begin, std::size_t rows, std::size_t sample) {
    double* sums[kPanelSamples];
    for (std::size_t s = 0; s < kPanelSamples; ++s) {
      const bool exists = sample + s < task.last;
      sums[s] = exists ? &task.sums[(sample + s - task.first) * kStripColumns] : unused_.data();
      const std::uint8_t* from = weights_.of(exists ? sample + s : sample) + begin;
      for (std::size_t i = 0; i < rows; ++i) panel_[i * kPanelSamples + s] = from[i];
    }
    const auto add = prefers_avx2() ? add_panel_avx2 : add_panel_plain;
    add(panel_.data(), tile_.data(), rows, task.strip->width, sums);
  }

  const Weights& weights_;
  std::vector<double> tile_ = std::vector<double>(kTileRows * kStripColumns);
  std::vector<double> panel_ = std::vector<double>(kTileRows * kPanelSamples);
  std::vector<double> unused_ = std::vector<double>(kStripColumns);
};

// Fills `sums` (samples x columns), which must be zero.
inline void weighted_sums(std::span<const ColumnRun> tables, const Weights& weights, std::size_t threads,
                          std::span<double> sums) {
  sum_in_chunks(tables, weights.rows, weights.samples, {kChunkRows, kGroupSamples, kStripColumns}, threads,
                sums, [&] { return TileSummer(weights); });
}

}  // namespace tertium
