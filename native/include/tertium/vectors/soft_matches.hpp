// n-gram matches in which a similar n-gram counts in part (Wang & Merlo 2016). An n-gram's vector is the mean
// of its known words' vectors; a cosine depends on direction only, so their sum serves as well, and the
// product of two sums is the sum of the words' products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/ngrams/lengths.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

// One segment at a time; one per thread. O(order^2 x |hypothesis| x |references|).
class SoftMatcher {
 public:
  // Finds, for each n-gram of the hypothesis, how near the nearest n-gram of the references is. An
  // n-gram without direction (no known word, or vectors that cancel) has similarity 1 with an equal one,
  // unless `strict`, and 0 with any other.
  void compare(const EmbeddedText& hypothesis, const EmbeddedColumn& references, std::size_t first,
               std::size_t last, std::size_t max_order, bool strict) {
    nearest_.resize(max_order);
    for (std::size_t order = 1; order <= max_order; ++order)
      nearest_[order - 1].assign(n_positions(hypothesis.size(), order), 0.0);
    for (std::size_t r = first; r < last; ++r) compare_one(hypothesis, references[r], max_order, strict);
  }
  std::span<const double> nearest(std::size_t order) const { return nearest_[order - 1]; }

 private:
  static std::size_t n_positions(std::size_t length, std::size_t order) {
    return length < order ? 0 : length - order + 1;
  }

  void compare_one(const EmbeddedText& hypothesis, const EmbeddedText& reference, std::size_t max_order,
                   bool strict) {
    const std::size_t longest = std::min({max_order, hypothesis.size(), reference.size()});
    if (longest == 0) return;
    products_.compare(hypothesis, reference);
    multiply_neighbours(products_.first_vectors(), longest, hypothesis.width, hypothesis_band_);
    multiply_neighbours(products_.second_vectors(), longest, reference.width, reference_band_);
    row_sums_.assign(products_.rows() * products_.columns(), 0.0);
    for (std::size_t order = 1; order <= longest; ++order) {
      sum_squares(hypothesis_band_, hypothesis.size(), order, hypothesis_squares_);
      sum_squares(reference_band_, reference.size(), order, reference_squares_);
      extend_row_sums(order);
      scale_.resize(reference_squares_.size());
      for (std::size_t j = 0; j < scale_.size(); ++j)
        scale_[j] = reference_squares_[j] > 0 ? 1.0 / std::sqrt(reference_squares_[j]) : 0.0;
      for (std::size_t i = 0; i < hypothesis_squares_.size(); ++i) {
        interrupt_check_.tick(scale_.size() * order);
        double& nearest = nearest_[order - 1][i];
        nearest = std::max(nearest, hypothesis_squares_[i] > 0 ? best_cosine(i, order)
                                    : strict ? 0.0
                                             : equal_found(hypothesis, reference, i, order));
      }
    }
  }

  // band[i * longest + k] = vectors[i]·vectors[i + k]
  void multiply_neighbours(std::span<const float* const> vectors, std::size_t longest, std::size_t width,
                           std::vector<double>& band) {
    longest_ = longest;
    band.assign(vectors.size() * longest, 0.0);
    for (std::size_t i = 0; i < vectors.size(); ++i)
      for (std::size_t k = 0; k < longest && i + k < vectors.size(); ++k)
        band[i * longest + k] = dot(vectors[i], vectors[i + k], width);
  }

  // Adds in the order in which products of two n-grams add up: then an n-gram's cosine with an equal
  // one is exactly 1.
  void sum_squares(std::span<const double> band, std::size_t length, std::size_t order,
                   std::vector<double>& squares) const {
    squares.resize(n_positions(length, order));
    for (std::size_t i = 0; i < squares.size(); ++i) {
      double total = 0;
      for (std::size_t p = i; p < i + order; ++p) {
        double row = 0;
        for (std::size_t q = i; q < i + order; ++q)
          row += band[std::min(p, q) * longest_ + (p < q ? q - p : p - q)];
        total += row;
      }
      squares[i] = total;
    }
  }

  // row_sums_[i * columns + j]: hypothesis word i with the reference words [j, j + order).
  void extend_row_sums(std::size_t order) {
    const std::size_t columns = products_.columns();
    for (std::size_t i = 0; i < products_.rows(); ++i) {
      double* sums = row_sums_.data() + i * columns;
      const double* products = products_.row(i).data() + order - 1;
      for (std::size_t j = 0; j + order <= columns; ++j) sums[j] += products[j];
    }
  }

  double best_cosine(std::size_t i, std::size_t order) {
    const std::size_t columns = products_.columns();
    const std::size_t positions = scale_.size();
    box_.assign(positions, 0.0);
    for (std::size_t p = i; p < i + order; ++p) {
      const double* sums = row_sums_.data() + p * columns;
      for (std::size_t j = 0; j < positions; ++j) box_[j] += sums[j];
    }
    std::size_t best = 0;
    for (std::size_t j = 1; j < positions; ++j)
      if (box_[j] * scale_[j] > box_[best] * scale_[best]) best = j;
    return cosine(box_[best], hypothesis_squares_[i], reference_squares_[best]);
  }

  static double equal_found(const EmbeddedText& hypothesis, const EmbeddedText& reference, std::size_t i,
                            std::size_t order) {
    const auto ngram = hypothesis.ids.subspan(i, order);
    const auto found = std::search(reference.ids.begin(), reference.ids.end(), ngram.begin(), ngram.end());
    return static_cast<double>(found != reference.ids.end());
  }

  InterruptCheck interrupt_check_;
  TokenProducts products_;
  std::size_t longest_ = 0;
  std::vector<double> hypothesis_band_, reference_band_, hypothesis_squares_, reference_squares_;
  std::vector<double> row_sums_, scale_, box_;
  std::vector<std::vector<double>> nearest_;
};

// BLEU's row for every segment (lengths, matches and totals per order), where a match is the similarity
// to the nearest reference n-gram if it is at least the threshold.
inline void soft_match_statistics(const EmbeddedPairs& pairs, std::size_t order, double threshold,
                                  bool strict, std::size_t threads, std::span<double> rows) {
  const GroupedColumn grouped = pairs.grouped();
  const std::size_t width = 2 + 2 * order;
  parallel_for(pairs.size(), threads, [&] {
    return [&, matcher = SoftMatcher()](std::size_t i) mutable {
      const auto row = rows.subspan(i * width, width);
      const auto hypothesis = pairs.hypothesis(i);
      row[0] = static_cast<double>(hypothesis.size());
      row[1] = static_cast<double>(closest_length(hypothesis.size(), grouped, i));
      matcher.compare(hypothesis, pairs.references, grouped.begin(i), grouped.end(i), order, strict);
      for (std::size_t n = 1; n <= order; ++n) {
        double matched = 0;
        for (const double similarity : matcher.nearest(n))
          matched += similarity >= threshold ? similarity : 0.0;
        row[1 + n] = matched;
        row[1 + order + n] = static_cast<double>(matcher.nearest(n).size());
      }
    };
  });
}

}  // namespace tertium
