// Costs of blocks that are found before their source block is visited, for every end in the source at once.
// The tables are large and sparsely used, so only the cells that were touched are cleared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/prices.hpp"

namespace tertium {

// For each of several neighbouring ends in the source, costs by (n, j0) with n = j1 - j0, in rows of j0, as
// in a band.
template <typename Cell>
class BandDrafts {
 public:
  void prepare(std::size_t ends, std::size_t columns, std::size_t stride) {
    for (Draft& draft : drafts_) clear(draft);
    stride_ = stride;
    size_ = columns * stride;
    drafts_.resize(ends);
    if (cells_.size() < ends * size_) cells_.assign(ends * size_, CellTraits<Cell>::none);
    for (std::size_t k = 0; k < ends; ++k) drafts_[k].cells = &cells_[k * size_];
  }

  Lengths lengths(std::size_t end) const { return at(end).lengths; }
  const Cell* row(std::size_t end, std::size_t n) const { return at(end).cells + n * stride_; }

  void lower(std::size_t end, std::size_t n, std::size_t j0, Cell cost) {
    Draft& draft = at(end);
    Cell& cell = draft.cells[n * stride_ + j0];
    if (cell <= cost) return;
    if (cell == CellTraits<Cell>::none) {
      draft.touched.push_back(static_cast<std::uint32_t>(n * stride_ + j0));
      draft.lengths = draft.lengths.joined({n, n});
    }
    cell = cost;
  }

  // Calls each(j0, j1, cost) for all that was lowered.
  template <typename Visit>
  void visit(std::size_t end, const Visit& each) const {
    const Draft& draft = at(end);
    for (const std::uint32_t place : draft.touched) {
      const std::size_t j0 = place % stride_;
      each(j0, j0 + place / stride_, draft.cells[place]);
    }
  }

  void clear(std::size_t end) { clear(at(end)); }

  // Frees memory that only long segments need.
  void release() {
    if (cells_.size() * sizeof(Cell) <= kKept) return;
    drafts_ = {};
    cells_ = {};
  }

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 24;  // bytes that a thread may keep between pairs
  struct Draft {
    Cell* cells = nullptr;
    std::vector<std::uint32_t> touched;
    Lengths lengths;
  };

  std::size_t slot(std::size_t end) const { return end < drafts_.size() ? end : end % drafts_.size(); }
  Draft& at(std::size_t end) { return drafts_[slot(end)]; }
  const Draft& at(std::size_t end) const { return drafts_[slot(end)]; }
  static void clear(Draft& draft) {
    for (const std::uint32_t place : draft.touched) draft.cells[place] = CellTraits<Cell>::none;
    draft.touched.clear();
    draft.lengths = {};
  }

  std::size_t stride_ = 0;
  std::size_t size_ = 0;  // of a draft
  std::vector<Draft> drafts_;
  std::vector<Cell> cells_;
};

}  // namespace tertium
