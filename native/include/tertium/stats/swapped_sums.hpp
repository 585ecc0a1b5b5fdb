// Sums over the rows that random bits keep: the inside of approximate randomization.
//
// All 64 sums of six rows are made once for many samples, which then look theirs up ("four Russians",
// Arlazarov et al. 1970), four times six rows in one step. The digits do not depend on threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/stats/lanes.hpp"
#include "tertium/stats/partial_sums.hpp"
#include "tertium/stats/pcg64.hpp"

namespace tertium {

inline constexpr std::size_t kTableBits = 6, kTableEntries = std::size_t{1} << kTableBits;
inline constexpr std::size_t kStepTables = 4, kStepRows = kStepTables * kTableBits;
inline constexpr std::size_t kSwapColumns = 16;  // four tables of them fit into the first cache
inline constexpr std::size_t kSwapChunkRows = 1365 * kStepRows;
inline constexpr std::size_t kSwapGroupSamples = 512;

// Random bits in the order in which `Generator.integers(2, dtype=bool)` deals them out.
class RandomBits {
 public:
  RandomBits(Pcg64& generator, std::size_t count) : words_((count + 31) / 32 + 2) {
    for (std::size_t i = 0; i + 2 < words_.size(); ++i) words_[i] = generator.next32();
  }

  // At least 32 bits from a place on, the first one lowest; zeros beyond the end.
  std::uint64_t at(std::size_t place) const {
    const std::uint64_t both = words_[place / 32] | std::uint64_t{words_[place / 32 + 1]} << 32;
    return both >> (place % 32);
  }

 private:
  std::vector<std::uint32_t> words_;
};

// Makes the sums of all subsets of six rows: entries[u] has the rows whose bit is set in u.
TERTIUM_INLINE void fill_subsets(const double* rows, double* entries) {
  for (std::size_t j = 0; j < kSwapColumns; ++j) entries[j] = 0;
  for (std::size_t b = 0; b < kTableBits; ++b)
    for (std::size_t u = 0; u < std::size_t{1} << b; ++u)
      for (std::size_t j = 0; j < kSwapColumns; j += 4)
        four_at(entries + ((u | std::size_t{1} << b) * kSwapColumns) + j) =
            four_at(entries + u * kSwapColumns + j) + four_at(rows + b * kSwapColumns + j);
}

// The bits of samples that keep or exchange `rows` rows each.
struct KeptRows {
  const RandomBits& bits;
  std::size_t rows;

  // Whether a sample keeps the rows from `begin` on, the lowest bit first.
  std::uint64_t at(std::size_t sample, std::size_t begin) const { return bits.at(sample * rows + begin); }
};

// Adds to each sample's sums what it keeps of the 24 rows in `block`, the first of which is row `begin`;
// `tables` is working space.
TERTIUM_INLINE void add_kept(const double* block, std::size_t begin, const KeptRows& kept,
                             const SumTask& task, double* tables) {
  constexpr std::size_t table_size = kTableEntries * kSwapColumns;
  for (std::size_t t = 0; t < kStepTables; ++t)
    fill_subsets(block + t * kTableBits * kSwapColumns, tables + t * table_size);
  double* to = task.sums.data();
  for (std::size_t sample = task.first; sample < task.last; ++sample, to += kSwapColumns) {
    const std::uint64_t bits = kept.at(sample, begin);
    const double* entries[kStepTables];
    for (std::size_t t = 0; t < kStepTables; ++t)
      entries[t] = tables + t * table_size + (bits >> (t * kTableBits) & (kTableEntries - 1)) * kSwapColumns;
    for (std::size_t j = 0; j < kSwapColumns; j += 4)
      four_at(to + j) += (four_at(entries[0] + j) + four_at(entries[1] + j)) +
                         (four_at(entries[2] + j) + four_at(entries[3] + j));
  }
}

TERTIUM_AVX2 inline void add_kept_avx2(const double* block, std::size_t begin, const KeptRows& kept,
                                       const SumTask& task, double* tables) {
  add_kept(block, begin, kept, task, tables);
}

inline void add_kept_plain(const double* block, std::size_t begin, const KeptRows& kept, const SumTask& task,
                           double* tables) {
  add_kept(block, begin, kept, task, tables);
}

// Makes the sums of a task, 24 rows at a time.
class KeptSummer {
 public:
  explicit KeptSummer(const KeptRows& kept) : kept_(kept) {}

  void operator()(const SumTask& task) {
    const auto add = prefers_avx2() ? add_kept_avx2 : add_kept_plain;
    for (std::size_t begin = task.begin; begin < task.end; begin += kStepRows) {
      std::fill(block_.begin(), block_.end(),
                0.0);  // rows that do not exist add nothing, whatever their bits
      task.strip->pack(begin, std::min(begin + kStepRows, task.end), kSwapColumns, block_);
      add(block_.data(), begin, kept_, task, tables_.data());
    }
  }

 private:
  const KeptRows& kept_;
  std::vector<double> block_ = std::vector<double>(kStepRows * kSwapColumns);
  std::vector<double> tables_ = std::vector<double>(kStepTables * kTableEntries * kSwapColumns);
};

// Fills `sums` (samples x columns), which must be zero, and moves the generator on.
inline void kept_sums(std::span<const ColumnRun> tables, std::size_t rows, std::size_t samples,
                      Pcg64& generator, std::size_t threads, std::span<double> sums) {
  const RandomBits bits(generator, rows * samples);
  const KeptRows kept{bits, rows};
  sum_in_chunks(tables, rows, samples, {kSwapChunkRows, kSwapGroupSamples, kSwapColumns}, threads, sums,
                [&] { return KeptSummer(kept); });
}

}  // namespace tertium
