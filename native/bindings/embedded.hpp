// A column of texts with vectors, as Python holds it: checked once, then handed to every kernel.
#pragma once

#include <algorithm>

#include "arrays.hpp"
#include "tertium/embedded.hpp"

namespace tertium::bindings {

class EmbeddedTexts {
 public:
  EmbeddedTexts(Ids ids, Offsets offsets, Ids rows, Array2<float> matrix, Array1<double> weights)
      : ids_(std::move(ids)),
        offsets_(std::move(offsets)),
        rows_(std::move(rows)),
        matrix_(std::move(matrix)),
        weights_(std::move(weights)) {
    check_offsets(as_span(offsets_), ids_.size());
    if (rows_.size() != ids_.size()) throw std::invalid_argument("every token needs a row");
    if (weights_.size() != 0 && weights_.size() != ids_.size())
      throw std::invalid_argument("every token needs a weight, or none");
    const auto end = static_cast<std::int64_t>(matrix_.shape(0));
    if (std::ranges::any_of(as_span(rows_), [&](std::int32_t row) { return row < -1 || row >= end; }))
      throw std::invalid_argument("a row is not in the matrix");
  }

  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t width() const { return matrix_.shape(1); }
  EmbeddedColumn column() const {
    return {{as_span(ids_), as_span(offsets_)},
            as_span(rows_),
            {matrix_.data(), matrix_.size()},
            width(),
            as_span(weights_)};
  }

 private:
  Ids ids_;
  Offsets offsets_;
  Ids rows_;
  Array2<float> matrix_;
  Array1<double> weights_;
};

// Hypotheses, the references of each, and where each hypothesis' references begin.
struct EmbeddedPairs {
  EmbeddedColumn hypotheses;
  EmbeddedColumn references;
  std::span<const std::int64_t> groups;
};

inline EmbeddedPairs pair_texts(const EmbeddedTexts& hypotheses, const EmbeddedTexts& references,
                                const Offsets& groups) {
  check_offsets(as_span(groups), references.size());
  if (groups.size() != hypotheses.size() + 1)
    throw std::invalid_argument("as many segments as references are needed");
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    if (groups.data()[i] == groups.data()[i + 1])
      throw std::invalid_argument("every segment needs a reference");
  if (hypotheses.width() != references.width())
    throw std::invalid_argument("vectors of different dimensions cannot be compared");
  return {hypotheses.column(), references.column(), as_span(groups)};
}

}  // namespace tertium::bindings
