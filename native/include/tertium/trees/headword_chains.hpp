// Headword chains that two dependency trees share (Liu & Gildea 2005). O(order x tokens).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/trees/heads.hpp"

namespace tertium {

// Trees and the words at their nodes, over the same offsets.
struct TreeWords {
  Column words;
  std::span<const std::int32_t> heads;

  std::span<const std::int32_t> heads_of(std::size_t i) const { return Column{heads, words.offsets}[i]; }
};

// Counts of one pair. A chain of n words ends at every token that is n deep, so its exact name is
// (name of the chain of n-1 words that ends at the head, own word). O(order x tokens).
class ChainMatcher {
 public:
  // row: matches, chains of the hypothesis and chains of the reference, each for 1..order.
  void count(const TreeWords& hypotheses, std::size_t hypothesis, const TreeWords& references,
             std::size_t reference, std::span<double> row) {
    const std::size_t order = row.size() / 3;
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t n = 1; n <= order; ++n) {
      ids_.clear();
      left_.clear();
      row[2 * order + n - 1] = static_cast<double>(
          extend(references.words[reference], references.heads_of(reference), n, reference_ends_,
                 [&](std::uint64_t key) { return name_reference_chain(key); }));
      std::int64_t matches = 0;
      row[order + n - 1] =
          static_cast<double>(extend(hypotheses.words[hypothesis], hypotheses.heads_of(hypothesis), n,
                                     hypothesis_ends_, [&](std::uint64_t key) {
                                       const std::int32_t name = ids_.find(key);
                                       if (name >= 0 && left_[static_cast<std::size_t>(name)]-- > 0)
                                         ++matches;
                                       return name < 0 ? kForeign : name;
                                     }));
      row[n - 1] = static_cast<double>(matches);
    }
  }

 private:
  static constexpr std::int32_t kShallow = -1;  // the tree is not deep enough here
  static constexpr std::int32_t kForeign = -2;  // a chain that the reference lacks

  std::int32_t name_reference_chain(std::uint64_t key) {
    const std::int32_t name = ids_.intern(key);
    if (static_cast<std::size_t>(name) == left_.size()) left_.push_back(0);
    ++left_[static_cast<std::size_t>(name)];
    return name;
  }

  // ends[t]: the name of the chain of n words that ends at t; returns how many there are.
  template <typename Name>
  std::size_t extend(std::span<const std::int32_t> words, std::span<const std::int32_t> heads, std::size_t n,
                     std::vector<std::int32_t>& ends, const Name& name) {
    above_.swap(ends);
    ends.assign(words.size(), kShallow);
    std::size_t count = 0;
    for (std::size_t t = 0; t < words.size(); ++t) {
      std::int32_t prefix = 0;
      if (n > 1) prefix = heads[t] == kRoot ? kShallow : above_[static_cast<std::size_t>(heads[t])];
      if (prefix == kShallow) continue;
      ++count;
      ends[t] = prefix == kForeign ? kForeign : name(pair_key(prefix, words[t]));
    }
    return count;
  }

  DenseIds ids_;
  std::vector<std::int32_t> left_;  // how often the reference's chain may still be matched
  std::vector<std::int32_t> reference_ends_, hypothesis_ends_, above_;
};

// A row per reference. Heads lie as the words of their texts do.
inline void headword_chain_statistics(const TextPairs& pairs, std::span<const std::int32_t> heads,
                                      std::span<const std::int32_t> reference_heads, std::size_t order,
                                      std::size_t threads, std::span<double> rows) {
  const TreeWords hypotheses{pairs.hypotheses, check_heads({heads, pairs.hypotheses.offsets})};
  const Column& words = pairs.references.column;
  const TreeWords references{words, check_heads({reference_heads, words.offsets})};
  parallel_for(pairs.size(), threads, [&] {
    return [&, matcher = ChainMatcher()](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        matcher.count(hypotheses, i, references, r, rows.subspan(r * 3 * order, 3 * order));
    };
  });
}

}  // namespace tertium
