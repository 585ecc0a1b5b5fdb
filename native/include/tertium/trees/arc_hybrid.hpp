// The arc-hybrid transition system, in which a parser reads a sentence from left to right.
//
// Kuhlmann, Gómez-Rodríguez & Satta (2011), Dynamic Programming Algorithms for Transition-Based Dependency
// Parsers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// shift reads the next word; left attaches the top of the stack to the next word; right attaches it to the
// word below it on the stack.
enum class Transition : std::uint8_t { shift, left, right };
inline constexpr std::size_t kTransitions = 3;

// The words that the choice of a transition depends on.
enum StateSlot : std::size_t {
  kTop,
  kBelow,
  kThird,
  kNext,
  kAfterNext,
  kTopLeft,
  kTopRight,
  kBelowRight,
  kNextLeft,
  kBelowLeft,
  kStateSlots
};

// Small numbers that the choice depends on, each with eight values: two distances and four counts of
// children.
inline constexpr std::size_t kStateCounts = 6;
inline constexpr std::size_t kCountValues = 8;

inline constexpr std::int32_t kNobody = -1;

struct StateView {
  std::array<std::int32_t, kStateSlots> words;   // kNobody, a position, or the sentence's length: the root
  std::array<std::size_t, kStateCounts> counts;  // rows in a table of kStateCounts * kCountValues
};

// The state of one sentence. The root comes after the last word, so the sentence is a tree when the stack is
// empty.
class ArcHybridState {
 public:
  void begin(std::size_t n_words) {
    n_words_ = static_cast<std::int32_t>(n_words);
    next_ = 0;
    stack_.clear();
    heads_.assign(n_words, kNobody);
    nodes_.assign(n_words + 1, Node{});
  }

  bool is_done() const { return next_ == n_words_ && stack_.empty(); }
  std::int32_t next() const { return next_; }
  std::span<const std::int32_t> stack() const { return stack_; }
  // The head of every word; -1 for the word attached to the root.
  std::span<const std::int32_t> heads() const { return heads_; }

  // Only the last remaining word may be attached to the root, so a tree has one root.
  std::array<bool, kTransitions> allowed() const {
    const bool has_next = next_ < n_words_;
    return {has_next, !stack_.empty() && (has_next || stack_.size() == 1), stack_.size() >= 2};
  }

  void apply(Transition transition) {
    if (transition == Transition::shift) {
      stack_.push_back(next_++);
      return;
    }
    const std::int32_t child = stack_.back();
    stack_.pop_back();
    const bool goes_left = transition == Transition::left;
    const std::int32_t head = goes_left ? next_ : stack_.back();
    heads_[index(child)] = head == n_words_ ? kNobody : head;
    Node& node = nodes_[index(head)];
    (goes_left ? node.left : node.right) = child;
    ++(goes_left ? node.n_left : node.n_right);
  }

  StateView view() const {
    const std::int32_t top = from_top(0), below = from_top(1);
    const Node over = node(top), under = node(below), next = node(next_);
    const std::int32_t after = next_ < n_words_ ? next_ + 1 : kNobody;
    return {
        {top, below, from_top(2), next_, after, over.left, over.right, under.right, next.left, under.left},
        {distance(top, next_), kCountValues + distance(below, top), 2 * kCountValues + few(over.n_left),
         3 * kCountValues + few(over.n_right), 4 * kCountValues + few(next.n_left),
         5 * kCountValues + few(under.n_right)}};
  }

 private:
  struct Node {
    std::int32_t left = kNobody, right = kNobody;  // the outermost children
    std::int32_t n_left = 0, n_right = 0;
  };

  static std::size_t index(std::int32_t word) { return static_cast<std::size_t>(word); }
  static std::size_t few(std::int32_t count) { return static_cast<std::size_t>(std::min(count, 3)); }
  // The class of a distance: 0 if there is no first word, 1 to 4 unchanged, larger ones grouped.
  static std::size_t distance(std::int32_t first, std::int32_t second) {
    if (first == kNobody) return 0;
    const std::int32_t gap = second - first;
    return gap <= 4 ? index(gap) : gap <= 6 ? 5 : gap <= 10 ? 6 : 7;
  }

  std::int32_t from_top(std::size_t depth) const {
    return depth < stack_.size() ? stack_[stack_.size() - 1 - depth] : kNobody;
  }
  Node node(std::int32_t word) const { return word == kNobody ? Node{} : nodes_[index(word)]; }

  std::int32_t n_words_ = 0, next_ = 0;
  std::vector<std::int32_t> stack_, heads_;
  std::vector<Node> nodes_;
};

}  // namespace tertium
