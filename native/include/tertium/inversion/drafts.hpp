// Scratch matrices of the inversion distance, lowered here and there and emptied where they were touched:
// they are large, and a source block touches little of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/base/bitsets.hpp"
#include "tertium/inversion/prices.hpp"
#include "tertium/inversion/tables.hpp"

namespace tertium {

// Costs by (j0, j1), in rows of j1.
template <typename Cell>
class RowDraft {
 public:
  void prepare(std::size_t columns, std::size_t words) {
    stride_ = columns + kLanes<Cell>;
    cells_.assign(columns * stride_, CellTraits<Cell>::none);
    low_.assign(columns, static_cast<std::uint32_t>(columns));
    high_.assign(columns, 0);
    touched_.assign(words, 0);
  }

  // Lowers [low, high] of row j0 to costs + more; both sides have kLanes cells to spare behind `high`.
  void lower(std::size_t j0, std::uint32_t low, std::uint32_t high, const Cell* costs, Cell more) {
    bitsets::insert(touched_.data(), j0);
    low_[j0] = std::min(low_[j0], low);
    high_[j0] = std::max(high_[j0], high);
    Cell* out = &cells_[j0 * stride_ + low];
    for (std::size_t done = 0; done <= high - low; done += kLanes<Cell>)
      for (std::size_t k = 0; k < kLanes<Cell>; ++k)
        out[done + k] = std::min(out[done + k], static_cast<Cell>(costs[done + k] + more));
  }

  // Calls visit(j0, j1, cost) for what was lowered and empties it.
  template <typename Visit>
  void drain(const Visit& visit) {
    bitsets::visit(touched_.data(), touched_.size(), [&](std::size_t j0) {
      Cell* const row = &cells_[j0 * stride_];
      for (std::size_t j1 = low_[j0]; j1 <= high_[j0]; ++j1)
        if (row[j1] < CellTraits<Cell>::none) visit(j0, j1, row[j1]);
      std::fill(row + low_[j0], row + high_[j0] + kLanes<Cell>, CellTraits<Cell>::none);
      low_[j0] = static_cast<std::uint32_t>(low_.size());
      high_[j0] = 0;
    });
    std::fill(touched_.begin(), touched_.end(), 0);
  }

 private:
  std::size_t stride_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> high_;
  std::vector<bitsets::Word> touched_;
};

// Costs by (n, j0) with n = j1 - j0, in rows of j0, as a band has them.
template <typename Cell>
class BandDraft {
 public:
  void prepare(std::size_t columns, std::size_t stride) {
    touched_.clear();
    stride_ = stride;
    cells_.assign(columns * stride, CellTraits<Cell>::none);
    clear();
  }
  Lengths lengths() const { return lengths_; }
  const Cell* row(std::size_t n) const { return &cells_[n * stride_]; }

  void lower(std::size_t n, std::size_t j0, Cell cost) {
    const std::size_t at = n * stride_ + j0;
    touched_.push_back(at);
    lengths_ = lengths_.joined({n, n});
    cells_[at] = std::min(cells_[at], cost);
  }
  void clear() {
    for (const std::size_t at : touched_) cells_[at] = CellTraits<Cell>::none;
    touched_.clear();
    lengths_ = {};
  }

 private:
  std::size_t stride_ = 0;
  Lengths lengths_;
  std::vector<Cell> cells_;
  std::vector<std::size_t> touched_;
};

}  // namespace tertium
