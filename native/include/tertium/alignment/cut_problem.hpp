// The problem of cutting a stream of tokens into the segments of its references: texts and costs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/column.hpp"

namespace tertium {

using CutCost = std::int32_t;

// The cost of an impossible path, or of a cut at a forbidden position. Sums of real costs stay below it.
inline constexpr CutCost kImpossible = CutCost{1} << 29;

// The costs of edits. Without a table, a substitution costs as much as an insertion or a deletion. With a
// table, the substitution of stream type h and reference type r costs table[r * n_types + h] steps.
struct EditCosts {
  CutCost edit = 1;
  std::span<const std::uint8_t> table = {};
  std::size_t n_types = 0;
  CutCost step = 0;

  bool is_soft() const { return !table.empty(); }
  CutCost substitution(std::int32_t stream, std::int32_t reference) const {
    if (!is_soft()) return stream == reference ? 0 : edit;
    return step * table[static_cast<std::size_t>(reference) * n_types + static_cast<std::size_t>(stream)];
  }
};

// One document. Segment s has the references [groups[s], groups[s + 1]) of the column. A cut behind segment s
// at position i costs cut_costs[kinds[s] * (|stream| + 1) + i]; kImpossible forbids it.
struct CutProblem {
  std::span<const std::int32_t> stream;
  GroupedColumn references;
  std::span<const std::int32_t> kinds;
  std::span<const CutCost> cut_costs;
  EditCosts costs;
  CutCost word = 0;  // of a word without a counterpart in its segment, when cuts are moved at the end

  std::size_t n_segments() const { return references.size(); }
  std::size_t n_positions() const { return stream.size() + 1; }
  CutCost cut(std::size_t segment, std::size_t position) const {
    return cut_costs[static_cast<std::size_t>(kinds[segment]) * n_positions() + position];
  }
  // The most tokens that a path may consume in segments [first, last).
  std::size_t most_tokens(std::size_t first, std::size_t last) const {
    std::size_t total = 0;
    for (std::size_t s = first; s < last; ++s) {
      std::size_t most = 0;
      for (std::size_t r = references.begin(s); r < references.end(s); ++r)
        most = std::max(most, references.column[r].size());
      total += most;
    }
    return total;
  }
};

}  // namespace tertium
