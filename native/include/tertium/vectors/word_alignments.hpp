// Sentence similarity from word alignments (Song & Roth 2015; Matsuo, Komachi & Sudoh 2017, Eq. 3-6):
// every pair of words, each word's nearest, or the best one-to-one matching. O(|a| |b| width), and for the
// matching the assignment's O(smaller^2 x larger).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/named.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/assignment.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

enum class WordAlignment { whole, maximum, hungarian };

inline constexpr Named<WordAlignment> kWordAlignments[] = {
    {"whole", WordAlignment::whole},
    {"maximum", WordAlignment::maximum},
    {"hungarian", WordAlignment::hungarian},
};

// One pair of texts at a time; one per thread.
class AlignmentSimilarity {
 public:
  // A word similarity below the threshold counts as 0. Two empty texts are alike, an empty and
  // another are not.
  double compare(const EmbeddedText& first, const EmbeddedText& second, WordAlignment kind, double threshold,
                 bool strict) {
    if (first.size() == 0 || second.size() == 0) return static_cast<double>(first.size() == second.size());
    similarity_.compare(first, second, strict);
    for (double& value : similarity_.values()) value = value >= threshold ? value : 0.0;
    switch (kind) {
      case WordAlignment::whole:
        return whole();
      case WordAlignment::maximum:
        return maximum();
      default:
        return hungarian();
    }
  }

  // Row i's partner in the last Hungarian alignment, or -1.
  std::int32_t match(std::size_t row) const { return assignment_.match(row); }
  WordSimilarity& similarity() { return similarity_; }

 private:
  double whole() {
    double sum = 0;
    for (const double value : similarity_.values()) sum += value;
    return sum / static_cast<double>(similarity_.values().size());
  }
  double maximum() {
    best_of_columns_.assign(similarity_.columns(), 0.0);
    double of_rows = 0;
    for (std::size_t i = 0; i < similarity_.rows(); ++i) {
      const auto row = similarity_.row(i);
      double best = 0;
      for (std::size_t j = 0; j < row.size(); ++j) {
        best = std::max(best, row[j]);
        best_of_columns_[j] = std::max(best_of_columns_[j], row[j]);
      }
      of_rows += best;
    }
    double of_columns = 0;
    for (const double best : best_of_columns_) of_columns += best;
    return (of_rows / static_cast<double>(similarity_.rows()) +
            of_columns / static_cast<double>(similarity_.columns())) /
           2.0;
  }
  double hungarian() {
    const std::size_t smaller = std::min(similarity_.rows(), similarity_.columns());
    return assignment_.solve(similarity_.values(), similarity_.rows(), similarity_.columns()) /
           static_cast<double>(smaller);
  }

  WordSimilarity similarity_;
  Assignment assignment_;
  std::vector<double> best_of_columns_;
};

// A similarity per reference, with its segment's hypothesis.
inline void alignment_similarities(const EmbeddedPairs& pairs, WordAlignment kind, double threshold,
                                   bool strict, std::size_t threads, std::span<double> out) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, measure = AlignmentSimilarity()](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        out[r] = measure.compare(pairs.hypothesis(i), pairs.reference(r), kind, threshold, strict);
    };
  });
}

}  // namespace tertium
