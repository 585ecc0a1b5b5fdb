// Sums over the rows that samples keep in numbers of 16 bits, for statistics that are counts.
//
// They are emptied into doubles before they could overflow. Whole numbers have the same sums in any order, so
// that no digit depends on when that is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/stats/partial_sums.hpp"
#include "tertium/stats/random_bits.hpp"
#include "tertium/stats/subset_tables.hpp"

namespace tertium {

inline constexpr std::size_t kSwapBand = 16;  // columns that are numbers of 16 bits together, or are not
inline constexpr std::size_t kSwapBands = 6, kSwapColumns = kSwapBands * kSwapBand;

// The sums of some samples over a step, of which rows are `columns` numbers wide; `tables` is working space.
TERTIUM_INLINE void add_narrow(const std::int16_t* rows, std::size_t columns, std::size_t begin,
                               const KeptRows& kept, const SumTask& task, std::int16_t* tables,
                               std::int16_t* sums) {
  fill_subsets(rows, columns, columns, tables);
  for (std::size_t sample = task.first; sample < task.last; ++sample, sums += columns)
    add_subsets(tables, kept.at(sample, begin), columns, sums);
}

// The sums of one task after another; each must begin, and be emptied in the end.
class NarrowSums {
 public:
  void begin(const SumTask& task) {
    n_bands_ = (task.strip->width + kSwapBand - 1) / kSwapBand;
    sums_.assign((task.last - task.first) * columns(), 0);
    used_.fill(0);
    is_whole_.fill(true);
  }

  std::size_t n_bands() const { return n_bands_; }
  bool has(std::size_t band) const { return has_[band]; }

  // Takes those bands of a step's rows, which are kSwapColumns wide, whose numbers are small enough. The
  // others are for the caller; a band with fractions is so up to the end of the task, since their sums have
  // an order.
  void take(const double* block, const SumTask& task) {
    bool must_empty = false;
    for (std::size_t band = 0; band < n_bands_; ++band) {
      const Step step = look(block + band * kSwapBand);
      const bool was_whole = is_whole_[band];
      is_whole_[band] = was_whole && step.lost == 0 && step.size < kMaxWhole;
      has_[band] = is_whole_[band] && step.size <= kMaxNarrow;
      sizes_[band] = has_[band] ? step.size : 0;
      must_empty |= is_whole_[band] != was_whole || used_[band] + sizes_[band] > kMaxNarrow;
    }
    if (must_empty) empty(task);
    for (std::size_t band = 0; band < n_bands_; ++band) {
      narrow(block + band * kSwapBand, has_[band], rows_.data() + band * kSwapBand);
      used_[band] += sizes_[band];
    }
  }

  // Adds what samples keep of the rows taken, the first of which is row `begin`.
  void add(std::size_t begin, const KeptRows& kept, const SumTask& task) {
    if (std::none_of(has_.begin(), has_.begin() + n_bands_, [](bool has) { return has; })) return;
    simd::dispatch([&]() TERTIUM_ALWAYS_INLINE {
      add_narrow(rows_.data(), columns(), begin, kept, task, tables_.data(), sums_.data());
    });
  }

  // Adds all sums to those of the task.
  void empty(const SumTask& task) {
    std::int16_t* from = sums_.data();
    double* to = task.sums.data();
    for (std::size_t sample = task.first; sample < task.last; ++sample, to += kSwapColumns)
      for (std::size_t j = 0; j < columns(); ++j, ++from) to[j] += *from;
    std::fill(sums_.begin(), sums_.end(), std::int16_t{0});
    used_.fill(0);
  }

 private:
  static constexpr double kMaxNarrow = 32767;
  static constexpr double kMaxWhole = 0x1p31;  // of which many can be added without rounding

  // The largest sum of the sizes of a column's numbers, and what rounding them to whole ones would lose.
  struct Step {
    double size, lost;
  };

  static Step look(const double* block) {
    constexpr double rounder = 0x1.8p52;  // a sum with it has no bits below the point
    double sizes[kSwapBand] = {}, lost[kSwapBand] = {};
    for (std::size_t i = 0; i < kStepRows; ++i, block += kSwapColumns)
      for (std::size_t j = 0; j < kSwapBand; ++j) {
        sizes[j] += std::fabs(block[j]);
        lost[j] += std::fabs(block[j] - ((block[j] + rounder) - rounder));  // NaN if it is not finite
      }
    Step step{0, 0};
    for (std::size_t j = 0; j < kSwapBand; ++j) {
      step.size = std::max(step.size, sizes[j]);
      step.lost += lost[j];
    }
    return step;
  }

  void narrow(const double* block, bool fits, std::int16_t* to) const {
    for (std::size_t i = 0; i < kStepRows; ++i, block += kSwapColumns, to += columns())
      for (std::size_t j = 0; j < kSwapBand; ++j) to[j] = fits ? static_cast<std::int16_t>(block[j]) : 0;
  }

  std::size_t columns() const { return n_bands_ * kSwapBand; }

  std::size_t n_bands_ = 0;
  std::array<double, kSwapBands> used_{}, sizes_{};  // no sum of a band is larger than what is used
  std::array<bool, kSwapBands> is_whole_{}, has_{};
  std::vector<std::int16_t> sums_;
  std::vector<std::int16_t> rows_ = std::vector<std::int16_t>(kStepRows * kSwapColumns);
  std::vector<std::int16_t> tables_ = std::vector<std::int16_t>(kStepTables * kTableEntries * kSwapColumns);
};

}  // namespace tertium
