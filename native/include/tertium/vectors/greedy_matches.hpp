// Greedy matching: each n-gram of one text with the most similar n-gram of the other, weighted (YiSi: Lo
// 2019; with n = 1 BERTScore: Zhang et al. 2020). The similarity of two n-grams is the mean of the
// similarities of their words, place by place, weighted by the words of the text whose n-grams are matched.
// O(|a| |b| n).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

// Precision and recall of one pair at a time. Keeps its tables between pairs; one per thread.
class GreedyMatcher {
 public:
  // `similar(i, j)` compares word i of the hypothesis with word j of the reference. Empty weights, and
  // weights that are all 0, count as equal ones. Two empty texts match; an empty text and another do not.
  template <typename Similar>
  void match(std::size_t n_hypothesis, std::size_t n_reference, std::span<const double> hypothesis_weights,
             std::span<const double> reference_weights, std::size_t order, const Similar& similar,
             std::span<double> out) {
    if (n_hypothesis == 0 || n_reference == 0) {
      std::ranges::fill(out, static_cast<double>(n_hypothesis == n_reference));
      return;
    }
    order = std::min({order, n_hypothesis, n_reference});
    keep_weights(n_hypothesis, hypothesis_weights, ours_);
    keep_weights(n_reference, reference_weights, theirs_);
    const std::size_t rows = n_hypothesis - order + 1, columns = n_reference - order + 1;
    best_of_rows_.assign(rows, kNone);
    best_of_columns_.assign(columns, kNone);
    for (std::size_t i = 0; i < rows; ++i) {
      interrupt_check_.tick(columns * order);
      for (std::size_t j = 0; j < columns; ++j) {
        double by_ours = 0, by_theirs = 0;
        for (std::size_t k = 0; k < order; ++k) {
          const double value = similar(i + k, j + k);
          by_ours += ours_[i + k] * value;
          by_theirs += theirs_[j + k] * value;
        }
        best_of_rows_[i] = std::max(best_of_rows_[i], by_ours);
        best_of_columns_[j] = std::max(best_of_columns_[j], by_theirs);
      }
    }
    out[0] = share(best_of_rows_, ours_, order);
    out[1] = share(best_of_columns_, theirs_, order);
  }

 private:
  static constexpr double kNone = -1e300;

  static void keep_weights(std::size_t n, std::span<const double> weights, std::vector<double>& kept) {
    const bool even = std::ranges::all_of(weights, [](double weight) { return weight == 0; });
    if (even)
      kept.assign(n, 1.0);
    else
      kept.assign(weights.begin(), weights.end());
  }

  // The sum over n-grams of weight x similarity is the sum of the weighted sums of their words.
  static double share(std::span<const double> sums, std::span<const double> weights, std::size_t order) {
    double matched = 0, all = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      matched += sums[i];
      for (std::size_t k = 0; k < order; ++k) all += weights[i + k];
    }
    return all > 0 ? matched / all : 0.0;
  }

  InterruptCheck interrupt_check_;
  std::vector<double> ours_, theirs_, best_of_rows_, best_of_columns_;
};

// A row per reference: precision and recall by cosines. Equal words without a vector have similarity 1.
inline void vector_matches(const EmbeddedPairs& pairs, std::size_t order, std::size_t threads,
                           std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, words = WordSimilarity(), matcher = GreedyMatcher()](std::size_t i) mutable {
      const auto hypothesis = pairs.hypothesis(i);
      for (const std::size_t r : pairs.references_of(i)) {
        const auto reference = pairs.reference(r);
        words.compare(hypothesis, reference, false);
        matcher.match(
            hypothesis.size(), reference.size(), hypothesis.weights, reference.weights, order,
            [&](std::size_t a, std::size_t b) { return words(a, b); }, rows.subspan(2 * r, 2));
      }
    };
  });
}

// 2 x the length of the longest common substring over both lengths.
class SubstringSimilarity {
 public:
  explicit SubstringSimilarity(const Column& letters) : letters_(letters) {}

  void compare(std::span<const std::int32_t> first, std::span<const std::int32_t> second) {
    columns_ = second.size();
    values_.resize(first.size() * columns_);
    for (std::size_t i = 0; i < first.size(); ++i)
      for (std::size_t j = 0; j < columns_; ++j) values_[i * columns_ + j] = alike(first[i], second[j]);
  }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }

 private:
  double alike(std::int32_t a, std::int32_t b) {
    if (a == b) return 1.0;
    const auto first = letters_[static_cast<std::size_t>(a)], second = letters_[static_cast<std::size_t>(b)];
    const std::size_t total = first.size() + second.size();
    interrupt_check_.tick(first.size() * second.size() / 8 + 1);
    // row_[j]: length of the longest common suffix of first[0, i) and second[0, j)
    row_.assign(second.size() + 1, 0);
    std::size_t longest = 0;
    for (const std::int32_t letter : first)
      for (std::size_t j = second.size(); j > 0; --j) {
        row_[j] = second[j - 1] == letter ? row_[j - 1] + 1 : 0;
        longest = std::max(longest, row_[j]);
      }
    return total == 0 ? 0.0 : 2.0 * static_cast<double>(longest) / static_cast<double>(total);
  }

  Column letters_;
  InterruptCheck interrupt_check_;
  std::size_t columns_ = 0;
  std::vector<double> values_;
  std::vector<std::size_t> row_;
};

// The same by common substrings; text i of `letters` has the letters of word i.
inline void substring_matches(const TextPairs& pairs, std::span<const double> hypothesis_weights,
                              std::span<const double> reference_weights, const Column& letters,
                              std::size_t order, std::size_t threads, std::span<double> rows) {
  check_range(pairs.hypotheses.ids, 0, letters.size(), "a word has no spelling");
  check_range(pairs.references.column.ids, 0, letters.size(), "a word has no spelling");
  if (hypothesis_weights.size() != pairs.hypotheses.ids.size() ||
      reference_weights.size() != pairs.references.column.ids.size())
    throw std::invalid_argument("every token needs a weight");
  const auto part = [](std::span<const double> weights, const Column& column, std::size_t text) {
    return weights.subspan(static_cast<std::size_t>(column.offsets[text]), column[text].size());
  };
  parallel_for(pairs.size(), threads, [&] {
    return [&, words = SubstringSimilarity(letters), matcher = GreedyMatcher()](std::size_t i) mutable {
      const auto hypothesis = pairs.hypothesis(i);
      for (const std::size_t r : pairs.references_of(i)) {
        const auto reference = pairs.reference(r);
        words.compare(hypothesis, reference);
        matcher.match(
            hypothesis.size(), reference.size(), part(hypothesis_weights, pairs.hypotheses, i),
            part(reference_weights, pairs.references.column, r), order,
            [&](std::size_t a, std::size_t b) { return words(a, b); }, rows.subspan(2 * r, 2));
      }
    };
  });
}

}  // namespace tertium
