// The blocks of one source block, gathered while its band is marked and then kept by their ends in the
// target: an inversion asks for what ends where it begins, and reads it in one stretch of memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/inversion/tables.hpp"

namespace tertium {

template <typename Cell>
class EndedBlocks {
 public:
  void clear() {
    all_.clear();
    rights_.clear();
  }

  // A block b[start, end) of the target.
  void add(std::uint32_t start, std::uint32_t end, Cell cost, bool is_right_part) {
    all_.push_back({end, {start, cost}});
    if (is_right_part) rights_.push_back(all_.back());
  }

  // Moves what was added into the tables, as blocks of a[i0, i1).
  void keep(BlockTables<Cell>& tables, std::size_t i0, std::size_t i1) {
    keep_rights(tables, i0, i1);
    index_ends(tables, tables.band(i0, i1));
    clear();
  }

 private:
  struct Ended {
    std::uint32_t end;
    Part<Cell> part;
  };

  // The right parts of inversions by their ends, the cheapest first.
  void keep_rights(BlockTables<Cell>& tables, std::size_t i0, std::size_t i1) {
    std::sort(rights_.begin(), rights_.end(), [](const Ended& one, const Ended& other) {
      return one.end != other.end ? one.end < other.end : one.part.cost < other.part.cost;
    });
    Part<Cell>* const parts = tables.take_parts(rights_.size());
    auto& least = tables.band(i0, i1).least_right;
    Cell* const leasts = tables.leasts(i0, i1, BlockTables<Cell>::kRights);
    std::fill_n(leasts, tables.stride(), CellTraits<Cell>::none);
    for (std::size_t k = 0, first = 0; k < rights_.size(); ++k) {
      if (rights_[k].end != rights_[first].end) first = k;
      parts[k] = rights_[k].part;
      tables.right_row(i0, i1, rights_[k].end) = {parts + first, k + 1 - first};
      leasts[rights_[k].end] = parts[first].cost;
      least = std::min(least, parts[k].cost);
    }
  }

  // All blocks by their ends: a counting sort.
  void index_ends(BlockTables<Cell>& tables, Band<Cell>& band) const {
    std::uint32_t* const ends = tables.take_ends();
    Part<Cell>* const parts = tables.take_parts(all_.size());
    std::fill_n(ends, tables.columns() + 1, 0);
    for (const Ended& block : all_) ++ends[block.end];
    for (std::size_t j = 1; j <= tables.columns(); ++j) ends[j] += ends[j - 1];
    for (const Ended& block : all_) parts[--ends[block.end]] = block.part;
    band.parts = parts;
    band.ends = ends;
  }

  std::vector<Ended> all_, rights_;
};

}  // namespace tertium
