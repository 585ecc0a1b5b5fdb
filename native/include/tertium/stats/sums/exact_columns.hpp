// Exact sums of the columns of a table. Blocks of a column are cut into slices whose plain sums are exact,
// which is much faster than adding every number exactly. Linear.
//
// The slices are those of Rump, Ogita and Oishi (2008, "Accurate floating-point summation part I"): adding
// and subtracting a large power of two leaves the upper bits of a number, and the upper bits of a whole block
// can be added without rounding. Whole numbers have one slice, fractions two or three.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/stats/sums/exact_sum.hpp"

namespace tertium {

// A block's length is padded with zeros to whole lanes, so that loops need no end of their own.
inline constexpr std::size_t kSumLanes = 4;

inline std::size_t padded_length(std::size_t length) {
  return (length + kSumLanes - 1) / kSumLanes * kSumLanes;
}

// The largest size of a number in a padded block, or infinity if one is not finite.
TERTIUM_INLINE double largest_size(const double* block, std::size_t length) {
  double most[kSumLanes] = {}, nothing[kSumLanes] = {};
  for (std::size_t i = 0; i < length; i += kSumLanes)
    for (std::size_t lane = 0; lane < kSumLanes; ++lane) {
      const double size = std::fabs(block[i + lane]);
      most[lane] = size > most[lane] ? size : most[lane];
      nothing[lane] += block[i + lane] - block[i + lane];  // NaN if the number is not finite
    }
  const bool is_finite = (nothing[0] + nothing[1]) + (nothing[2] + nothing[3]) == 0;
  return is_finite ? std::max(std::max(most[0], most[1]), std::max(most[2], most[3])) : HUGE_VAL;
}

// Larger numbers are added one by one: no power of two is far enough above them.
inline constexpr double kMaxCuttable = 0x1p960;

// The number that is added and subtracted to leave the upper bits of numbers up to `largest`, if their
// weights are integers with a sum of at most 2^weight_bits.
inline double slice_anchor(double largest, int weight_bits) {
  return std::ldexp(1.0, std::ilogb(largest) + 2 + weight_bits);
}

struct CutSlice {
  double sum, largest_rest;
};

// Replaces the numbers of a padded block by their lower bits; writes the upper bits to `slice` unless it is
// null, and returns their sum, which is exact in any order.
TERTIUM_INLINE CutSlice cut_slice(double* block, std::size_t length, double anchor, double* slice) {
  double sums[kSumLanes] = {}, most[kSumLanes] = {};
  for (std::size_t i = 0; i < length; i += kSumLanes)
    for (std::size_t lane = 0; lane < kSumLanes; ++lane) {
      const double upper = (anchor + block[i + lane]) - anchor;
      const double rest = block[i + lane] - upper;
      if (slice != nullptr) slice[i + lane] = upper;
      block[i + lane] = rest;
      sums[lane] += upper;
      const double size = std::fabs(rest);
      most[lane] = size > most[lane] ? size : most[lane];
    }
  return {(sums[0] + sums[1]) + (sums[2] + sums[3]),
          std::max(std::max(most[0], most[1]), std::max(most[2], most[3]))};
}

// Adds all slices of a padded block to a sum.
TERTIUM_INLINE void add_slices(double* block, std::size_t length, double largest, int weight_bits,
                               ExactSum& sum) {
  while (largest > 0) {
    const CutSlice cut = cut_slice(block, length, slice_anchor(largest, weight_bits), nullptr);
    sum.add(cut.sum);
    largest = cut.largest_rest;
  }
}

// Adds a padded block to a sum.
TERTIUM_INLINE void add_block(double* block, std::size_t length, int weight_bits, ExactSum& sum) {
  const double largest = largest_size(block, length);
  if (largest < kMaxCuttable) {
    add_slices(block, length, largest, weight_bits, sum);
  } else {
    for (std::size_t i = 0; i < length; ++i) sum.add(block[i]);
  }
}

class ExactColumns {
 public:
  explicit ExactColumns(std::size_t columns) : sums_(columns) {}

  std::size_t size() const { return sums_.size(); }
  std::uint64_t n_rows() const { return n_rows_; }
  const ExactSum& operator[](std::size_t column) const { return sums_[column]; }
  ExactSum& operator[](std::size_t column) { return sums_[column]; }
  void count_rows(std::uint64_t rows) { n_rows_ += rows; }

  // Adds a table of rows that lie one after another.
  void add(std::span<const double> table) {
    const std::size_t width = sums_.size(), rows = width == 0 ? 0 : table.size() / width;
    for (std::size_t begin = 0; begin < rows; begin += kBlock) {
      const std::size_t size = std::min(kBlock, rows - begin);
      for (std::size_t column = 0; column < width; ++column) {
        const double* from = table.data() + begin * width + column;
        block_.assign(padded_length(size), 0.0);
        for (std::size_t i = 0; i < size; ++i) block_[i] = from[i * width];
        simd::dispatch([&]() TERTIUM_ALWAYS_INLINE {
          add_block(block_.data(), block_.size(), kBlockBits, sums_[column]);
        });
      }
    }
    n_rows_ += rows;
  }

  void merge(const ExactColumns& other) {
    for (std::size_t column = 0; column < sums_.size(); ++column) sums_[column].merge(other.sums_[column]);
    n_rows_ += other.n_rows_;
  }

 private:
  static constexpr std::size_t kBlock = 1024;  // 8 kB, within a first-level cache; 2^kBlockBits numbers
  static constexpr int kBlockBits = 10;

  std::vector<ExactSum> sums_;
  std::vector<double> block_;
  std::uint64_t n_rows_ = 0;
};

}  // namespace tertium
