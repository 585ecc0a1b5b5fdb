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
#include <stdexcept>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/vectors/first_flows.hpp"
#include "tertium/vectors/least_values.hpp"

namespace tertium {

// Keeps its memory between problems; one per thread.
//
// The basis is a tree over sources [0, m) and sinks [m, m + n). Potentials p make the reduced cost
// c[i][j] + p[i] - p[m + j] zero on the tree; the flow is cheapest when no other arc's is below zero.
// A tree arc without flow always points to the root, so pivots cannot cycle.
class Transport {
 public:
  // Moves the supplies to the demands, whose sums are equal up to rounding; costs has a row per supply.
  // Returns the minimum total cost; flow(i, j) gives the mass moved from i to j.
  double solve(std::span<const double> supplies, std::span<const double> demands,
               std::span<const double> costs) {
    load(supplies, demands, costs);
    begin_flows(supplies, demands);
    join_trees();
    next_row_ = 0;
    for (Arc arc; find_entering(arc);) {
      interrupt_check_.tick(kArcsPerSearch + supplies.size() + demands.size());
      pivot(arc);
    }
    return total();
  }

  double flow(std::size_t i, std::size_t j) const {
    const auto source = static_cast<Node>(i);
    const Node sink = sources_ + static_cast<Node>(j);
    const auto& upper = tree_.parent(source) == sink ? source : sink;
    const auto& lower = upper == source ? sink : source;
    return tree_.parent(upper) == lower ? tree_.flow(upper) : 0.0;
  }

 private:
  using Node = FlowTree::Node;
  static constexpr Node kNone = FlowTree::kNone;
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  struct Arc {
    Node source = kNone;
    Node sink = kNone;
    double reduced = 0;
  };
  // Reduced costs below this fraction of the largest cost are rounding errors.
  static constexpr double kRounding = 1e-13;
  // Rows are searched until this many arcs were seen; the best of them enters. More arcs per search mean
  // fewer pivots that each take longer.
  static constexpr std::size_t kArcsPerSearch = 64;
  // Nodes from which on a second initial solution is tried: in smaller problems all pivots take less time.
  static constexpr std::size_t kLarge = 256;

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
    // With NaN or infinite costs the search would leave its tables or cycle forever.
    const double largest = check_finite(costs, "costs must be finite and at most 1e300");
    check_finite(supplies, "supplies must be finite and at most 1e300");
    check_finite(demands, "demands must be finite and at most 1e300");
    tolerance_ = kRounding * largest;
    const std::size_t size = supplies.size() + demands.size();
    tree_.reset(size);
    depth_.assign(size, 0);
    potential_.assign(size, 0.0);
  }

  // Finds an initial solution, in large problems the better one of two.
  void begin_flows(std::span<const double> supplies, std::span<const double> demands) {
    if (!takes_shortcuts()) {
      arcs_per_search_ = SIZE_MAX;
      start_.fill_in_order(supplies, demands, costs_, &tree_);
      return;
    }
    arcs_per_search_ = kArcsPerSearch;
    start_.fill(supplies, demands, costs_, tree_);
    if (supplies.size() + demands.size() >= kLarge &&
        start_.fill_in_order(supplies, demands, costs_, nullptr) < total()) {
      tree_.reset(supplies.size() + demands.size());
      start_.fill_in_order(supplies, demands, costs_, &tree_);
    }
  }

  // Attaches every tree but one to a sink of that one, through a source and without flow. A node without any
  // mass to move stays separate, and no arc can reach it.
  void join_trees() {
    Node top = kNone;
    for (Node node = nodes() - 1; node >= 0 && top == kNone; --node)  // a sink that is still open, if any
      if (tree_.is_top(node)) top = node;
    if (top == kNone) return;
    const Node sink = is_source(top) ? tree_.first_child(top) : top;
    for (Node node = 0; node < nodes(); ++node) {
      if (tree_.parent(node) != kNone || node == top) continue;
      if (!tree_.is_top(node)) {
        at(potential_, node) = is_source(node) ? kFar : -kFar;
      } else {
        const Node source = is_source(node) ? node : tree_.turn_over(node);
        tree_.hang(source, sink, 0.0, -cost(source, sink));
      }
    }
    renew(top);
  }
  // Computes the depth and potential of every node of the subtree from those of its parent.
  void renew(Node top) {
    if (tree_.parent(top) != kNone) renew_one(top);
    for (Node node = top;;) {
      if (const Node child = tree_.first_child(node); child != kNone) {
        node = child;
      } else {
        while (node != top && tree_.next(node) == kNone) node = tree_.parent(node);
        if (node == top) return;
        node = tree_.next(node);
      }
      renew_one(node);
    }
  }
  void renew_one(Node node) {
    const Node parent = tree_.parent(node);
    at(depth_, node) = at(depth_, parent) + 1;
    at(potential_, node) = at(potential_, parent) + tree_.rise(node);
  }

  bool find_entering(Arc& arc) {
#if TERTIUM_HAS_AVX2
    if (sinks_ >= static_cast<Node>(least::kLanes) && simd::use_avx2()) return find_entering_wide(arc);
#endif
    return find_entering_with<least::Differences>(arc);
  }
#if TERTIUM_HAS_AVX2
  // The same code, compiled for wider registers.
  TERTIUM_AVX2 bool find_entering_wide(Arc& arc) { return find_entering_with<least::WideDifferences>(arc); }
#endif
  // The arc of lowest reduced cost among the next rows that have one below zero.
  template <typename Differences>
  TERTIUM_INLINE bool find_entering_with(Arc& arc) {
    const auto sinks = static_cast<std::size_t>(sinks_);
    const double* potentials = potential_.data() + sources_;
    arc.reduced = -tolerance_;
    std::size_t seen = 0;
    bool found = false;
    for (Node tried = 0; tried < sources_; ++tried) {
      const Node source = next_row_;
      next_row_ = source + 1 == sources_ ? 0 : source + 1;
      const Differences differences{row(source), potentials};
      const double least = least::find_value(differences, sinks);
      if (const double reduced = least + at(potential_, source); reduced < arc.reduced) {
        found = true;
        arc = {source, sources_ + static_cast<Node>(least::find_place(differences, sinks, least)), reduced};
      }
      seen += sinks;
      if (found && seen >= arcs_per_search_) return true;
    }
    return found;
  }

  // Sends as much as possible around the cycle that the arc closes, and drops the arc that blocks.
  void pivot(const Arc& arc) {
    const Node apex = meet(arc.source, arc.sink);
    double mass = kFar;
    Node leaving = kNone;
    for (Node node = arc.source; node != apex; node = tree_.parent(node))
      if (is_source(node) && tree_.flow(node) < mass) {
        mass = tree_.flow(node);
        leaving = node;
      }
    bool on_sink_side = false;
    for (Node node = arc.sink; node != apex; node = tree_.parent(node))
      if (!is_source(node) &&
          tree_.flow(node) <= mass) {  // the last of equals keeps the tree strongly feasible
        mass = tree_.flow(node);
        leaving = node;
        on_sink_side = true;
      }
    for (Node node = arc.source; node != apex; node = tree_.parent(node))
      tree_.add_flow(node, is_source(node) ? -mass : mass);
    for (Node node = arc.sink; node != apex; node = tree_.parent(node))
      tree_.add_flow(node, is_source(node) ? mass : -mass);
    const double price = cost(arc.source, arc.sink);
    if (on_sink_side)
      rehang(arc.sink, arc.source, mass, price, leaving);
    else
      rehang(arc.source, arc.sink, mass, -price, leaving);
  }
  Node meet(Node a, Node b) const {
    while (a != b) {
      if (at(depth_, a) >= at(depth_, b))
        a = tree_.parent(a);
      else
        b = tree_.parent(b);
    }
    return a;
  }

  // Cuts off the subtree of `leaving` and attaches it to `parent` by its node `top`.
  void rehang(Node top, Node parent, double flow, double rise, Node leaving) {
    for (Node node = top;;) {
      const Node old_parent = tree_.parent(node);
      const double old_flow = tree_.flow(node), old_rise = tree_.rise(node);
      tree_.unhang(node);
      tree_.hang(node, parent, flow, rise);
      if (node == leaving) break;
      parent = node;
      flow = old_flow;
      rise = -old_rise;
      node = old_parent;
    }
    renew(top);
  }

  double total() const {
    double sum = 0;
    for (Node node = 0; node < nodes(); ++node) {
      const Node parent = tree_.parent(node);
      if (parent != kNone)
        sum += tree_.flow(node) * (is_source(node) ? cost(node, parent) : cost(parent, node));
    }
    return sum;
  }

  InterruptCheck interrupt_check_;
  Node sources_ = 0;
  Node sinks_ = 0;
  Node next_row_ = 0;
  std::size_t arcs_per_search_ = kArcsPerSearch;
  double tolerance_ = 0;
  std::span<const double> costs_;
  FlowTree tree_;
  FirstFlows start_;
  std::vector<Node> depth_;  // per node, and so are the potentials
  std::vector<double> potential_;
};

// Many transportation problems at once, in flat arrays: for problems of 10 to 100 nodes, a call from Python
// takes longer than the solution. Problem i has supplies[supply_offsets[i], supply_offsets[i + 1]), and so
// on.
struct TransportBatch {
  std::span<const double> supplies;
  std::span<const std::int64_t> supply_offsets;
  std::span<const double> demands;
  std::span<const std::int64_t> demand_offsets;
  std::span<const double> costs;
  std::span<const std::int64_t> cost_offsets;

  std::size_t size() const { return supply_offsets.size() - 1; }
  template <typename T>
  static std::span<T> part(std::span<T> values, std::span<const std::int64_t> offsets, std::size_t i) {
    const auto begin = static_cast<std::size_t>(offsets[i]);
    return values.subspan(begin, static_cast<std::size_t>(offsets[i + 1]) - begin);
  }
  void check() const {
    check_offsets(supply_offsets, supplies.size());
    check_offsets(demand_offsets, demands.size());
    check_offsets(cost_offsets, costs.size());
    if (!fits()) throw std::invalid_argument("costs must have a row per supply and a column per demand");
  }

 private:
  bool fits() const {
    if (demand_offsets.size() != supply_offsets.size() || cost_offsets.size() != supply_offsets.size())
      return false;
    for (std::size_t i = 0; i < size(); ++i)
      if (part(costs, cost_offsets, i).size() !=
          part(supplies, supply_offsets, i).size() * part(demands, demand_offsets, i).size())
        return false;
    return true;
  }
};

// Fills the minimum cost of each problem and its flow, in the layout of the costs.
inline void solve_transport_batch(const TransportBatch& batch, std::size_t threads, std::span<double> totals,
                                  std::span<double> flows) {
  parallel_for(batch.size(), threads, [&] {
    return [&, transport = Transport()](std::size_t i) mutable {
      const auto supplies = batch.part(batch.supplies, batch.supply_offsets, i);
      const auto demands = batch.part(batch.demands, batch.demand_offsets, i);
      const auto flow = batch.part(flows, batch.cost_offsets, i);
      totals[i] = transport.solve(supplies, demands, batch.part(batch.costs, batch.cost_offsets, i));
      for (std::size_t s = 0; s < supplies.size(); ++s)
        for (std::size_t d = 0; d < demands.size(); ++d) flow[s * demands.size() + d] = transport.flow(s, d);
    };
  });
}

}  // namespace tertium
