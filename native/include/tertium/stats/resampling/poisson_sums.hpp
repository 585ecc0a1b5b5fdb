// Sums over Poisson resamples of a stream of rows.
//
// The rows may come in any order and in any parts, on any number of machines: weights depend only on a row's
// number, and the sums are exact. O(samples x rows x columns).
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/stats/random/poisson.hpp"
#include "tertium/stats/sums/column_sums.hpp"
#include "tertium/stats/sums/exact_columns.hpp"
#include "tertium/stats/sums/exact_sum.hpp"
#include "tertium/stats/sums/weighted_sums.hpp"

namespace tertium {

struct ColumnSplit {
  std::vector<std::size_t> whole, others;

  // The whole columns of a table, from a row on.
  std::vector<ColumnRun> runs(std::span<const double> table, std::size_t columns, std::size_t row) const {
    std::vector<ColumnRun> runs;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (i > 0 && whole[i] == whole[i - 1] + 1)
        ++runs.back().width;
      else
        runs.push_back({table.data() + row * columns + whole[i], 1, columns});
    }
    return runs;
  }
};

// Finds the columns that hold nothing but whole numbers of size `most` at most, which is less than 2^51.
inline ColumnSplit split_columns(std::span<const double> table, std::size_t columns, double most) {
  constexpr double rounder = 0x1.8p52;  // a sum with it has no bits below the point
  std::vector<double> largest(columns), lost(columns);
  for (std::size_t begin = 0; begin < table.size(); begin += columns)
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = table[begin + j], size = std::fabs(value);
      largest[j] = size > largest[j] ? size : largest[j];
      lost[j] += std::fabs(value - ((value + rounder) - rounder));  // NaN if the number is not finite
    }
  ColumnSplit split;
  for (std::size_t j = 0; j < columns; ++j)
    (lost[j] == 0 && largest[j] <= most ? split.whole : split.others).push_back(j);
  return split;
}

// The slices of some columns of a block of rows, column by column: sums of a slice under small weights are
// exact.
class SlicedBlock {
 public:
  static constexpr std::size_t kRows =
      1024;                               // bounds the weights' sum, and the weights of 1,000 samples to 1 MB
  static constexpr int kWeightBits = 14;  // the weights of a block sum up to 12 * 1024 at most

  SlicedBlock(std::span<const double> table, std::size_t columns, std::span<const std::size_t> chosen)
      : rows_(table.size() / columns), rest_(padded_length(rows_)) {
    for (const std::size_t column : chosen) {
      for (std::size_t i = 0; i < rows_; ++i) rest_[i] = table[i * columns + column];
      cut(column);
    }
  }

  std::size_t rows() const { return rows_; }
  std::size_t size() const { return column_of_.size(); }
  std::span<const std::size_t> column_of() const { return column_of_; }

  std::vector<ColumnRun> runs() const {
    std::vector<ColumnRun> runs;
    for (std::size_t slice = 0; slice < size(); ++slice)
      runs.push_back({values_.data() + slice * rest_.size(), 1, 1});
    return runs;
  }

 private:
  void cut(std::size_t column) {
    double largest = largest_size(rest_.data(), rest_.size());
    if (!(largest < kMaxCuttable)) throw std::domain_error("a statistic is not a finite number");
    while (largest > 0) {  // which leaves the block zero, as the next column's padding must be
      values_.resize(values_.size() + rest_.size());
      double* const slice = values_.data() + values_.size() - rest_.size();
      largest = cut_slice(rest_.data(), rest_.size(), slice_anchor(largest, kWeightBits), slice).largest_rest;
      column_of_.push_back(column);
    }
  }

  std::size_t rows_;
  std::vector<double> rest_, values_;
  std::vector<std::size_t> column_of_;
};

class PoissonSums {
 public:
  // Sums of the samples [first, first + samples).
  PoissonSums(std::size_t samples, std::size_t columns, const PhiloxKey& key, std::uint64_t first = 0)
      : samples_(samples), first_(first), key_(key), windows_(columns, ExactWindow(samples)) {}

  std::size_t samples() const { return samples_; }
  std::uint64_t first() const { return first_; }
  std::size_t columns() const { return windows_.size(); }
  const PhiloxKey& key() const { return key_; }
  std::uint64_t n_rows() const { return n_rows_; }
  const ExactWindow& operator[](std::size_t column) const { return windows_[column]; }
  ExactWindow& operator[](std::size_t column) { return windows_[column]; }
  void count_rows(std::uint64_t rows) { n_rows_ += rows; }

  // Adds rows of which the first has the number `start`. Whole numbers are summed over all of them before
  // they are added to the exact sums, others block by block.
  void add(std::uint64_t start, std::span<const double> table, std::size_t threads) {
    const std::size_t rows = columns() == 0 ? 0 : table.size() / columns();
    const auto split = split_columns(table, columns(), kMaxExact / static_cast<double>(rows + 1));
    PooledVector<double> sums(samples_ * split.whole.size(), 0.0);
    auto windows = windows_;  // replaced at the end, so that a failure adds nothing
    for (std::size_t begin = 0; begin < rows; begin += SlicedBlock::kRows) {
      const std::size_t size = std::min(SlicedBlock::kRows, rows - begin);
      const Weights weights = draw(start + begin, size, threads);
      weighted_sums(split.runs(table, columns(), begin), weights, threads, sums);
      add_slices({table.subspan(begin * columns(), size * columns()), columns(), split.others}, weights,
                 threads, windows);
    }
    deposit(sums, split.whole, windows);
    windows_.swap(windows);
    n_rows_ += rows;
  }

  void merge(const PoissonSums& other) {
    auto windows = windows_;
    for (std::size_t column = 0; column < columns(); ++column) windows[column].merge(other.windows_[column]);
    windows_.swap(windows);
    n_rows_ += other.n_rows_;
  }

 private:
  // The limit on the numbers of a column for which sums under weights are exact, times the number of rows.
  static constexpr double kMaxExact = 0x1p53 / (PoissonTable::kMaxWeight + 1);

  Weights draw(std::uint64_t start, std::size_t rows, std::size_t threads) {
    weights_.resize(uninitialized(samples_ * rows));
    parallel_for(samples_, threads, [&] {
      return [&](std::size_t sample) {
        draw_poisson(table_, key_, first_ + sample, start, std::span(weights_).subspan(sample * rows, rows));
      };
    });
    return {weights_, samples_, rows};
  }

  void add_slices(const SlicedBlock& block, const Weights& weights, std::size_t threads,
                  std::span<ExactWindow> windows) const {
    PooledVector<double> sums(samples_ * block.size(), 0.0);
    weighted_sums(block.runs(), weights, threads, sums);
    deposit(sums, block.column_of(), windows);
  }

  // Adds sums (samples x columns given) to the exact ones.
  void deposit(std::span<const double> sums, std::span<const std::size_t> columns,
               std::span<ExactWindow> windows) const {
    std::vector<double> values(samples_);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t sample = 0; sample < samples_; ++sample)
        values[sample] = sums[sample * columns.size() + i];
      windows[columns[i]].add(values);
    }
  }

  std::size_t samples_;
  std::uint64_t first_;
  PhiloxKey key_;
  PoissonTable table_;
  std::vector<ExactWindow> windows_;  // a column each, with a sum per sample
  PooledVector<std::uint8_t> weights_;
  std::uint64_t n_rows_ = 0;
};

}  // namespace tertium
