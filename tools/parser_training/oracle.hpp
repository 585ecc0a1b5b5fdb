// What each transition costs: how many arcs of the right tree it puts out of reach.
//
// Goldberg & Nivre (2013), Training Deterministic Parsers with Non-Deterministic Oracles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/trees/arc_hybrid.hpp"

namespace tertium::training {

class Oracle {
 public:
  // Heads are positions, -1 for the word under the root, which stands behind the last word.
  explicit Oracle(std::span<const std::int32_t> heads)
      : n_words_(static_cast<std::int32_t>(heads.size())), children_(heads.size() + 1) {
    for (std::int32_t word = 0; word < n_words_; ++word) {
      const std::int32_t head = heads[static_cast<std::size_t>(word)];
      heads_.push_back(head < 0 ? n_words_ : head);
      children_[static_cast<std::size_t>(heads_.back())].push_back(word);
    }
  }

  std::array<std::int32_t, kTransitions> costs(const ArcHybridState& state) const {
    std::array<std::int32_t, kTransitions> costs{};
    const auto stack = state.stack();
    const std::int32_t next = state.next();
    if (next < n_words_) {  // shift: the next word loses its head and its children on the stack, but not the
                            // top as head
      const std::int32_t head = head_of(next);
      for (std::size_t i = 0; i < stack.size(); ++i)
        costs[0] += (stack[i] == head && i + 1 < stack.size()) || head_of(stack[i]) == next;
    }
    if (stack.empty()) return costs;
    const std::int32_t top = stack.back(), head = head_of(top);
    const bool is_below = stack.size() > 1 && head == stack[stack.size() - 2];
    for (const std::int32_t child :
         children_[static_cast<std::size_t>(top)]) {  // the top word leaves without these
      costs[1] += child >= next;
      costs[2] += child >= next;
    }
    costs[1] += head > next || is_below;
    costs[2] += head >= next;
    return costs;
  }

 private:
  std::int32_t head_of(std::int32_t word) const { return heads_[static_cast<std::size_t>(word)]; }

  std::int32_t n_words_;
  std::vector<std::int32_t> heads_;
  std::vector<std::vector<std::int32_t>> children_;
};

}  // namespace tertium::training
