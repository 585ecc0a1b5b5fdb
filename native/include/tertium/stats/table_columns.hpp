// The columns of several tables of statistics side by side, without copying the tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tertium {

// Some neighbouring columns of one table: row i of them begins at `begin + i * stride`.
struct ColumnRun {
  const double* begin;
  std::size_t width, stride;
};

// As many columns as a kernel works on at once, cut from one table or several.
struct ColumnStrip {
  std::vector<ColumnRun> runs;
  std::size_t first = 0;  // number of its first column among all
  std::size_t width = 0;

  // Copies rows [begin, end) into a block of rows of `padded` columns.
  void pack(std::size_t begin, std::size_t end, std::size_t padded, std::span<double> block) const {
    std::size_t place = 0;
    for (const ColumnRun& run : runs) {
      const double* from = run.begin + begin * run.stride;
      double* to = block.data() + place;
      for (std::size_t i = begin; i < end; ++i, from += run.stride, to += padded)
        std::copy_n(from, run.width, to);
      place += run.width;
    }
  }
};

// Cuts tables into strips of at most `most` columns.
inline std::vector<ColumnStrip> cut_strips(std::span<const ColumnRun> tables, std::size_t most) {
  std::vector<ColumnStrip> strips;
  std::size_t first = 0;
  for (const ColumnRun& table : tables) {
    for (std::size_t done = 0; done < table.width;) {
      if (strips.empty() || strips.back().width == most) strips.push_back({{}, first, 0});
      const std::size_t width = std::min(table.width - done, most - strips.back().width);
      strips.back().runs.push_back({table.begin + done, width, table.stride});
      strips.back().width += width;
      done += width;
      first += width;
    }
  }
  return strips;
}

}  // namespace tertium
