// Dependency n-grams as flat arrays: groups of words that are connected in a tree (Yu et al. 2014, RED): its
// words, its headword chains, and the fixed and floating structures whose words stand together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/trees/heads.hpp"

namespace tertium {

// A word alone; a path from a word down the tree; a fixed or floating structure.
enum class NgramKind : std::int32_t { word, chain, structure };
inline constexpr std::string_view kNgramKindNames[] = {"word", "chain", "structure"};

// Sentence s has the n-grams [offsets[s], offsets[s + 1]); n-gram g has the reference positions
// positions[starts[g], starts[g + 1]): those of a chain from the top word down, those of a structure from
// left to right.
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

// Every n-gram must be a non-empty list of positions within its sentence.
inline void check_ngrams(const DependencyNgrams& ngrams, const Column& sentences) {
  check_offsets(ngrams.starts, ngrams.positions.size());
  check_offsets(ngrams.offsets, ngrams.kinds.size());
  if (ngrams.starts.size() != ngrams.kinds.size() + 1 || ngrams.offsets.size() != sentences.size() + 1)
    throw std::invalid_argument("n-grams of exactly these sentences are needed");
  if (std::ranges::adjacent_find(ngrams.starts) != ngrams.starts.end())
    throw std::invalid_argument("an n-gram lies outside its sentence");
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto begin = static_cast<std::size_t>(ngrams.starts[static_cast<std::size_t>(ngrams.offsets[s])]);
    const auto end = static_cast<std::size_t>(ngrams.starts[static_cast<std::size_t>(ngrams.offsets[s + 1])]);
    check_range(ngrams.positions.subspan(begin, end - begin), 0, sentences[s].size(),
                "an n-gram lies outside its sentence");
  }
}

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
  check_heads(heads);
  OwnedDependencyNgrams found;
  NgramExtractor extractor(order);
  for (std::size_t i = 0; i < heads.size(); ++i) extractor.extract(heads[i], found);
  return found;
}

}  // namespace tertium
