// Arguments that most kernels share, as Python holds them: checked once, then passed to every kernel as one
// object. The objects keep their arrays alive.
#pragma once

#include "arrays.hpp"
#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/vectors/embedded.hpp"

namespace tertium::bindings {

// Hypotheses, and the references of each.
class HeldPairs {
 public:
  HeldPairs(Ids ids, Offsets offsets, Ids reference_ids, Offsets reference_offsets, Offsets groups)
      : ids_(std::move(ids)),
        offsets_(std::move(offsets)),
        reference_ids_(std::move(reference_ids)),
        reference_offsets_(std::move(reference_offsets)),
        groups_(std::move(groups)) {
    check_column(as_span(ids_), as_span(offsets_));
    check_column(as_span(reference_ids_), as_span(reference_offsets_));
    check_groups(as_span(groups_), offsets_.size() - 1, reference_offsets_.size() - 1);
  }

  TextPairs get() const {
    return {{as_span(ids_), as_span(offsets_)},
            {{as_span(reference_ids_), as_span(reference_offsets_)}, as_span(groups_)}};
  }

 private:
  Ids ids_;
  Offsets offsets_;
  Ids reference_ids_;
  Offsets reference_offsets_;
  Offsets groups_;
};

// A column of texts with vectors.
class HeldEmbedded {
 public:
  HeldEmbedded(Ids ids, Offsets offsets, Ids rows, Array2<float> matrix, Array1<double> weights)
      : ids_(std::move(ids)),
        offsets_(std::move(offsets)),
        rows_(std::move(rows)),
        matrix_(std::move(matrix)),
        weights_(std::move(weights)) {
    check_embedded(get(), matrix_.shape(0));
  }

  std::size_t size() const { return offsets_.size() - 1; }
  EmbeddedColumn get() const {
    return {{as_span(ids_), as_span(offsets_)},
            as_span(rows_),
            as_flat_span(matrix_),
            matrix_.shape(1),
            as_span(weights_)};
  }

 private:
  Ids ids_;
  Offsets offsets_;
  Ids rows_;
  Array2<float> matrix_;
  Array1<double> weights_;
};

// Hypotheses with vectors, and the references of each.
class HeldEmbeddedPairs {
 public:
  HeldEmbeddedPairs(HeldEmbedded hypotheses, HeldEmbedded references, Offsets groups)
      : hypotheses_(std::move(hypotheses)), references_(std::move(references)), groups_(std::move(groups)) {
    check_embedded_pairs(get());
  }

  EmbeddedPairs get() const { return {hypotheses_.get(), references_.get(), as_span(groups_)}; }

 private:
  HeldEmbedded hypotheses_;
  HeldEmbedded references_;
  Offsets groups_;
};

}  // namespace tertium::bindings
