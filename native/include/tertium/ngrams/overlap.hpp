// Counts the n-grams of each order that two sequences share: the statistics of chrF (Popović 2015) and of
// word F-scores. O(order x symbols) per pair.
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

// Counts the clipped n-gram matches of one pair of sequences at a time, exactly: the n-gram at a position is
// identified by (id of its first n-1 symbols, last symbol). Only positions whose (n-1)-gram occurs in both
// sequences are examined for order n. O(order x symbols); keeps its tables between calls.
class OverlapCounter {
 public:
  // matches[n-1] = clipped matches of order n.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::span<std::int64_t> matches) {
    if (PlaceMasks::fits(reference) && takes_shortcuts())
      return places_.count(hypothesis, reference, matches);
    std::fill(matches.begin(), matches.end(), 0);
    start(reference_, reference.size());
    start(hypothesis_, hypothesis.size());
    const std::size_t symbols = number_symbols(hypothesis, reference);
    std::size_t shared = 1;
    for (std::size_t order = 1; order <= matches.size(); ++order) {
      ids_.reset(shared, symbols);
      count_reference(order);
      matches[order - 1] = match_hypothesis(order);
      if (matches[order - 1] == 0) return;  // no longer n-gram can match either
      shared = static_cast<std::size_t>(n_shared_);
      forget_unshared();
    }
  }

 private:
  // One side: its symbols, and the positions at which an n-gram of the current order may still match.
  struct Side {
    std::vector<std::int32_t> symbols;
    std::vector<std::int32_t> positions;
    std::vector<std::int32_t> names;  // of the (n-1)-gram at each position
    std::size_t live = 0;
  };

  static void start(Side& side, std::size_t length) {
    side.symbols.resize(length);
    side.positions.resize(length);
    side.names.assign(length, 0);
    for (std::size_t i = 0; i < length; ++i) side.positions[i] = static_cast<std::int32_t>(i);
    side.live = length;
  }

  // Gives the reference's symbols dense numbers; a hypothesis symbol that it lacks gets -1.
  std::size_t number_symbols(std::span<const std::int32_t> hypothesis,
                             std::span<const std::int32_t> reference) {
    symbol_ids_.clear();
    for (std::size_t i = 0; i < reference.size(); ++i)
      reference_.symbols[i] = symbol_ids_.intern(static_cast<std::uint32_t>(reference[i]));
    for (std::size_t i = 0; i < hypothesis.size(); ++i)
      hypothesis_.symbols[i] = symbol_ids_.find(static_cast<std::uint32_t>(hypothesis[i]));
    return static_cast<std::size_t>(symbol_ids_.size());
  }

  // Positions ascend, so those too near the end for this order are the last ones.
  static void drop_end(Side& side, std::size_t order) {
    while (side.live > 0 &&
           static_cast<std::size_t>(side.positions[side.live - 1]) + order > side.symbols.size())
      --side.live;
  }

  void count_reference(std::size_t order) {
    Side& side = reference_;
    drop_end(side, order);
    left_.clear();
    for (std::size_t k = 0; k < side.live; ++k) {
      const std::int32_t symbol = side.symbols[static_cast<std::size_t>(side.positions[k]) + order - 1];
      const auto name = ids_.intern(side.names[k], symbol);
      if (static_cast<std::size_t>(name) == left_.size()) left_.push_back(0);
      ++left_[static_cast<std::size_t>(name)];
      side.names[k] = name;
    }
    shared_.assign(left_.size(), -1);
  }

  std::int64_t match_hypothesis(std::size_t order) {
    Side& side = hypothesis_;
    drop_end(side, order);
    std::int64_t found = 0;
    std::size_t kept = 0;
    n_shared_ = 0;
    for (std::size_t k = 0; k < side.live; ++k) {
      const std::int32_t symbol = side.symbols[static_cast<std::size_t>(side.positions[k]) + order - 1];
      const std::int32_t name = symbol < 0 ? -1 : ids_.find(side.names[k], symbol);
      if (name < 0) continue;
      const auto at = static_cast<std::size_t>(name);
      found += left_[at]-- > 0;
      if (shared_[at] < 0) shared_[at] = n_shared_++;
      side.positions[kept] = side.positions[k];
      side.names[kept++] = shared_[at];
    }
    side.live = kept;
    return found;
  }

  void forget_unshared() {
    Side& side = reference_;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < side.live; ++k) {
      const std::int32_t name = shared_[static_cast<std::size_t>(side.names[k])];
      side.positions[kept] = side.positions[k];
      side.names[kept] = name;
      kept += name >= 0;
    }
    side.live = kept;
  }

  PlaceMasks places_;
  DenseIds symbol_ids_;
  PairIds ids_;
  Side reference_, hypothesis_;
  std::vector<std::int32_t> left_;    // reference n-grams of each name that no match has used up
  std::vector<std::int32_t> shared_;  // name among the n-grams of both sides, or -1
  std::int32_t n_shared_ = 0;
};

// One pair's row: n-grams of the hypothesis, of the reference, and matches, for each order in turn. As in
// chrF++.py, a hypothesis has none of an order that its reference has none of.
inline void write_overlaps(std::size_t length, std::size_t reference_length,
                           std::span<const std::int64_t> matches, std::span<double> row) {
  for (std::size_t n = 1; n <= matches.size(); ++n) {
    const double theirs = ngrams_of_order(reference_length, n);
    row[3 * n - 3] = theirs > 0 ? ngrams_of_order(length, n) : 0.0;
    row[3 * n - 2] = theirs;
    row[3 * n - 1] = static_cast<double>(matches[n - 1]);
  }
}

// A row for every reference, not for every segment.
inline void overlap_statistics(const TextPairs& pairs, std::size_t order, std::size_t threads,
                               std::span<double> rows) {
  const std::size_t width = 3 * order;
  parallel_for(pairs.size(), threads, [&] {
    std::vector<std::int64_t> matches(order);
    return [&, counter = OverlapCounter(), matches](std::size_t i) mutable {
      const auto hypothesis = pairs.hypothesis(i);
      for (const std::size_t r : pairs.references_of(i)) {
        const auto reference = pairs.reference(r);
        counter.count(hypothesis, reference, matches);
        write_overlaps(hypothesis.size(), reference.size(), matches, rows.subspan(r * width, width));
      }
    };
  });
}

}  // namespace tertium
