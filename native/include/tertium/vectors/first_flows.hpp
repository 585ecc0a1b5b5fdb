// Where the network simplex method begins: flows along the cheapest arcs, one after another, until supplies
// or demands are used up. Nearly O(sources x sinks), and half of the pivots are saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/vectors/flow_tree.hpp"

namespace tertium {

// Keeps its memory between problems.
class FirstFlows {
 public:
  // Again and again, the cheapest arc between a source and a sink that are both open. Whoever is used up
  // hangs below the other, which is still open: that makes a forest whose arcs all carry mass.
  void fill(std::span<const double> supplies, std::span<const double> demands, std::span<const double> costs,
            FlowTree& tree) {
    costs_ = costs;
    sources_ = static_cast<Node>(supplies.size());
    left_.assign(demands.begin(), demands.end());
    is_open_.assign(demands.size(), 1);
    open_.resize(demands.size());
    for (std::size_t j = 0; j < open_.size(); ++j) open_[j] = static_cast<Node>(j);
    offers_.clear();
    for (std::size_t i = 0; i < supplies.size() && !open_.empty(); ++i)
      if (supplies[i] > 0) offers_.push_back(offer(static_cast<Node>(i), supplies[i]));
    while (!offers_.empty() && !open_.empty()) take_offer(tree);
  }

 private:
  using Node = FlowTree::Node;
  // What a source has left, and its nearest open sink when it was last asked.
  struct Offer {
    double cost;
    Node source, sink;
    double supply;
  };

  Offer offer(Node source, double supply) {
    pace_.spend(open_.size());
    const double* costs = costs_.data() + static_cast<std::size_t>(source) * left_.size();
    Node best = open_.front();
    for (const Node sink : open_)
      if (costs[sink] < costs[best]) best = sink;
    return {costs[best], source, best, supply};
  }

  // Takes the cheapest offer, or renews it if its sink was filled meanwhile: then it only becomes dearer.
  void take_offer(FlowTree& tree) {
    pace_.spend(offers_.size());
    Offer* best = offers_.data();
    for (Offer& other : offers_)
      if (other.cost < best->cost) best = &other;
    const auto place = static_cast<std::size_t>(best->sink);
    if (is_open_[place] == 0) {
      *best = offer(best->source, best->supply);
    } else if (best->supply < left_[place]) {
      tree.hang(best->source, sources_ + best->sink, best->supply);
      left_[place] -= best->supply;
      close(*best);
    } else {
      if (left_[place] > 0) tree.hang(sources_ + best->sink, best->source, left_[place]);
      best->supply -= left_[place];
      is_open_[place] = 0;
      std::erase(open_, best->sink);
      if (best->supply <= 0) close(*best);
    }
  }
  void close(Offer& offer) {
    offer = offers_.back();
    offers_.pop_back();
  }

  Pace pace_;
  Node sources_ = 0;
  std::span<const double> costs_;
  std::vector<double> left_;   // of each demand
  std::vector<char> is_open_;  // each sink
  std::vector<Node> open_;     // sinks
  std::vector<Offer> offers_;  // of open sources
};

}  // namespace tertium
