// The exact transportation problem on dense costs, by successive shortest paths with potentials
// (Edmonds & Karp 1972; the start follows Jonker & Volgenant 1987). Each path costs
// O(sinks visited x sinks), and about as many paths as nodes are needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tertium/parallel.hpp"

namespace tertium {

// Keeps its memory between problems; one per thread. Potentials u, v keep every reduced cost
// c[i][j] - u[i] - v[j] at or above 0, and at 0 where mass flows, so the flow is cheapest at each step.
class Transport {
 public:
  // Moves the supplies onto the demands, whose sums are equal up to rounding; costs has a row per
  // supply. Returns the least total cost; flow(i, j) tells how.
  double solve(std::span<const double> supplies, std::span<const double> demands,
               std::span<const double> costs) {
    load(supplies, demands, costs);
    reduce();
    for (std::size_t source = 0; source < sources_; ++source)
      while (supply_[source] > tolerance_ && augment(source)) {
      }
    return total();
  }

  double flow(std::size_t i, std::size_t j) const {
    return transposed_ ? flow_[j * sinks_ + i] : flow_[i * sinks_ + j];
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Mass below this share of the whole is rounding: it could move for free without being seen.
  static constexpr double kRounding = 1e-15;

  // The smaller side becomes the sinks: a path scans them for each node it visits.
  void load(std::span<const double> supplies, std::span<const double> demands,
            std::span<const double> costs) {
    transposed_ = supplies.size() < demands.size();
    const auto& outgoing = transposed_ ? demands : supplies;
    const auto& incoming = transposed_ ? supplies : demands;
    sources_ = outgoing.size();
    sinks_ = incoming.size();
    supply_.assign(outgoing.begin(), outgoing.end());
    demand_.assign(incoming.begin(), incoming.end());
    cost_.resize(sources_ * sinks_);
    if (transposed_) {
      for (std::size_t i = 0; i < sources_; ++i)
        for (std::size_t j = 0; j < sinks_; ++j) cost_[i * sinks_ + j] = costs[j * sources_ + i];
    } else {
      std::copy(costs.begin(), costs.end(), cost_.begin());
    }
    double whole = 0;
    for (const double mass : supply_) whole += mass;
    tolerance_ = kRounding * whole;
    flow_.assign(sources_ * sinks_, 0.0);
    if (feeders_.size() < sinks_) feeders_.resize(sinks_);
    for (std::size_t j = 0; j < sinks_; ++j) feeders_[j].clear();
  }

  // Starts from potentials that make one arc per node free of reduced cost, and ships along those.
  void reduce() {
    v_.assign(sinks_, kFar);
    u_.assign(sources_, 0.0);
    for (std::size_t i = 0; i < sources_; ++i)
      for (std::size_t j = 0; j < sinks_; ++j) v_[j] = std::min(v_[j], cost_[i * sinks_ + j]);
    for (std::size_t i = 0; i < sources_; ++i) {
      const double* row = cost_.data() + i * sinks_;
      double least = kFar;
      for (std::size_t j = 0; j < sinks_; ++j) least = std::min(least, row[j] - v_[j]);
      u_[i] = least;
      for (std::size_t j = 0; j < sinks_ && supply_[i] > 0; ++j)
        if (row[j] - v_[j] == least && demand_[j] > 0) ship(i, j, std::min(supply_[i], demand_[j]));
    }
  }

  void ship(std::size_t i, std::size_t j, double mass) {
    push(i, j, mass);
    supply_[i] -= mass;
    demand_[j] -= mass;
  }

  void push(std::size_t i, std::size_t j, double mass) {
    double& flow = flow_[i * sinks_ + j];
    if (flow == 0) feeders_[j].push_back(static_cast<std::int32_t>(i));
    flow += mass;
  }

  void pull(std::size_t i, std::size_t j, double mass) {
    double& flow = flow_[i * sinks_ + j];
    flow -= mass;
    if (flow > 0) return;
    flow = 0;
    auto& feeders = feeders_[j];
    *std::find(feeders.begin(), feeders.end(), static_cast<std::int32_t>(i)) = feeders.back();
    feeders.pop_back();
  }

  // Sends mass along one shortest path from the source; false if no sink is open any more.
  bool augment(std::size_t source) {
    distance_.assign(sinks_, kFar);
    before_sink_.assign(sinks_, kNone);
    before_source_.assign(sources_, kNone);
    reached_.assign(1, {source, 0.0});
    unscanned_.resize(sinks_);
    for (std::size_t j = 0; j < sinks_; ++j) unscanned_[j] = j;
    scanned_.clear();
    for (std::size_t next = 0;;) {
      for (; next < reached_.size(); ++next) relax(reached_[next].first, reached_[next].second);
      const std::size_t nearest = take_nearest();
      if (nearest == kNone) return false;
      if (demand_[nearest] > tolerance_) {
        shift_potentials(distance_[nearest]);
        send(source, nearest);
        return true;
      }
      scanned_.push_back(nearest);
      reach_feeders(nearest, source);
    }
  }

  void relax(std::size_t i, double reached_at) {
    const double* row = cost_.data() + i * sinks_;
    const double offset = reached_at - u_[i];
    for (const std::size_t j : unscanned_) {
      const double length = offset + row[j] - v_[j];
      if (length < distance_[j]) {
        distance_[j] = length;
        before_sink_[j] = i;
      }
    }
  }

  // Among sinks equally near, an open one ends the search.
  std::size_t take_nearest() {
    std::size_t at = kNone;
    for (std::size_t k = 0; k < unscanned_.size(); ++k) {
      const std::size_t j = unscanned_[k];
      if (at == kNone || distance_[j] < distance_[unscanned_[at]] ||
          (distance_[j] == distance_[unscanned_[at]] && demand_[j] > tolerance_))
        at = k;
    }
    if (at == kNone) return kNone;
    const std::size_t nearest = unscanned_[at];
    unscanned_[at] = unscanned_.back();
    unscanned_.pop_back();
    return nearest;
  }

  // Flow into a sink can be taken back at no reduced cost.
  void reach_feeders(std::size_t sink, std::size_t source) {
    for (const std::int32_t feeder : feeders_[sink]) {
      const auto i = static_cast<std::size_t>(feeder);
      if (i == source || before_source_[i] != kNone) continue;
      before_source_[i] = sink;
      reached_.emplace_back(i, distance_[sink]);
    }
  }

  void shift_potentials(double length) {
    for (const auto& [i, reached_at] : reached_) u_[i] += length - reached_at;
    for (const std::size_t j : scanned_) v_[j] -= length - distance_[j];
  }

  void send(std::size_t source, std::size_t sink) {
    double mass = std::min(supply_[source], demand_[sink]);
    for (std::size_t i = before_sink_[sink]; i != source; i = before_sink_[before_source_[i]])
      mass = std::min(mass, flow_[i * sinks_ + before_source_[i]]);
    for (std::size_t j = sink;;) {
      const std::size_t i = before_sink_[j];
      push(i, j, mass);
      if (i == source) break;
      j = before_source_[i];
      pull(i, j, mass);
    }
    supply_[source] -= mass;
    demand_[sink] -= mass;
  }

  double total() const {
    double sum = 0;
    for (std::size_t j = 0; j < sinks_; ++j)
      for (const std::int32_t i : feeders_[j]) {
        const std::size_t arc = static_cast<std::size_t>(i) * sinks_ + j;
        sum += flow_[arc] * cost_[arc];
      }
    return sum;
  }

  bool transposed_ = false;
  std::size_t sources_ = 0;
  std::size_t sinks_ = 0;
  double tolerance_ = 0;
  std::vector<double> supply_, demand_, cost_, flow_, u_, v_;
  std::vector<std::vector<std::int32_t>> feeders_;  // the sources whose mass a sink holds
  // One search: how far each sink is, who came before whom, what was reached when.
  std::vector<double> distance_;
  std::vector<std::size_t> before_sink_, before_source_, unscanned_, scanned_;
  std::vector<std::pair<std::size_t, double>> reached_;
};

// Many problems in flat arrays: problem i has supplies[supply_offsets[i], supply_offsets[i + 1]), and so on.
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

// Fills the least cost of each problem and its flow, which lies as the costs do.
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
