// Sums of all subsets of a few rows, made once for many samples, which then look theirs up ("four Russians",
// Arlazarov et al. 1970), four times six rows in one step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tertium/base/simd.hpp"

namespace tertium {

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

// sums[j] += what a sample keeps of the rows of a step; the lowest bit says whether it keeps the first one.
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

}  // namespace tertium
