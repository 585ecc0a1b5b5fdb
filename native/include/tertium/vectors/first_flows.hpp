// The initial solution of the network simplex method: flows along arcs that are cheap compared with the
// others of their source and sink, one after another, until supplies or demands are used up. Nearly O(sources
// x sinks), and it saves two thirds of the pivots. The flows are a forest of arcs, which pivots turn over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/vectors/least_values.hpp"

namespace tertium {

// A forest over numbered nodes, with the flow between every node and its parent, and the difference of their
// potentials: what the network simplex method turns over at each pivot. Hanging a node somewhere else takes
// constant time: children of a node are a doubly linked list. Keeps its memory between problems.
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

// Keeps its memory between problems.
class FirstFlows {
 public:
  // Repeatedly takes the arc between an open source and an open sink whose cost is lowest after the mean
  // costs of the source and of the sink are subtracted: a source or sink that is far from everything can
  // wait, because it pays a high price anyway. The one that is used up becomes a child of the other, which is
  // still open: this gives a forest whose arcs all carry mass.
  void fill(std::span<const double> supplies, std::span<const double> demands, std::span<const double> costs,
            FlowTree& tree) {
    costs_ = costs;
    sources_ = static_cast<Node>(supplies.size());
    left_.assign(demands.begin(), demands.end());
    n_open_ = demands.size();
    prices_.clear();
    offers_.clear();
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) return trade_wide(supplies, tree);
#endif
    trade<least::Search>(supplies, tree);
  }

  // Fills demands in their order from supplies in their order (the northwest corner rule). For costs that
  // rise with the distance of positions, as those of equal words do, this is the optimum (Hoffman 1963),
  // while the cheapest arcs leave a number of pivots that grows with the square of the size. Returns the
  // cost; without a tree, nothing else.
  double fill_in_order(std::span<const double> supplies, std::span<const double> demands,
                       std::span<const double> costs, FlowTree* tree) {
    const auto sources = static_cast<Node>(supplies.size());
    double cost = 0, supply = 0, demand = 0;
    std::size_t i = 0, j = 0;
    bool fresh_source = true, fresh_sink = true;
    while (i < supplies.size() && j < demands.size()) {
      if (std::exchange(fresh_source, false)) supply = supplies[i];
      if (std::exchange(fresh_sink, false)) demand = demands[j];
      const double mass = std::min(supply, demand);
      const bool ends_source = supply < demand;
      const Node source = static_cast<Node>(i), sink = sources + static_cast<Node>(j);
      if (mass > 0) {
        const double price = costs[i * demands.size() + j];
        cost += mass * price;
        if (tree != nullptr && ends_source) tree->hang(source, sink, mass, -price);
        if (tree != nullptr && !ends_source) tree->hang(sink, source, mass, price);
      }
      supply -= mass;
      demand -= mass;
      if (!(supply > 0)) fresh_source = true, ++i;
      if (!ends_source) fresh_sink = true, ++j;
    }
    return cost;
  }

 private:
  using Node = FlowTree::Node;
  // Subtracted from the costs of a sink that is filled: then no source finds it.
  static constexpr double kClosed = -std::numeric_limits<double>::infinity();
  // The remaining supply of a source, its mean cost, and its best open sink when it was last computed.
  struct Offer {
    Node source, sink;
    double supply, mean;
  };

#if TERTIUM_HAS_AVX2
  // The same code, compiled for wider registers.
  TERTIUM_AVX2 void trade_wide(std::span<const double> supplies, FlowTree& tree) {
    trade<least::WideSearch>(supplies, tree);
  }
#endif
  template <typename Search>
  TERTIUM_INLINE void trade(std::span<const double> supplies, FlowTree& tree) {
    average_costs(supplies.size());
    for (std::size_t i = 0; i < supplies.size() && n_open_ > 0; ++i) {
      if (!(supplies[i] > 0)) continue;
      offers_.push_back({static_cast<Node>(i), 0, supplies[i], row_means_[i]});
      prices_.push_back(0);
      renew<Search>(offers_.size() - 1);
    }
    while (!offers_.empty() && n_open_ > 0) {
      interrupt_check_.tick(offers_.size());
      take_offer<Search>(Search::find(prices_.data(), prices_.size()), tree);
    }
  }
  // The sums are added in the same four lanes on every processor.
  TERTIUM_INLINE void average_costs(std::size_t sources) {
    using simd::Double4;
    const std::size_t sinks = left_.size();
    row_means_.resize(sources);
    column_means_.assign(sinks, 0.0);
    for (std::size_t i = 0; i < sources; ++i) {
      const double* costs = row(i);
      Double4 sums{};
      std::size_t j = 0;
      for (; j + Double4::kLanes <= sinks; j += Double4::kLanes) {
        const auto four = Double4::load(costs + j);
        sums += four;
        (Double4::load(&column_means_[j]) + four).store(&column_means_[j]);
      }
      double rest = 0;
      for (; j < sinks; ++j) {
        rest += costs[j];
        column_means_[j] += costs[j];
      }
      row_means_[i] = (sums[0] + sums[1] + sums[2] + sums[3] + rest) / static_cast<double>(sinks);
    }
    for (double& mean : column_means_) mean /= static_cast<double>(sources);
  }

  // Asks the source of an offer for its best sink that is still open.
  template <typename Search>
  TERTIUM_INLINE void renew(std::size_t place) {
    interrupt_check_.tick(left_.size());
    Offer& offer = offers_[place];
    const double* costs = row(static_cast<std::size_t>(offer.source));
    const std::size_t sink = Search::find(costs, column_means_.data(), left_.size());
    offer.sink = static_cast<Node>(sink);
    prices_[place] = costs[sink] - column_means_[sink] - offer.mean;
  }
  const double* row(std::size_t source) const { return costs_.data() + source * left_.size(); }

  // Takes an offer, or renews it if its sink was filled meanwhile, which can only make it more expensive.
  template <typename Search>
  TERTIUM_INLINE void take_offer(std::size_t place, FlowTree& tree) {
    Offer& best = offers_[place];
    double& left = left_[static_cast<std::size_t>(best.sink)];
    double& mean = column_means_[static_cast<std::size_t>(best.sink)];
    const double cost = row(static_cast<std::size_t>(best.source))[best.sink];
    if (mean == kClosed) {
      renew<Search>(place);
    } else if (best.supply < left) {
      tree.hang(best.source, sources_ + best.sink, best.supply, -cost);
      left -= best.supply;
      close(place);
    } else {
      if (left > 0) tree.hang(sources_ + best.sink, best.source, left, cost);
      best.supply -= left;
      mean = kClosed;
      --n_open_;
      if (best.supply <= 0) close(place);
    }
  }
  void close(std::size_t place) {
    offers_[place] = offers_.back();
    prices_[place] = prices_.back();
    offers_.pop_back();
    prices_.pop_back();
  }

  InterruptCheck interrupt_check_;
  Node sources_ = 0;
  std::span<const double> costs_;
  std::size_t n_open_ = 0;            // sinks
  std::vector<double> left_;          // of each demand
  std::vector<double> row_means_;     // of the costs of each source
  std::vector<double> column_means_;  // of the costs of each sink, or kClosed
  std::vector<Offer> offers_;         // of open sources
  std::vector<double> prices_;        // of the offers: costs without means
};

}  // namespace tertium
