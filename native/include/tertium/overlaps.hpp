// How many n-grams and skip bigrams, of words and of characters, two texts share: BEER's counts
// (Stanojević & Sima'an 2014).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/ngrams.hpp"
#include "tertium/parallel.hpp"

namespace tertium {

inline constexpr std::size_t kWordOrder = 4;
inline constexpr std::size_t kCharacterOrder = 6;

// How many words may stand between the two of a skip bigram. The last one stands for any number: no
// sentence is longer, and a text that is keeps its linear cost.
inline constexpr std::array<std::size_t, 5> kGaps{1, 2, 3, 4, 500};

inline constexpr std::size_t kOverlapFamilies = kWordOrder + kCharacterOrder + kGaps.size();
inline constexpr std::size_t kOverlapWidth = 3 * kOverlapFamilies;

// Writes (common, hypothesis's, reference's) of each family. Keeps its tables between calls.
class OverlapCounter {
 public:
  void count(std::span<const std::int32_t> words, std::span<const std::int32_t> characters,
             std::span<const std::int32_t> reference_words,
             std::span<const std::int32_t> reference_characters, std::span<double> row) {
    count_ngrams(words, reference_words, 1, 1, row.first(3));
    bordered(words, hypothesis_);
    bordered(reference_words, reference_);
    count_ngrams(hypothesis_, reference_, 2, kWordOrder, row.subspan(3, 3 * (kWordOrder - 1)));
    count_ngrams(characters, reference_characters, 1, kCharacterOrder,
                 row.subspan(3 * kWordOrder, 3 * kCharacterOrder));
    for (std::size_t i = 0; i < kGaps.size(); ++i)
      count_skip_bigrams(words, reference_words, kGaps[i],
                         row.subspan(3 * (kWordOrder + kCharacterOrder + i), 3));
  }

 private:
  static constexpr std::int32_t kBegin = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int32_t kEnd = kBegin - 1;

  static void bordered(std::span<const std::int32_t> words, std::vector<std::int32_t>& out) {
    out.assign(1, kBegin);
    out.insert(out.end(), words.begin(), words.end());
    out.push_back(kEnd);
  }

  static std::uint64_t key(std::int32_t first, std::int32_t second) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32) |
           static_cast<std::uint32_t>(second);
  }

  void clear() {
    names_.clear();
    left_.clear();
  }
  std::int32_t add(std::uint64_t ngram) {
    const std::int32_t name = names_.name(ngram);
    if (static_cast<std::size_t>(name) == left_.size()) left_.push_back(0);
    ++left_[static_cast<std::size_t>(name)];
    return name;
  }
  // Takes the n-gram from what the reference has left; -1 if the reference never had it.
  std::int32_t take(std::uint64_t ngram, std::size_t& common) {
    const std::int32_t name = names_.find(ngram);
    if (name >= 0 && left_[static_cast<std::size_t>(name)]-- > 0) ++common;
    return name;
  }

  // Orders first..last, three numbers each. The key of order n is (name of its first n-1, last).
  void count_ngrams(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                    std::size_t first, std::size_t last, std::span<double> out) {
    prefixes_.assign(hypothesis.size(), 0);
    reference_prefixes_.assign(reference.size(), 0);
    for (std::size_t n = 1; n <= last; ++n) {
      const std::size_t own = hypothesis.size() < n ? 0 : hypothesis.size() - n + 1;
      const std::size_t wanted = reference.size() < n ? 0 : reference.size() - n + 1;
      clear();
      for (std::size_t i = 0; i < wanted; ++i)
        reference_prefixes_[i] = add(key(reference_prefixes_[i], reference[i + n - 1]));
      std::size_t common = 0;
      for (std::size_t i = 0; i < own; ++i)
        if (prefixes_[i] >= 0) prefixes_[i] = take(key(prefixes_[i], hypothesis[i + n - 1]), common);
      if (n >= first) write(common, own, wanted, out.subspan(3 * (n - first), 3));
    }
  }

  void count_skip_bigrams(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                          std::size_t gap, std::span<double> out) {
    clear();
    std::size_t common = 0;
    const std::size_t wanted = each_pair(reference, gap, [&](std::uint64_t pair) { add(pair); });
    const std::size_t own = each_pair(hypothesis, gap, [&](std::uint64_t pair) { take(pair, common); });
    write(common, own, wanted, out);
  }

  template <typename Visit>
  static std::size_t each_pair(std::span<const std::int32_t> words, std::size_t gap, const Visit& visit) {
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = i + 1; j < std::min(words.size(), i + gap + 2); ++j, ++pairs)
        visit(key(words[i], words[j]));
    return pairs;
  }

  static void write(std::size_t common, std::size_t own, std::size_t wanted, std::span<double> out) {
    out[0] = static_cast<double>(common);
    out[1] = static_cast<double>(own);
    out[2] = static_cast<double>(wanted);
  }

  DenseNames names_;
  std::vector<std::int32_t> left_;
  std::vector<std::int32_t> hypothesis_, reference_, prefixes_, reference_prefixes_;
};

// A row per reference against the hypothesis of its segment.
inline void overlap_statistics(const Column& words, const Column& characters,
                               const GroupedColumn& reference_words, const Column& reference_characters,
                               std::size_t threads, std::span<double> rows) {
  parallel_for(words.size(), threads, [&] {
    return [&, counter = OverlapCounter()](std::size_t i) mutable {
      for (std::size_t r = reference_words.begin(i); r < reference_words.end(i); ++r)
        counter.count(words[i], characters[i], reference_words.column[r], reference_characters[r],
                      rows.subspan(r * kOverlapWidth, kOverlapWidth));
    };
  });
}

}  // namespace tertium
