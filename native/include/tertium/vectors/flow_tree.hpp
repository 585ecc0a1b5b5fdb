// A forest over numbered nodes, with the flow between every node and its parent, and the difference of their
// potentials: what the network simplex method turns over at each pivot. Hanging a node somewhere else takes
// constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// Children of a node are a doubly linked list. Keeps its memory between problems.
class FlowTree {
 public:
  using Node = std::int32_t;
  static constexpr Node kNone = -1;

  // Every node alone.
  void reset(std::size_t nodes) { links_.assign(nodes, Link{}); }

  Node parent(Node node) const { return at(node).parent; }
  Node first_child(Node node) const { return at(node).first_child; }
  Node next(Node node) const { return at(node).next; }  // the next sibling
  double flow(Node node) const { return at(node).flow; }
  double rise(Node node) const { return at(node).rise; }  // its potential minus its parent's
  void add_flow(Node node, double mass) { at(node).flow += mass; }
  // Whether it has children and no parent.
  bool is_top(Node node) const { return parent(node) == kNone && first_child(node) != kNone; }

  void hang(Node node, Node parent, double flow, double rise) {
    const Node sibling = first_child(parent);
    at(node).parent = parent;
    at(node).flow = flow;
    at(node).rise = rise;
    at(node).next = sibling;
    at(node).previous = kNone;
    if (sibling != kNone) at(sibling).previous = node;
    at(parent).first_child = node;
  }
  // Takes the node off its parent's list; it must be hung again.
  void unhang(Node node) {
    const Node next = at(node).next;
    const Node previous = at(node).previous;
    if (next != kNone) at(next).previous = previous;
    if (previous != kNone)
      at(previous).next = next;
    else
      at(parent(node)).first_child = next;
  }
  // Exchanges a top and its first child, which becomes the top in its place.
  Node turn_over(Node top) {
    const Node child = first_child(top);
    unhang(child);
    at(child).parent = kNone;
    hang(top, child, flow(child), -rise(child));
    return child;
  }

 private:
  struct Link {
    Node parent = kNone;
    Node first_child = kNone;
    Node next = kNone;
    Node previous = kNone;
    double flow = 0;
    double rise = 0;
  };
  Link& at(Node node) { return links_[static_cast<std::size_t>(node)]; }
  const Link& at(Node node) const { return links_[static_cast<std::size_t>(node)]; }

  std::vector<Link> links_;
};

}  // namespace tertium
