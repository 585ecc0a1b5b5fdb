// Dependency n-grams of a reference and how well a hypothesis matches them (Yu et al. 2014, RED).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/ngrams.hpp"
#include "tertium/parallel.hpp"
#include "tertium/trees.hpp"

namespace tertium {

// A word alone; a path from a word down the tree; a fixed or floating structure.
enum class NgramKind : std::int32_t { word = 0, chain = 1, structure = 2 };

// Sentence s has the n-grams [offsets[s], offsets[s + 1]); n-gram g stands at the positions
// positions[starts[g], starts[g + 1]) of the reference: a chain's from the top word down, a
// structure's from left to right.
struct DependencyNgrams {
  std::span<const std::int32_t> positions;
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> kinds;
  std::span<const std::int64_t> offsets;

  std::span<const std::int32_t> operator[](std::size_t g) const {
    const auto begin = static_cast<std::size_t>(starts[g]);
    return positions.subspan(begin, static_cast<std::size_t>(starts[g + 1]) - begin);
  }
};

struct OwnedDependencyNgrams {
  std::vector<std::int32_t> positions;
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> kinds;
  std::vector<std::int64_t> offsets{0};
};

// Extracts all n-grams of 1..order words, shorter ones first. A structure counts if its words stand
// together, which crossing edges can prevent. O(order^2 x tokens).
class NgramExtractor {
 public:
  explicit NgramExtractor(std::size_t order) : order_(order), blocks_(order + 1) {}

  void extract(std::span<const std::int32_t> heads, OwnedDependencyNgrams& found) {
    find_blocks(heads);
    for (std::size_t n = 1; n <= order_; ++n) {
      for (std::size_t t = 0; t < heads.size(); ++t) add_chain(heads, t, n, found);
      for (const std::int32_t first : blocks_[n]) add_block(first, n, found);
    }
    found.offsets.push_back(static_cast<std::int64_t>(found.kinds.size()));
  }

 private:
  // The path of n words that ends at `bottom`, if the tree is that deep there.
  void add_chain(std::span<const std::int32_t> heads, std::size_t bottom, std::size_t n,
                 OwnedDependencyNgrams& found) {
    path_.assign(1, static_cast<std::int32_t>(bottom));
    while (path_.size() < n) {
      const std::int32_t head = heads[static_cast<std::size_t>(path_.back())];
      if (head == kRoot) return;
      path_.push_back(head);
    }
    found.positions.insert(found.positions.end(), path_.rbegin(), path_.rend());
    close(n == 1 ? NgramKind::word : NgramKind::chain, found);
  }

  static void add_block(std::int32_t first, std::size_t n, OwnedDependencyNgrams& found) {
    for (std::size_t i = 0; i < n; ++i) found.positions.push_back(first + static_cast<std::int32_t>(i));
    close(NgramKind::structure, found);
  }

  static void close(NgramKind kind, OwnedDependencyNgrams& found) {
    found.starts.push_back(static_cast<std::int64_t>(found.positions.size()));
    found.kinds.push_back(static_cast<std::int32_t>(kind));
  }

  // blocks_[n]: where the structures of n words begin, each once, in order.
  void find_blocks(std::span<const std::int32_t> heads) {
    for (auto& block : blocks_) block.clear();
    constituents_.read(heads);
    for (std::size_t head = 0; head < heads.size(); ++head) {
      find_fixed(head);
      find_floating(constituents_.left(head));
      find_floating(constituents_.right(head));
    }
    for (auto& block : blocks_) {
      std::sort(block.begin(), block.end());
      block.erase(std::unique(block.begin(), block.end()), block.end());
    }
  }

  // A head with i complete constituents next to it on the left and j on the right.
  void find_fixed(std::size_t head) {
    const auto left = constituents_.left(head);
    const auto right = constituents_.right(head);
    const auto position = static_cast<std::int32_t>(head);
    Extent with_left{position, position, 1};
    for (std::size_t i = 0;; ++i) {
      Extent whole = with_left;
      keep(whole);
      for (std::size_t j = 0; j < right.size() && fits(whole); ++j) {
        whole.add(constituents_.extent(right[j]));
        keep(whole);
      }
      if (i == left.size() || !fits(with_left)) return;
      with_left.add(constituents_.extent(left[left.size() - 1 - i]));
    }
  }

  // Consecutive complete constituents on one side of their head.
  void find_floating(std::span<const std::int32_t> siblings) {
    for (std::size_t i = 0; i < siblings.size(); ++i) {
      Extent run;
      for (std::size_t j = i; j < siblings.size() && fits(run); ++j) {
        run.add(constituents_.extent(siblings[j]));
        keep(run);
      }
    }
  }

  bool fits(const Extent& extent) const { return static_cast<std::size_t>(extent.words) < order_; }
  void keep(const Extent& extent) {
    const auto n = static_cast<std::size_t>(extent.words);
    if (n >= 2 && n <= order_ && extent.is_contiguous()) blocks_[n].push_back(extent.first);
  }

  std::size_t order_;
  std::vector<std::vector<std::int32_t>> blocks_;
  std::vector<std::int32_t> path_;
  Constituents constituents_;
};

inline OwnedDependencyNgrams extract_dependency_ngrams(const Column& heads, std::size_t order) {
  OwnedDependencyNgrams found;
  NgramExtractor extractor(order);
  for (std::size_t i = 0; i < heads.size(); ++i) extractor.extract(heads[i], found);
  return found;
}

// Matches one hypothesis with the n-grams of its references. Keeps its tables between calls.
class DependencyMatcher {
 public:
  void read_hypothesis(std::span<const std::int32_t> hypothesis) {
    names_.clear();
    tokens_.clear();
    for (const std::int32_t id : hypothesis) tokens_.push_back(names_.name(static_cast<std::uint32_t>(id)));
    starts_.assign(static_cast<std::size_t>(names_.size()) + 2, 0);
    for (const std::int32_t name : tokens_) ++starts_[static_cast<std::size_t>(name) + 2];
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    places_.resize(tokens_.size());
    for (std::size_t p = 0; p < tokens_.size(); ++p)
      places_[starts_[static_cast<std::size_t>(tokens_[p]) + 1]++] = static_cast<std::int32_t>(p);
  }

  void read_reference(std::span<const std::int32_t> reference) {
    reference_.clear();
    for (const std::int32_t id : reference) reference_.push_back(names_.find(static_cast<std::uint32_t>(id)));
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
  // Where the reference's word at this position stands in the hypothesis, from left to right.
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

  // Formula 2 at the best of all places where the words stand in the reference's order.
  double match_chain(std::span<const std::int32_t> chain) {
    best_ = kNone;
    chosen_.resize(chain.size());
    for (const std::int32_t place : places(chain[0])) {
      chosen_[0] = place;
      place_next(chain, 1, 0);
      if (best_ == 0) return 1.0;
    }
    if (best_ == kNone) return 0.0;
    return std::exp(-static_cast<double>(best_) / static_cast<double>(chain.size() - 1));
  }

  // Places the chain's words from `next` on; the order among those placed so far leaves an open
  // interval (low, high). Words before the last are tried at every place in it, the last one only
  // next to where it costs least: O(k^(n-1) log k) for words that occur k times.
  void place_next(std::span<const std::int32_t> chain, std::size_t next, Cost cost) {
    const auto [low, high] = interval(chain, next);
    const auto all = places(chain[next]);
    const auto begin = std::upper_bound(all.begin(), all.end(), low);
    const auto end = std::lower_bound(begin, all.end(), high);
    if (begin == end) return;
    const std::int32_t target = chosen_[next - 1] + chain[next] - chain[next - 1];
    if (next + 1 == chain.size()) {
      const auto after = std::lower_bound(begin, end, target);
      if (after != end) best_ = std::min(best_, cost + gap(*after, target));
      if (after != begin) best_ = std::min(best_, cost + gap(*(after - 1), target));
      return;
    }
    for (auto place = begin; place != end; ++place) {
      const Cost sum = cost + gap(*place, target);
      if (sum >= best_) continue;
      chosen_[next] = *place;
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

  DenseNames names_;
  std::vector<std::int32_t> tokens_, reference_;  // names of both texts' words; -1: not in the hypothesis
  std::vector<std::size_t> starts_;
  std::vector<std::int32_t> places_;
  std::vector<std::int32_t> chosen_;
  Cost best_ = kNone;
};

// The matching score of every n-gram against the hypothesis of its segment.
inline void match_dependency_ngrams(const Column& hypotheses, const GroupedColumn& references,
                                    const DependencyNgrams& ngrams, std::size_t threads,
                                    std::span<double> scores) {
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, matcher = DependencyMatcher()](std::size_t i) mutable {
      matcher.read_hypothesis(hypotheses[i]);
      for (std::size_t r = references.begin(i); r < references.end(i); ++r) {
        matcher.read_reference(references.column[r]);
        const auto end = static_cast<std::size_t>(ngrams.offsets[r + 1]);
        for (auto g = static_cast<std::size_t>(ngrams.offsets[r]); g < end; ++g)
          scores[g] = matcher.match(ngrams[g], static_cast<NgramKind>(ngrams.kinds[g]));
      }
    };
  });
}

}  // namespace tertium
