// The best of many ranks, in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/meteor/least_keys.hpp"
#include "tertium/meteor/path_rank.hpp"

namespace tertium {

// Keeps its tables between calls.
template <typename Scale>
class BestRanks {
 public:
  using Rank = typename Scale::Rank;

  // The indices of the best `most` ranks, best first; of equal ranks the earlier. No rank is below `lowest`,
  // and none above `highest` is among the best. The span is valid until the next call.
  std::span<const std::int32_t> find(std::span<const Rank> ranks, std::size_t most, Rank lowest,
                                     Rank highest) {
    best_.resize(std::min(most, ranks.size()));
    if (!Scale::find_best(ranks, lowest, highest, least_, best_)) select(ranks);
    return best_;
  }

 private:
  // For ranks of any number and size.
  void select(std::span<const Rank> ranks) {
    order_.resize(ranks.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto precedes = [&](std::int32_t a, std::int32_t b) {
      const Rank &one = ranks[static_cast<std::size_t>(a)], &other = ranks[static_cast<std::size_t>(b)];
      return one < other || (!(other < one) && a < b);
    };
    const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(best_.size());
    std::nth_element(order_.begin(), middle, order_.end(), precedes);
    std::sort(order_.begin(), middle, precedes);
    std::copy(order_.begin(), middle, best_.begin());
  }

  LeastKeys least_;
  std::vector<std::int32_t> best_, order_;
};

}  // namespace tertium
