// Exact sums of the columns of a table, fast: blocks of a column are cut into slices whose plain sums are
// exact.
//
// The slices are those of Rump, Ogita and Oishi (2008, "Accurate floating-point summation part I"): adding
// and subtracting a large power of two leaves the upper bits of a number, and the upper bits of a whole block
// can be added without rounding. Whole numbers have one slice, fractions two or three.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/stats/exact_sum.hpp"

namespace tertium {

// Cuts slices off a block of numbers, from the upper bits down, and says when nothing is left.
class SliceCutter {
 public:
  // The weights that a slice will be multiplied with are whole numbers, in sum no more than 2^weight_bits.
  explicit SliceCutter(int weight_bits) : room_(weight_bits + 1) {}

  // False if a number is infinite, not a number, or so large that no power of two lies far enough above it.
  static bool is_cuttable(std::span<const double> block, double& largest) {
    double most = 0, nothing = 0;
    for (const double value : block) {
      const double size = std::fabs(value);
      most = size > most ? size : most;
      nothing += value - value;  // NaN if the value is not finite
    }
    largest = most;
    return nothing == 0 && most < 0x1p960;
  }

  // Replaces `rest` by what lies below its upper bits, writes those to `slice`, returns the largest rest.
  double cut(std::span<double> rest, double largest, std::span<double> slice) const {
    const double anchor = std::ldexp(1.0, std::ilogb(largest) + 1 + room_);
    double most = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double upper = (anchor + rest[i]) - anchor;
      slice[i] = upper;
      rest[i] -= upper;
      const double size = std::fabs(rest[i]);
      most = size > most ? size : most;
    }
    return most;
  }

 private:
  int room_;
};

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
    const std::size_t rows = sums_.empty() ? 0 : table.size() / sums_.size();
    for (std::size_t begin = 0; begin < rows; begin += kBlock)
      for (std::size_t column = 0; column < sums_.size(); ++column)
        add_block(table, column, begin, std::min(kBlock, rows - begin));
    n_rows_ += rows;
  }

  void merge(const ExactColumns& other) {
    for (std::size_t column = 0; column < sums_.size(); ++column) sums_[column].merge(other.sums_[column]);
    n_rows_ += other.n_rows_;
  }

 private:
  static constexpr std::size_t kBlock = 1024;
  static constexpr int kBlockBits = 10;

  void add_block(std::span<const double> table, std::size_t column, std::size_t begin, std::size_t rows) {
    rest_.resize(rows);
    slice_.resize(rows);
    const double* from = table.data() + begin * sums_.size() + column;
    for (std::size_t i = 0; i < rows; ++i) rest_[i] = from[i * sums_.size()];
    double largest = 0;
    if (!SliceCutter::is_cuttable(rest_, largest)) {
      for (const double value : rest_) sums_[column].add(value);
      return;
    }
    const SliceCutter cutter(kBlockBits);
    while (largest > 0) {
      largest = cutter.cut(rest_, largest, slice_);
      sums_[column].add(plain_sum(slice_));
    }
  }

  static double plain_sum(std::span<const double> values) {
    double lanes[4] = {};  // exact in any order, so that compilers need not keep one
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] += values[i + lane];
    for (; i < values.size(); ++i) lanes[0] += values[i];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }

  std::vector<ExactSum> sums_;
  std::vector<double> rest_, slice_;
  std::uint64_t n_rows_ = 0;
};

}  // namespace tertium
