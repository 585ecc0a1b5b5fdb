// Many transportation problems at once, in flat arrays: for problems of 10 to 100 nodes, a call from Python
// takes longer than the solution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "tertium/base/checks.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/transport.hpp"

namespace tertium {

// Problem i has supplies[supply_offsets[i], supply_offsets[i + 1]), and so on.
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
