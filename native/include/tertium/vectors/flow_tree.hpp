// A forest over numbered nodes, with the flow between every node and its parent: what the network simplex
// method turns over at each pivot. Every node knows the set of nodes below it, a bit for each, so that a
// branch is hung somewhere else without a walk through it: O(way to the top x nodes / 64).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// Keeps its memory between problems.
class FlowTree {
 public:
  using Node = std::int32_t;
  static constexpr Node kNone = -1;

  // Every node alone.
  void reset(std::size_t nodes) {
    links_.assign(nodes, Link{});
    words_ = (nodes + 63) / 64;
    below_.assign(nodes * words_, 0);
    branch_.resize(words_);
    inner_.resize(words_);
    for (std::size_t node = 0; node < nodes; ++node)
      below_[node * words_ + node / 64] = std::uint64_t{1} << (node % 64);
  }

  Node parent(Node node) const { return at(node).parent; }
  Node last_child(Node node) const { return at(node).last_child; }  // of those that were hung there
  double flow(Node node) const { return at(node).flow; }
  void add_flow(Node node, double mass) { at(node).flow += mass; }
  // Whether it has children and no parent.
  bool is_top(Node node) const { return parent(node) == kNone && last_child(node) != kNone; }
  // Whether `other` is the node itself or below it.
  bool holds(Node node, Node other) const {
    const auto bit = static_cast<std::size_t>(other);
    return (below(node)[bit / 64] >> (bit % 64) & 1) != 0;
  }

  // Hangs a top, with all that is below it.
  void hang(Node top, Node parent, double flow) {
    at(top).parent = parent;
    at(top).flow = flow;
    at(parent).last_child = top;
    for (Node node = parent; node != kNone; node = at(node).parent)
      for (std::size_t w = 0; w < words_; ++w) below(node)[w] |= below(top)[w];
  }
  // Exchanges a top and its last child, which becomes the top in its place.
  Node turn_over(Node top) {
    const Node child = last_child(top);
    for (std::size_t w = 0; w < words_; ++w) below(top)[w] &= ~below(child)[w];
    at(child).parent = kNone;
    hang(top, child, flow(child));
    return child;
  }
  // Cuts the branch of `leaving` off and hangs it below `parent` by its node `top`; `apex` was above both.
  void rehang(Node top, Node parent, double flow, Node leaving, Node apex) {
    std::copy_n(below(leaving), words_, branch_.begin());
    for (Node node = at(leaving).parent; node != apex; node = at(node).parent)
      for (std::size_t w = 0; w < words_; ++w) below(node)[w] &= ~branch_[w];
    for (Node node = parent; node != apex; node = at(node).parent)
      for (std::size_t w = 0; w < words_; ++w) below(node)[w] |= branch_[w];
    turn_branch(top, parent, flow, leaving);
  }
  // Calls `visit` on every node of the branch that was hung last.
  template <typename Visit>
  void visit_branch(const Visit& visit) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = branch_[w]; rest != 0; rest &= rest - 1)
        visit(static_cast<Node>(64 * w + static_cast<std::size_t>(std::countr_zero(rest))));
  }

 private:
  struct Link {
    Node parent = kNone;
    Node last_child = kNone;
    double flow = 0;
  };
  Link& at(Node node) { return links_[static_cast<std::size_t>(node)]; }
  const Link& at(Node node) const { return links_[static_cast<std::size_t>(node)]; }
  std::uint64_t* below(Node node) { return below_.data() + static_cast<std::size_t>(node) * words_; }
  const std::uint64_t* below(Node node) const {
    return below_.data() + static_cast<std::size_t>(node) * words_;
  }

  // On the way from `top` to `leaving`, every node becomes its child's child: it keeps what it held of the
  // branch but for what that child held.
  void turn_branch(Node top, Node parent, double flow, Node leaving) {
    std::fill(inner_.begin(), inner_.end(), 0);
    for (Node node = top;;) {
      const Link old = at(node);
      at(node).parent = parent;
      at(node).flow = flow;
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t held = below(node)[w];
        below(node)[w] = branch_[w] & ~inner_[w];
        inner_[w] = held;
      }
      if (node == leaving) return;
      parent = node;
      flow = old.flow;
      node = old.parent;
    }
  }

  std::size_t words_ = 0;  // of a set
  std::vector<Link> links_;
  std::vector<std::uint64_t> below_;           // a set per node
  std::vector<std::uint64_t> branch_, inner_;  // the branch that is hung, and what a node of it held before
};

}  // namespace tertium
