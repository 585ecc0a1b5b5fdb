// Which columns of a table are whole numbers, so that their sums are exact without further ado.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tertium/stats/table_columns.hpp"

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

}  // namespace tertium
