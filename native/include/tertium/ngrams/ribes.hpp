// Rank correlation of word order (Isozaki et al. 2010), with the word alignment of NTT's RIBES: a word is
// aligned if an n-gram around it occurs once in both texts. O(|h| x (|h| + |r|)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/elementary.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"

namespace tertium {

// How far the words around a position also occur elsewhere, in one direction: this gives the length from
// which the n-gram that begins (or ends) there is unique.
struct Context {
  std::size_t own = 0;     // the longest n-gram that the hypothesis has elsewhere too
  std::size_t first = 0;   // the longest one that the reference has
  std::size_t second = 0;  // the longest one that the reference has twice
  std::size_t place = 0;   // position of the longest one in the reference

  // The least number of words beside the position with which hypothesis and reference have it once.
  std::size_t window() const { return std::max(own, second); }
  bool is_unique() const { return window() < first; }
};

// Finds the reference position of each hypothesis word that is unambiguous: a word that occurs once on both
// sides, or whose n-gram with the fewest words before or behind it (before first) occurs once on both sides.
// From tables of common extensions, O(|h| x (|h| + |r|)); keeps its tables between calls, one per thread.
class RankAligner {
 public:
  std::span<const std::size_t> align(std::span<const std::int32_t> hypothesis,
                                     std::span<const std::int32_t> reference) {
    const std::size_t length = hypothesis.size();
    behind_.assign(length, {});
    before_.assign(length, {});
    start(hypothesis, reference);
    for (std::size_t i = length; i-- > 0;) behind_[i] = look(hypothesis, reference, i, true);
    start(hypothesis, reference);
    for (std::size_t i = 0; i < length; ++i) before_[i] = look(hypothesis, reference, i, false);
    ranks_.clear();
    for (std::size_t i = 0; i < length; ++i) {
      const Context& behind = behind_[i];
      const Context& before = before_[i];
      // At each width NTT's tool tries the words before a position first.
      if (before.is_unique() && (!behind.is_unique() || before.window() <= behind.window()))
        ranks_.push_back(before.place);
      else if (behind.is_unique())
        ranks_.push_back(behind.place);
    }
    return ranks_;
  }

 private:
  void start(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    own_.assign(hypothesis.size() + 2, 0);
    other_.assign(reference.size() + 2, 0);
  }

  // table[k + 1]: how many words from position i and from position k on, backwards or forwards, are the same.
  // On entry it holds that of the position before i in the scan.
  static void extend(std::span<const std::int32_t> words, std::int32_t word, bool forward,
                     std::vector<std::size_t>& table) {
    if (forward) {
      for (std::size_t k = 0; k < words.size(); ++k) table[k + 1] = words[k] == word ? table[k + 2] + 1 : 0;
    } else {
      for (std::size_t k = words.size(); k-- > 0;) table[k + 1] = words[k] == word ? table[k] + 1 : 0;
    }
  }

  Context look(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
               std::size_t i, bool forward) {
    Context context;
    interrupt_check_.tick(2 * (hypothesis.size() + reference.size()));
    extend(hypothesis, hypothesis[i], forward, own_);
    extend(reference, hypothesis[i], forward, other_);
    for (std::size_t k = 0; k < hypothesis.size(); ++k)
      if (k != i) context.own = std::max(context.own, own_[k + 1]);
    for (std::size_t k = 0; k < reference.size(); ++k) {
      const std::size_t shared = other_[k + 1];
      if (shared > context.first) {
        context.second = context.first;
        context.first = shared;
        context.place = k;
      } else {
        context.second = std::max(context.second, shared);
      }
    }
    return context;
  }

  InterruptCheck interrupt_check_;
  std::vector<Context> behind_, before_;
  std::vector<std::size_t> own_, other_, ranks_;
};

// The share of pairs in ascending order; a single word is in order only if the reference has one word.
inline double rank_correlation(std::span<const std::size_t> ranks, std::size_t reference_length) {
  if (ranks.size() < 2) return ranks.size() == 1 && reference_length == 1 ? 1.0 : 0.0;
  std::size_t rising = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = i + 1; j < ranks.size(); ++j) rising += ranks[i] < ranks[j];
  const auto n = static_cast<double>(ranks.size());
  return static_cast<double>(rising) / (n * (n - 1) / 2);
}

// A row for every reference: rank correlation, share of aligned hypothesis words, brevity penalty.
inline void rank_statistics(const TextPairs& pairs, std::size_t threads, std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, aligner = RankAligner()](std::size_t i) mutable {
      const auto hypothesis = pairs.hypothesis(i);
      const auto length = static_cast<double>(hypothesis.size());
      for (const std::size_t r : pairs.references_of(i)) {
        const auto row = rows.subspan(3 * r, 3);
        const auto reference = pairs.reference(r);
        std::fill(row.begin(), row.end(), 0.0);
        if (hypothesis.empty()) continue;
        const auto ranks = aligner.align(hypothesis, reference);
        row[0] = rank_correlation(ranks, reference.size());
        row[1] = static_cast<double>(ranks.size()) / length;
        row[2] = std::min(1.0, exp(1.0 - static_cast<double>(reference.size()) / length));
      }
    };
  });
}

}  // namespace tertium
