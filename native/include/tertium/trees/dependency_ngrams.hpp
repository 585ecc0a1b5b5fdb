// Dependency n-grams as flat arrays: groups of words that are connected in a tree (Yu et al. 2014, RED).
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

}  // namespace tertium
