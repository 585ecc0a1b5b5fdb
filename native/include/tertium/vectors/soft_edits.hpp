// Edit distance in which replacing a word by a similar one costs less (Wang & Merlo 2016): O(|a| |b|).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

// Insertions and deletions cost 1, a substitution 1 - max(0, similarity). One per thread.
class SoftEdits {
 public:
  double distance(const EmbeddedText& hypothesis, const EmbeddedText& reference, bool strict) {
    similarity_.compare(hypothesis, reference, strict);
    row_.resize(reference.size() + 1);
    for (std::size_t j = 0; j < row_.size(); ++j) row_[j] = static_cast<double>(j);
    for (std::size_t i = 0; i < hypothesis.size(); ++i) extend(similarity_.row(i));
    return row_.back();
  }
  WordSimilarity& similarity() { return similarity_; }

 private:
  // row_[j]: distance from the hypothesis words so far to reference[0, j).
  void extend(std::span<const double> similarities) {
    interrupt_check_.tick(4 * similarities.size());
    double diagonal = row_[0];
    double left = row_[0] += 1.0;
    for (std::size_t j = 0; j < similarities.size(); ++j) {
      const double replaced = diagonal + 1.0 - std::max(similarities[j], 0.0);
      diagonal = row_[j + 1];
      left = std::min(replaced, std::min(left, diagonal) + 1.0);
      row_[j + 1] = left;
    }
  }

  InterruptCheck interrupt_check_;
  WordSimilarity similarity_;
  std::vector<double> row_;
};

// A row per segment: the cheapest edits over its references, and their average length.
inline void soft_edit_statistics(const EmbeddedPairs& pairs, bool strict, std::size_t threads,
                                 std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, edits = SoftEdits()](std::size_t i) mutable {
      double fewest = std::numeric_limits<double>::infinity();
      for (const std::size_t r : pairs.references_of(i))
        fewest = std::min(fewest, edits.distance(pairs.hypothesis(i), pairs.reference(r), strict));
      rows[2 * i] = fewest;
      rows[2 * i + 1] = average_length(pairs.grouped(), i);
    };
  });
}

}  // namespace tertium
