// The CDER distance (Leusch, Ueffing & Ney 2006, "CDER: Efficient MT Evaluation Using Block Movements"):
// Levenshtein's edits, and jumps of cost 1 to any position of the hypothesis after each word of the
// reference. Every word of the reference is covered once; words of the hypothesis may be covered several
// times or never. O(|h| x |r|).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"

namespace tertium {

// Keeps its row between calls; one per thread.
class CoverDistance {
 public:
  std::size_t distance(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    // row_[i]: cost of covering the reference so far, when the next word of the hypothesis is i
    row_.assign(hypothesis.size() + 1, 1);
    row_[0] = 0;
    for (const std::int32_t word : reference) {
      interrupts_.tick(row_.size() / 8 + 1);
      cover(hypothesis, word);
    }
    return row_.back();
  }

 private:
  void cover(std::span<const std::int32_t> hypothesis, std::int32_t word) {
    std::uint32_t diagonal = row_[0];
    std::uint32_t least = ++row_[0];
    for (std::size_t i = 1; i < row_.size(); ++i) {
      const std::uint32_t step = diagonal + (hypothesis[i - 1] != word);
      diagonal = row_[i];
      row_[i] = std::min({step, row_[i] + 1, row_[i - 1] + 1});
      least = std::min(least, row_[i]);
    }
    for (auto& cost : row_) cost = std::min(cost, least + 1);
  }

  InterruptCheck interrupts_;
  std::vector<std::uint32_t> row_;
};

}  // namespace tertium
