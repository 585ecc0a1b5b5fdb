// The match between a hypothesis and the dependency n-grams of its references (Yu et al. 2014, RED, Formula
// 2). O(n-grams), but O(k^(n-1) log k) for a chain of n words that each occur k times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/elementary.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/trees/dependency_ngrams.hpp"

namespace tertium {

// Matches one hypothesis with the n-grams of its references. Keeps its tables between calls.
class DependencyMatcher {
 public:
  void read_hypothesis(std::span<const std::int32_t> hypothesis) {
    ids_.clear();
    tokens_.clear();
    for (const std::int32_t id : hypothesis) tokens_.push_back(ids_.intern(static_cast<std::uint32_t>(id)));
    starts_.assign(static_cast<std::size_t>(ids_.size()) + 2, 0);
    for (const std::int32_t name : tokens_) ++starts_[static_cast<std::size_t>(name) + 2];
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    places_.resize(tokens_.size());
    for (std::size_t p = 0; p < tokens_.size(); ++p)
      places_[starts_[static_cast<std::size_t>(tokens_[p]) + 1]++] = static_cast<std::int32_t>(p);
  }

  void read_reference(std::span<const std::int32_t> reference) {
    reference_.clear();
    for (const std::int32_t id : reference) reference_.push_back(ids_.find(static_cast<std::uint32_t>(id)));
  }

  // The n-gram's matching score between 0 and 1.
  double match(std::span<const std::int32_t> ngram, NgramKind kind) {
    for (const std::int32_t position : ngram)
      if (name(position) < 0) return 0.0;
    switch (kind) {
      case NgramKind::word:
        return 1.0;
      case NgramKind::structure:
        return stands_together(ngram) ? 1.0 : 0.0;
      default:
        return match_chain(ngram);
    }
  }

 private:
  using Cost = std::int64_t;
  static constexpr Cost kNone = std::numeric_limits<Cost>::max();

  std::int32_t name(std::int32_t position) const { return reference_[static_cast<std::size_t>(position)]; }
  // The positions in the hypothesis of the reference's word at this position, from left to right.
  std::span<const std::int32_t> places(std::int32_t position) const {
    const auto at = static_cast<std::size_t>(name(position));
    return {places_.data() + starts_[at], starts_[at + 1] - starts_[at]};
  }

  bool stands_together(std::span<const std::int32_t> block) const {
    for (const std::int32_t place : places(block[0])) {
      const auto begin = static_cast<std::size_t>(place);
      if (begin + block.size() > tokens_.size()) return false;
      std::size_t same = 1;
      while (same < block.size() && tokens_[begin + same] == name(block[same])) ++same;
      if (same == block.size()) return true;
    }
    return false;
  }

  // Formula 2 for the best choice of positions with the words in the reference's order.
  double match_chain(std::span<const std::int32_t> chain) {
    best_ = kNone;
    takes_shortcuts_ = takes_shortcuts();
    chosen_.resize(chain.size());
    const auto all = places(chain[0]);
    // Texts are alike, so the search begins at the reference's position: with a word that occurs in thousands
    // of places, those at the beginning of the text often leave no space for the others.
    const auto middle = std::lower_bound(all.begin(), all.end(), chain[0]);
    for (auto place = middle; place != all.end() && !is_done(); ++place) place_first(chain, *place);
    for (auto place = all.begin(); place != middle && !is_done(); ++place) place_first(chain, *place);
    if (best_ == 0) return 1.0;
    if (best_ == kNone) return 0.0;
    return exp(-static_cast<double>(best_) / static_cast<double>(chain.size() - 1));
  }

  bool is_done() const { return best_ == 0 && takes_shortcuts_; }

  void place_first(std::span<const std::int32_t> chain, std::int32_t place) {
    chosen_[0] = place;
    place_next(chain, 1, 0);
  }

  // Places the chain's words from `next` on; the order among those placed so far leaves an open
  // interval (low, high). Words before the last are tried at every place in it, the last one only
  // next to where it costs least: O(k^(n-1) log k) for words that occur k times.
  void place_next(std::span<const std::int32_t> chain, std::size_t next, Cost cost) {
    interrupt_check_.tick(16 * chain.size());
    const auto [low, high] = interval(chain, next);
    const auto all = places(chain[next]);
    const auto begin = std::upper_bound(all.begin(), all.end(), low);
    const auto end = std::lower_bound(begin, all.end(), high);
    if (begin == end) return;
    const std::int32_t target = chosen_[next - 1] + chain[next] - chain[next - 1];
    const bool is_last = next + 1 == chain.size();
    if (is_last && takes_shortcuts_) {
      const auto after = std::lower_bound(begin, end, target);
      if (after != end) best_ = std::min(best_, cost + gap(*after, target));
      if (after != begin) best_ = std::min(best_, cost + gap(*(after - 1), target));
      return;
    }
    for (auto place = begin; place != end; ++place) {
      const Cost sum = cost + gap(*place, target);
      if (sum >= best_ && takes_shortcuts_) continue;
      chosen_[next] = *place;
      if (is_last)
        best_ = std::min(best_, sum);
      else
        place_next(chain, next + 1, sum);
    }
  }

  static Cost gap(std::int32_t place, std::int32_t target) {
    return place > target ? Cost{place} - target : Cost{target} - place;
  }

  std::pair<std::int32_t, std::int32_t> interval(std::span<const std::int32_t> chain,
                                                 std::size_t next) const {
    std::int32_t low = -1;
    std::int32_t high = static_cast<std::int32_t>(tokens_.size());
    for (std::size_t i = 0; i < next; ++i) {
      if (chain[i] < chain[next]) low = std::max(low, chosen_[i]);
      if (chain[i] > chain[next]) high = std::min(high, chosen_[i]);
    }
    return {low, high};
  }

  InterruptCheck interrupt_check_;
  DenseIds ids_;
  std::vector<std::int32_t> tokens_, reference_;  // names of both texts' words; -1: not in the hypothesis
  std::vector<std::size_t> starts_;
  std::vector<std::int32_t> places_;
  std::vector<std::int32_t> chosen_;
  Cost best_ = kNone;
  bool takes_shortcuts_ = true;
};

// The matching score of every n-gram against the hypothesis of its segment.
inline void match_dependency_ngrams(const TextPairs& pairs, const DependencyNgrams& ngrams,
                                    std::size_t threads, std::span<double> scores) {
  check_ngrams(ngrams, pairs.references.column);
  parallel_for(pairs.size(), threads, [&] {
    return [&, matcher = DependencyMatcher()](std::size_t i) mutable {
      matcher.read_hypothesis(pairs.hypothesis(i));
      for (const std::size_t r : pairs.references_of(i)) {
        matcher.read_reference(pairs.reference(r));
        const auto end = static_cast<std::size_t>(ngrams.offsets[r + 1]);
        for (auto g = static_cast<std::size_t>(ngrams.offsets[r]); g < end; ++g)
          scores[g] = matcher.match(ngrams[g], static_cast<NgramKind>(ngrams.kinds[g]));
      }
    };
  });
}

}  // namespace tertium
