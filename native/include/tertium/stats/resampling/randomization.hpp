// Approximate randomization (Noreen 1989): sums over the rows that random bits keep.
//
// Rows are processed 24 at a time: the sums of all subsets of six rows are computed once for many samples,
// which look up theirs ("four Russians", Arlazarov et al. 1970). Statistics that are counts are summed in 16
// bits, which are added to doubles before they can overflow; integers have the same sum in any order. The
// result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/stats/random/pcg64.hpp"
#include "tertium/stats/sums/column_sums.hpp"

namespace tertium {

// Random bits that say which rows samples keep, in the order of numpy's `Generator.integers(2, dtype=bool)`.
class RandomBits {
 public:
  RandomBits(Pcg64& generator, std::size_t count) : words_((count + 31) / 32 + 2, 0) {
    for (std::size_t i = 0; i + 2 < words_.size(); ++i) words_[i] = generator.next32();
  }

  // At least 32 bits from a place on, the first one lowest; zeros beyond the end.
  std::uint64_t at(std::size_t place) const {
    const std::uint64_t both = words_[place / 32] | std::uint64_t{words_[place / 32 + 1]} << 32;
    return both >> (place % 32);
  }

 private:
  PooledVector<std::uint32_t> words_;
};

// The bits of samples that keep or exchange `rows` rows each.
struct KeptRows {
  const RandomBits& bits;
  std::size_t rows;

  // Whether a sample keeps the rows from `begin` on, the lowest bit first.
  std::uint64_t at(std::size_t sample, std::size_t begin) const { return bits.at(sample * rows + begin); }
};

// Four tables of 64 subsets, for 16 columns of doubles, take 32 kB: a first-level cache.
inline constexpr std::size_t kTableBits = 6, kTableEntries = std::size_t{1} << kTableBits;
inline constexpr std::size_t kStepTables = 4, kStepRows = kStepTables * kTableBits;

// Fills the tables of a step: entries[u] of a table has the sum of those of its six rows whose bit is set in
// u. Rows of `columns` numbers lie `stride` numbers apart.
template <typename Number>
TERTIUM_INLINE void fill_subsets(const Number* rows, std::size_t stride, std::size_t columns,
                                 Number* entries) {
  using Lanes = simd::Vec<Number, 32 / sizeof(Number)>;
  for (std::size_t t = 0; t < kStepTables; ++t, entries += kTableEntries * columns) {
    std::fill_n(entries, columns, Number{0});
    for (std::size_t b = 0; b < kTableBits; ++b, rows += stride)
      for (std::size_t u = 0; u < std::size_t{1} << b; ++u)
        for (std::size_t j = 0; j < columns; j += Lanes::kLanes)
          (Lanes::load(entries + u * columns + j) + Lanes::load(rows + j))
              .store(entries + (u | std::size_t{1} << b) * columns + j);
  }
}

// Adds the rows of a step that a sample keeps to sums[j]; the lowest bit says whether it keeps the first row.
template <typename Number>
TERTIUM_INLINE void add_subsets(const Number* tables, std::uint64_t bits, std::size_t columns, Number* sums) {
  using Lanes = simd::Vec<Number, 32 / sizeof(Number)>;
  const Number* entries[kStepTables];
  for (std::size_t t = 0; t < kStepTables; ++t)
    entries[t] = tables + (t * kTableEntries + (bits >> (t * kTableBits) & (kTableEntries - 1))) * columns;
  for (std::size_t j = 0; j < columns; j += Lanes::kLanes)
    (Lanes::load(sums + j) + ((Lanes::load(entries[0] + j) + Lanes::load(entries[1] + j)) +
                              (Lanes::load(entries[2] + j) + Lanes::load(entries[3] + j))))
        .store(sums + j);
}

inline constexpr std::size_t kSwapBand = 16;  // columns that are either all summed in 16 bits or not
inline constexpr std::size_t kSwapBands = 6, kSwapColumns = kSwapBands * kSwapBand;

// The sums of some samples over a step, of which rows are `columns` numbers wide; `tables` is working space.
TERTIUM_INLINE void add_narrow(const std::int16_t* rows, std::size_t columns, std::size_t begin,
                               const KeptRows& kept, const SumTask& task, std::int16_t* tables,
                               std::int16_t* sums) {
  fill_subsets(rows, columns, columns, tables);
  for (std::size_t sample = task.first; sample < task.last; ++sample, sums += columns)
    add_subsets(tables, kept.at(sample, begin), columns, sums);
}

// The 16-bit sums of one task after another. Call begin() before and empty() after each task.
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
  // caller sums the others. A band with fractions stays with the caller until the end of the task, because
  // its sums depend on the order.
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

  // Adds the rows that samples keep among the rows taken, the first of which is row `begin`.
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
  static constexpr double kMaxWhole = 0x1p31;  // many numbers up to this can be added without rounding

  // The largest sum of absolute values in a column, and the error of rounding its numbers to integers.
  struct Step {
    double size, lost;
  };

  static Step look(const double* block) {
    constexpr double rounder = 0x1.8p52;  // adding it rounds to an integer
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

// About 32,000 rows. The sums of a chunk are added in the order of chunks, so changing this may change last
// digits.
inline constexpr std::size_t kSwapChunkRows = 1365 * kStepRows;

// Adds the rows of a step that each sample keeps to its sums of a band. The first row is row `begin`;
// `tables` is working space.
TERTIUM_INLINE void add_kept(const double* block, std::size_t begin, const KeptRows& kept,
                             const SumTask& task, std::size_t column, double* tables) {
  fill_subsets(block + column, kSwapColumns, kSwapBand, tables);
  double* to = task.sums.data() + column;
  for (std::size_t sample = task.first; sample < task.last; ++sample, to += kSwapColumns)
    add_subsets(tables, kept.at(sample, begin), kSwapBand, to);
}

// Computes the sums of a task, step by step.
class KeptSummer {
 public:
  explicit KeptSummer(const KeptRows& kept) : kept_(kept) {}

  void operator()(const SumTask& task) {
    narrow_.begin(task);
    std::fill(block_.begin(), block_.end(), 0.0);  // padding columns count as integers
    for (std::size_t begin = task.begin; begin < task.end; begin += kStepRows) {
      const std::size_t end = std::min(begin + kStepRows, task.end);
      task.strip->pack(begin, end, kSwapColumns, block_);
      // padding rows are zero, so their random bits have no effect
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

// Fills `sums` (samples x columns), which must be zero, and advances the generator.
inline void kept_sums(std::span<const ColumnRun> tables, std::size_t rows, std::size_t samples,
                      Pcg64& generator, std::size_t threads, std::span<double> sums) {
  const RandomBits bits(generator, rows * samples);
  const KeptRows kept{bits, rows};
  const SumShape shape{kSwapChunkRows, group_samples(samples, threads), kSwapColumns};
  sum_in_chunks(tables, rows, samples, shape, threads, sums, [&] { return KeptSummer(kept); });
}

}  // namespace tertium
