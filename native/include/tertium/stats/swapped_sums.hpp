// Sums over the rows that random bits keep: the inside of approximate randomization.
//
// The rows are taken 24 at a time. The digits do not depend on threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "tertium/stats/narrow_sums.hpp"
#include "tertium/stats/partial_sums.hpp"
#include "tertium/stats/pcg64.hpp"
#include "tertium/stats/random_bits.hpp"
#include "tertium/stats/subset_tables.hpp"

namespace tertium {

inline constexpr std::size_t kSwapChunkRows = 1365 * kStepRows;

// Adds to each sample's sums of a band what it keeps of the rows of a step, the first of which is row
// `begin`; `tables` is working space.
TERTIUM_INLINE void add_kept(const double* block, std::size_t begin, const KeptRows& kept,
                             const SumTask& task, std::size_t column, double* tables) {
  fill_subsets(block + column, kSwapColumns, kSwapBand, tables);
  double* to = task.sums.data() + column;
  for (std::size_t sample = task.first; sample < task.last; ++sample, to += kSwapColumns)
    add_subsets(tables, kept.at(sample, begin), kSwapBand, to);
}

// Makes the sums of a task, step by step.
class KeptSummer {
 public:
  explicit KeptSummer(const KeptRows& kept) : kept_(kept) {}

  void operator()(const SumTask& task) {
    narrow_.begin(task);
    std::fill(block_.begin(), block_.end(), 0.0);  // columns that do not exist are whole numbers
    for (std::size_t begin = task.begin; begin < task.end; begin += kStepRows) {
      const std::size_t end = std::min(begin + kStepRows, task.end);
      task.strip->pack(begin, end, kSwapColumns, block_);
      // rows that do not exist add nothing, whatever their bits
      std::fill(block_.begin() + static_cast<std::ptrdiff_t>((end - begin) * kSwapColumns), block_.end(),
                0.0);
      narrow_.take(block_.data(), task);
      narrow_.add(begin, kept_, task);
      for (std::size_t band = 0; band < narrow_.n_bands(); ++band)
        if (!narrow_.has(band))
          simd::dispatch([&]() TERTIUM_ALWAYS_INLINE {
            add_kept(block_.data(), begin, kept_, task, band * kSwapBand, tables_.data());
          });
    }
    narrow_.empty(task);
  }

 private:
  const KeptRows& kept_;
  NarrowSums narrow_;
  std::vector<double> block_ = std::vector<double>(kStepRows * kSwapColumns);
  std::vector<double> tables_ = std::vector<double>(kStepTables * kTableEntries * kSwapBand);
};

// Fills `sums` (samples x columns), which must be zero, and moves the generator on.
inline void kept_sums(std::span<const ColumnRun> tables, std::size_t rows, std::size_t samples,
                      Pcg64& generator, std::size_t threads, std::span<double> sums) {
  const RandomBits bits(generator, rows * samples);
  const KeptRows kept{bits, rows};
  const SumShape shape{kSwapChunkRows, group_samples(samples, threads), kSwapColumns};
  sum_in_chunks(tables, rows, samples, shape, threads, sums, [&] { return KeptSummer(kept); });
}

}  // namespace tertium
