// Texts with a vector per token: ids say which words are equal, rows say where their vectors stand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"

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

// Whether two texts without a vector have the same words, in any order.
inline bool have_same_words(const EmbeddedText& first, const EmbeddedText& second) {
  if (first.size() != second.size()) return false;
  std::vector<std::int32_t> ours(first.ids.begin(), first.ids.end());
  std::vector<std::int32_t> theirs(second.ids.begin(), second.ids.end());
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  return ours == theirs;
}

// Many texts, over one matrix of vectors.
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

// Hypotheses and the references of each: what every kernel over word vectors compares. Segment i owns the
// references [groups[i], groups[i + 1]), at least one; all vectors are of one width.
struct EmbeddedPairs {
  EmbeddedColumn hypotheses;
  EmbeddedColumn references;
  std::span<const std::int64_t> groups;

  std::size_t size() const { return hypotheses.size(); }
  std::size_t n_references() const { return references.size(); }
  EmbeddedText hypothesis(std::size_t i) const { return hypotheses[i]; }
  EmbeddedText reference(std::size_t r) const { return references[r]; }
  GroupedColumn grouped() const { return {references.column, groups}; }
  NumberRange references_of(std::size_t i) const {
    return {static_cast<std::size_t>(groups[i]), static_cast<std::size_t>(groups[i + 1])};
  }
};

// Between these, products and sums of many vectors stay numbers in single precision; a vector of zeros has
// no direction, which every kernel knows.
inline constexpr float kSmallestValue = 1e-15f;
inline constexpr float kLargestValue = 1e12f;

inline bool is_comparable(std::span<const float> vector) {
  const float largest = largest_magnitude(vector);
  return largest == 0 || (largest >= kSmallestValue && largest <= kLargestValue);
}

// The matrix may be a table of millions of words: only rows that the texts use are looked at, each once.
inline bool are_comparable(const EmbeddedColumn& texts, std::size_t n_vectors) {
  std::vector<bool> seen(n_vectors, false);
  for (const std::int32_t row : texts.rows) {
    if (row < 0 || seen[static_cast<std::size_t>(row)]) continue;
    seen[static_cast<std::size_t>(row)] = true;
    if (!is_comparable(texts.matrix.subspan(static_cast<std::size_t>(row) * texts.width, texts.width)))
      return false;
  }
  return true;
}

// `n_vectors`: the rows of the matrix.
inline void check_embedded(const EmbeddedColumn& texts, std::size_t n_vectors) {
  check_column(texts.column.ids, texts.column.offsets);
  if (texts.rows.size() != texts.column.ids.size()) throw std::invalid_argument("every token needs a row");
  if (!texts.weights.empty() && texts.weights.size() != texts.column.ids.size())
    throw std::invalid_argument("every token needs a weight, or none");
  check_range(texts.rows, -1, n_vectors, "a row is not in the matrix");
  check_finite(texts.weights, "a token's weight is not finite");
  if (!are_comparable(texts, n_vectors))
    throw std::invalid_argument("a vector's values are not finite, or too large or too small");
}

inline void check_embedded_pairs(const EmbeddedPairs& pairs) {
  check_groups(pairs.groups, pairs.hypotheses.size(), pairs.references.size());
  if (pairs.hypotheses.width != pairs.references.width)
    throw std::invalid_argument("vectors of different dimensions cannot be compared");
}

}  // namespace tertium
