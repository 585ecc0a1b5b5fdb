// Skip bigrams (Lin & Och 2004): pairs of words, in order and not too far apart, that two texts share.
// O(gap x tokens).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"

namespace tertium {

// Counts one pair of texts at a time. Keeps its tables between calls.
class SkipBigramCounter {
 public:
  // With at most `gap` words between: pairs of the hypothesis, of the reference, clipped matches.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::size_t gap, std::span<double> out) {
    ids_.clear();
    left_.clear();
    const std::size_t wanted = each_pair(reference, gap, [&](std::uint64_t pair) { add(pair); });
    std::size_t common = 0;
    const std::size_t own = each_pair(hypothesis, gap, [&](std::uint64_t pair) { common += take(pair); });
    out[0] = static_cast<double>(own);
    out[1] = static_cast<double>(wanted);
    out[2] = static_cast<double>(common);
  }

 private:
  void add(std::uint64_t pair) {
    const auto name = static_cast<std::size_t>(ids_.intern(pair));
    if (name == left_.size()) left_.push_back(0);
    ++left_[name];
  }
  bool take(std::uint64_t pair) {
    const std::int32_t name = ids_.find(pair);
    return name >= 0 && left_[static_cast<std::size_t>(name)]-- > 0;
  }

  template <typename Visit>
  static std::size_t each_pair(std::span<const std::int32_t> words, std::size_t gap, const Visit& visit) {
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = i + 1; j < std::min(words.size(), i + gap + 2); ++j, ++pairs)
        visit(pair_key(words[i], words[j]));
    return pairs;
  }

  DenseIds ids_;
  std::vector<std::int32_t> left_;  // the reference's pairs that no match has used up
};

// A row for every reference: three numbers per gap.
inline void skip_bigram_statistics(const TextPairs& pairs, std::span<const std::int64_t> gaps,
                                   std::size_t threads, std::span<double> rows) {
  if (std::ranges::any_of(gaps, [](std::int64_t gap) { return gap < 0; }))
    throw std::invalid_argument("a gap must be at least 0");
  const std::size_t width = 3 * gaps.size();
  parallel_for(pairs.size(), threads, [&] {
    return [&, counter = SkipBigramCounter()](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        for (std::size_t g = 0; g < gaps.size(); ++g)
          counter.count(pairs.hypothesis(i), pairs.reference(r), static_cast<std::size_t>(gaps[g]),
                        rows.subspan(r * width + 3 * g, 3));
    };
  });
}

}  // namespace tertium
