// The exact transportation problem on dense costs, by the network simplex method with strongly
// feasible trees (Cunningham 1976; Kiraly & Kovacs 2012 compare its variants). A pivot costs O(sources +
// sinks), and some two per node are needed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tertium {

// Keeps its memory between problems; one per thread.
//
// The basis is a tree over sources [0, m) and sinks [m, m + n). Potentials p make the reduced cost
// c[i][j] + p[i] - p[m + j] zero on the tree; the flow is cheapest when no other arc's is below zero.
// A tree arc without flow always points to the root, so pivots cannot cycle.
class Transport {
 public:
  // Moves the supplies onto the demands, whose sums are equal up to rounding; costs has a row per
  // supply. Returns the least total cost; flow(i, j) tells how.
  double solve(std::span<const double> supplies, std::span<const double> demands,
               std::span<const double> costs) {
    load(supplies, demands, costs);
    fill_greedily(supplies, demands);
    join_trees();
    next_row_ = 0;
    for (Arc arc; find_entering(arc);) pivot(arc);
    return total();
  }

  double flow(std::size_t i, std::size_t j) const {
    const auto source = static_cast<Node>(i);
    const Node sink = sources_ + static_cast<Node>(j);
    const auto& upper = at(parent_, source) == sink ? source : sink;
    const auto& lower = upper == source ? sink : source;
    return at(parent_, upper) == lower ? at(flow_, upper) : 0.0;
  }

 private:
  using Node = std::int32_t;
  static constexpr Node kNone = -1;
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  struct Arc {
    Node source = kNone;
    Node sink = kNone;
    double reduced = 0;
  };
  // A reduced cost this small beside the largest cost is rounding.
  static constexpr double kRounding = 1e-13;
  // Rows are searched until this many arcs were seen; the best of them enters.
  static constexpr std::size_t kArcsPerSearch = 64;

  template <typename T>
  static T& at(std::vector<T>& values, Node node) {
    return values[static_cast<std::size_t>(node)];
  }
  template <typename T>
  static const T& at(const std::vector<T>& values, Node node) {
    return values[static_cast<std::size_t>(node)];
  }
  Node nodes() const { return sources_ + sinks_; }
  bool is_source(Node node) const { return node < sources_; }
  const double* row(Node source) const {
    return costs_.data() + static_cast<std::size_t>(source) * static_cast<std::size_t>(sinks_);
  }
  double cost(Node source, Node sink) const { return row(source)[sink - sources_]; }

  void load(std::span<const double> supplies, std::span<const double> demands,
            std::span<const double> costs) {
    sources_ = static_cast<Node>(supplies.size());
    sinks_ = static_cast<Node>(demands.size());
    costs_ = costs;
    double largest = 0;
    for (const double c : costs) largest = std::max(largest, std::abs(c));
    tolerance_ = kRounding * largest;
    const std::size_t size = supplies.size() + demands.size();
    parent_.assign(size, kNone);
    flow_.assign(size, 0.0);
    first_child_.assign(size, kNone);
    next_.assign(size, kNone);
    previous_.assign(size, kNone);
    depth_.assign(size, 0);
    potential_.assign(size, 0.0);
  }

  // Each source fills its nearest open sinks. Whoever is used up first hangs below the other, which
  // is still open: that makes a forest whose arcs all carry mass.
  void fill_greedily(std::span<const double> supplies, std::span<const double> demands) {
    open_.resize(demands.size());
    for (std::size_t j = 0; j < open_.size(); ++j) open_[j] = static_cast<Node>(j);
    left_.assign(demands.begin(), demands.end());
    for (Node source = 0; source < sources_; ++source) {
      double supply = supplies[static_cast<std::size_t>(source)];
      while (supply > 0 && !open_.empty()) {
        const std::size_t place = nearest_open(row(source));
        const Node sink = open_[place];
        double& demand = at(left_, sink);
        if (supply < demand) {
          hang(source, sources_ + sink, supply);
          demand -= supply;
          break;
        }
        if (demand > 0) hang(sources_ + sink, source, demand);
        supply -= demand;
        open_[place] = open_.back();
        open_.pop_back();
      }
    }
  }
  std::size_t nearest_open(const double* costs) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < open_.size(); ++k)
      if (costs[open_[k]] < costs[open_[best]]) best = k;
    return best;
  }

  void hang(Node node, Node parent, double flow) {
    at(parent_, node) = parent;
    at(flow_, node) = flow;
    const Node sibling = at(first_child_, parent);
    at(next_, node) = sibling;
    at(previous_, node) = kNone;
    if (sibling != kNone) at(previous_, sibling) = node;
    at(first_child_, parent) = node;
  }
  void unhang(Node node) {
    const Node next = at(next_, node);
    const Node previous = at(previous_, node);
    if (next != kNone) at(previous_, next) = previous;
    if (previous != kNone)
      at(next_, previous) = next;
    else
      at(first_child_, at(parent_, node)) = next;
  }

  // Hangs every tree but one below a sink of that one, by a source and without flow. A node without
  // any mass to move stays outside, out of reach of every arc.
  void join_trees() {
    Node top = kNone;
    for (Node node = nodes() - 1; node >= 0 && top == kNone; --node)  // a sink that is still open, if any
      if (is_top(node)) top = node;
    if (top == kNone) return;
    const Node sink = is_source(top) ? at(first_child_, top) : top;
    for (Node node = 0; node < nodes(); ++node) {
      if (at(parent_, node) != kNone || node == top) continue;
      if (!is_top(node))
        at(potential_, node) = is_source(node) ? kFar : -kFar;
      else
        hang(is_source(node) ? node : turn_over(node), sink, 0.0);
    }
    renew(top);
  }
  bool is_top(Node node) const { return at(parent_, node) == kNone && at(first_child_, node) != kNone; }
  Node turn_over(Node sink) {
    const Node source = at(first_child_, sink);
    unhang(source);
    at(parent_, source) = kNone;
    hang(sink, source, at(flow_, source));
    return source;
  }

  // Gives every node of the subtree its depth and potential, from its parent's.
  void renew(Node top) {
    if (at(parent_, top) != kNone) renew_one(top);
    for (Node node = top;;) {
      if (const Node child = at(first_child_, node); child != kNone) {
        node = child;
      } else {
        while (node != top && at(next_, node) == kNone) node = at(parent_, node);
        if (node == top) return;
        node = at(next_, node);
      }
      renew_one(node);
    }
  }
  void renew_one(Node node) {
    const Node parent = at(parent_, node);
    at(depth_, node) = at(depth_, parent) + 1;
    at(potential_, node) =
        at(potential_, parent) + (is_source(node) ? -cost(node, parent) : cost(parent, node));
  }

  // The arc of lowest reduced cost among the next rows that have one below zero.
  bool find_entering(Arc& arc) {
    std::size_t seen = 0;
    arc.reduced = -tolerance_;
    bool found = false;
    for (Node tried = 0; tried < sources_; ++tried) {
      const Node source = next_row_;
      next_row_ = source + 1 == sources_ ? 0 : source + 1;
      found |= search_row(source, arc);
      seen += static_cast<std::size_t>(sinks_);
      if (found && seen >= kArcsPerSearch) return true;
    }
    return found;
  }
  bool search_row(Node source, Arc& arc) const {
    const double* costs = row(source);
    const double* potentials = potential_.data() + sources_;
    double least = kFar;
    for (Node j = 0; j < sinks_; ++j) {
      const double reduced = costs[j] - potentials[j];
      least = reduced < least ? reduced : least;
    }
    if (least + at(potential_, source) >= arc.reduced) return false;
    Node j = 0;
    while (costs[j] - potentials[j] != least) ++j;
    arc = {source, sources_ + j, least + at(potential_, source)};
    return true;
  }

  // Sends as much as possible around the cycle that the arc closes, and drops the arc that blocks.
  void pivot(const Arc& arc) {
    const Node apex = meet(arc.source, arc.sink);
    double mass = kFar;
    Node leaving = kNone;
    for (Node node = arc.source; node != apex; node = at(parent_, node))
      if (is_source(node) && at(flow_, node) < mass) {
        mass = at(flow_, node);
        leaving = node;
      }
    bool on_sink_side = false;
    for (Node node = arc.sink; node != apex; node = at(parent_, node))
      if (!is_source(node) &&
          at(flow_, node) <= mass) {  // of equals the last: the tree stays strongly feasible
        mass = at(flow_, node);
        leaving = node;
        on_sink_side = true;
      }
    for (Node node = arc.source; node != apex; node = at(parent_, node))
      at(flow_, node) += is_source(node) ? -mass : mass;
    for (Node node = arc.sink; node != apex; node = at(parent_, node))
      at(flow_, node) += is_source(node) ? mass : -mass;
    if (on_sink_side)
      rehang(arc.sink, arc.source, mass, leaving);
    else
      rehang(arc.source, arc.sink, mass, leaving);
  }
  Node meet(Node a, Node b) const {
    while (a != b) {
      if (at(depth_, a) >= at(depth_, b))
        a = at(parent_, a);
      else
        b = at(parent_, b);
    }
    return a;
  }

  // Cuts the subtree of `leaving` off and hangs it below `parent` by its node `top`.
  void rehang(Node top, Node parent, double flow, Node leaving) {
    for (Node node = top;;) {
      const Node old_parent = at(parent_, node);
      const double old_flow = at(flow_, node);
      unhang(node);
      hang(node, parent, flow);
      if (node == leaving) break;
      parent = node;
      flow = old_flow;
      node = old_parent;
    }
    renew(top);
  }

  double total() const {
    double sum = 0;
    for (Node node = 0; node < nodes(); ++node) {
      const Node parent = at(parent_, node);
      if (parent != kNone)
        sum += at(flow_, node) * (is_source(node) ? cost(node, parent) : cost(parent, node));
    }
    return sum;
  }

  Node sources_ = 0;
  Node sinks_ = 0;
  Node next_row_ = 0;
  double tolerance_ = 0;
  std::span<const double> costs_;
  // Per node: the tree, and the flow between a node and its parent.
  std::vector<Node> parent_, first_child_, next_, previous_, depth_;
  std::vector<double> flow_, potential_;
  std::vector<Node> open_;
  std::vector<double> left_;
};

}  // namespace tertium
