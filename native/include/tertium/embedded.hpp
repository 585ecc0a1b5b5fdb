// Texts with a vector per token: ids say which words are equal, rows say where their vectors stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/column.hpp"

namespace tertium {

// One text. A token whose row is -1 has no vector. Equal words may share a row (a table of words) or
// have one per occurrence (a contextual encoder).
struct EmbeddedText {
  std::span<const std::int32_t> ids;
  std::span<const std::int32_t> rows;
  const float* matrix;
  std::size_t width;
  std::span<const double> weights;  // empty: every token weighs the same

  std::size_t size() const { return ids.size(); }
  bool knows(std::size_t token) const { return rows[token] >= 0; }
  const float* vector(std::size_t token) const {
    return matrix + static_cast<std::size_t>(rows[token]) * width;
  }
};

struct EmbeddedColumn {
  Column column;
  std::span<const std::int32_t> rows;
  std::span<const float> matrix;
  std::size_t width;
  std::span<const double> weights;

  std::size_t size() const { return column.size(); }
  EmbeddedText operator[](std::size_t i) const {
    const auto begin = static_cast<std::size_t>(column.offsets[i]);
    const auto ids = column[i];
    return {ids, rows.subspan(begin, ids.size()), matrix.data(), width,
            weights.empty() ? weights : weights.subspan(begin, ids.size())};
  }
};

}  // namespace tertium
