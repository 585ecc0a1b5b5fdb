// Where the network simplex method begins: flows along the cheapest arcs, one after another, until supplies
// or demands are used up. Nearly O(sources x sinks), and half of the pivots are saved.
#pragma once

#include <algorithm>
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
    prices_.clear();
    offers_.clear();
    for (std::size_t i = 0; i < supplies.size() && !open_.empty(); ++i)
      if (supplies[i] > 0) make_offer(static_cast<Node>(i), supplies[i]);
    while (!offers_.empty() && !open_.empty()) take_offer(cheapest(), tree);
  }

 private:
  using Node = FlowTree::Node;
  // What a source has left, and its nearest open sink when it was last asked.
  struct Offer {
    Node source, sink;
    double supply;
  };

  void make_offer(Node source, double supply) {
    offers_.push_back({source, 0, supply});
    prices_.push_back(0);
    renew(offers_.size() - 1);
  }
  // Asks the source of an offer for its nearest sink that is still open.
  void renew(std::size_t place) {
    pace_.spend(open_.size());
    const double* costs = costs_.data() + static_cast<std::size_t>(offers_[place].source) * left_.size();
    Node best = open_.front();
    double least = costs[best];
    for (const Node sink : open_)
      if (costs[sink] < least) {
        least = costs[sink];
        best = sink;
      }
    offers_[place].sink = best;
    prices_[place] = least;
  }

  // The first of the offers with the least price; two by two, since each comparison waits for the one before.
  std::size_t cheapest() {
    pace_.spend(offers_.size());
    const std::size_t count = prices_.size();
    double leasts[2] = {prices_[0], prices_[0]};
    for (std::size_t i = 0; i + 2 <= count; i += 2)
      for (std::size_t lane = 0; lane < 2; ++lane)
        leasts[lane] = prices_[i + lane] < leasts[lane] ? prices_[i + lane] : leasts[lane];
    const double least = std::min({leasts[0], leasts[1], prices_[count - 1]});
    std::size_t place = 0;
    while (prices_[place] != least) ++place;
    return place;
  }

  // Takes an offer, or renews it if its sink was filled meanwhile: then it only becomes dearer.
  void take_offer(std::size_t place, FlowTree& tree) {
    Offer& best = offers_[place];
    double& left = left_[static_cast<std::size_t>(best.sink)];
    char& is_open = is_open_[static_cast<std::size_t>(best.sink)];
    if (is_open == 0) {
      renew(place);
    } else if (best.supply < left) {
      tree.hang(best.source, sources_ + best.sink, best.supply);
      left -= best.supply;
      close(place);
    } else {
      if (left > 0) tree.hang(sources_ + best.sink, best.source, left);
      best.supply -= left;
      is_open = 0;
      std::erase(open_, best.sink);
      if (best.supply <= 0) close(place);
    }
  }
  void close(std::size_t place) {
    offers_[place] = offers_.back();
    prices_[place] = prices_.back();
    offers_.pop_back();
    prices_.pop_back();
  }

  Pace pace_;
  Node sources_ = 0;
  std::span<const double> costs_;
  std::vector<double> left_;    // of each demand
  std::vector<char> is_open_;   // each sink
  std::vector<Node> open_;      // sinks
  std::vector<Offer> offers_;   // of open sources
  std::vector<double> prices_;  // of the offers
};

}  // namespace tertium
