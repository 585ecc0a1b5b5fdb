// BLEU's statistics (Papineni et al. 2002): clipped n-gram matches of hypotheses against the pooled n-grams
// of their references. O(order x tokens) per segment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/ngrams/lengths.hpp"
#include "tertium/ngrams/place_masks.hpp"

namespace tertium {

// Counts matches of one segment at a time. One short reference is matched by bit vectors. Otherwise an n-gram
// is named exactly, never by a hash alone: the key of order n is (name of its first n-1 tokens, last token).
// Orders follow one another, so the names of order n-1 at each position are all that is kept. O(order x
// tokens).
class NgramMatcher {
 public:
  // matches[n-1] += clipped matches of order n; returns nothing else, totals follow from lengths.
  void count(std::span<const std::int32_t> hypothesis, const GroupedColumn& references, std::size_t segment,
             std::span<double> matches) {
    const std::size_t first = references.begin(segment);
    const std::size_t n_references = references.count(segment);
    if (n_references == 1 && PlaceMasks::fits(references.column[first]) && takes_shortcuts())
      return count_one(hypothesis, references.column[first], matches);
    prefixes_.resize(std::max(prefixes_.size(), n_references + 1));
    std::size_t most_names = 0;
    for (std::size_t r = 0; r < n_references; ++r) most_names += references.column[first + r].size();
    for (std::size_t order = 1; order <= matches.size() && order <= hypothesis.size(); ++order) {
      ids_.clear();
      pooled_.assign(most_names, 0);
      for (std::size_t r = 0; r < n_references; ++r)
        pool(references.column[first + r], order, prefixes_[r + 1], n_references > 1);
      const std::int64_t found = match(hypothesis, order, prefixes_[0]);
      if (found == 0) break;  // no longer n-gram can match either
      matches[order - 1] += static_cast<double>(found);
    }
  }

 private:
  void count_one(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                 std::span<double> matches) {
    found_.resize(matches.size());
    places_.count(hypothesis, reference, found_);
    for (std::size_t n = 0; n < matches.size(); ++n) matches[n] += static_cast<double>(found_[n]);
  }

  // Names the reference's n-grams and raises the pooled count of each to this reference's own.
  void pool(std::span<const std::int32_t> tokens, std::size_t order, std::vector<std::int32_t>& prefix,
            bool others) {
    if (tokens.size() < order) return;
    const std::size_t positions = tokens.size() - order + 1;
    if (order == 1) prefix.assign(positions, 0);
    if (others) own_.assign(pooled_.size(), 0);
    for (std::size_t i = 0; i < positions; ++i) {
      const std::int32_t name = ids_.intern(pair_key(prefix[i], tokens[i + order - 1]));
      prefix[i] = name;
      auto& count = pooled_[static_cast<std::size_t>(name)];
      count = others ? std::max(count, ++own_[static_cast<std::size_t>(name)]) : count + 1;
    }
  }

  std::int64_t match(std::span<const std::int32_t> tokens, std::size_t order,
                     std::vector<std::int32_t>& prefix) {
    const std::size_t positions = tokens.size() - order + 1;
    if (order == 1) prefix.assign(positions, 0);
    std::int64_t found = 0;
    for (std::size_t i = 0; i < positions; ++i) {
      if (prefix[i] < 0) continue;  // its beginning is in no reference
      prefix[i] = ids_.find(pair_key(prefix[i], tokens[i + order - 1]));
      if (prefix[i] >= 0 && pooled_[static_cast<std::size_t>(prefix[i])]-- > 0) ++found;
    }
    return found;
  }

  PlaceMasks places_;
  std::vector<std::int64_t> found_;
  DenseIds ids_;
  std::vector<std::int32_t> pooled_, own_;
  // The name of the (n-1)-gram at each position (0 before unigrams): the hypothesis, then each reference.
  std::vector<std::vector<std::int32_t>> prefixes_;
};

// BLEU's row for every segment: hypothesis length, closest reference length, matches and totals of
// orders 1..order.
inline void bleu_statistics(const TextPairs& pairs, std::size_t order, std::size_t threads,
                            std::span<double> rows) {
  const std::size_t width = 2 + 2 * order;
  parallel_for(pairs.size(), threads, [&] {
    return [&, matcher = NgramMatcher()](std::size_t i) mutable {
      const auto row = rows.subspan(i * width, width);
      const auto tokens = pairs.hypothesis(i);
      std::fill(row.begin(), row.end(), 0.0);
      row[0] = static_cast<double>(tokens.size());
      row[1] = static_cast<double>(closest_length(tokens.size(), pairs.references, i));
      matcher.count(tokens, pairs.references, i, row.subspan(2, order));
      for (std::size_t n = 1; n <= order; ++n) row[1 + order + n] = ngrams_of_order(tokens.size(), n);
    };
  });
}

}  // namespace tertium
