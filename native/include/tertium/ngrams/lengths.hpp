// Statistics that follow from lengths alone: the number of n-grams, and the closest reference length.
#pragma once

#include <cstddef>

#include "tertium/base/column.hpp"

namespace tertium {

inline double ngrams_of_order(std::size_t length, std::size_t order) {
  return length < order ? 0.0 : static_cast<double>(length - order + 1);
}

// The reference length nearest to the hypothesis length, the shorter one on a tie (as sacreBLEU's BLEU).
inline std::size_t closest_length(std::size_t length, const GroupedColumn& references, std::size_t segment) {
  const auto distance = [&](std::size_t other) { return other > length ? other - length : length - other; };
  std::size_t best = references.column[references.begin(segment)].size();
  for (std::size_t r = references.begin(segment) + 1; r < references.end(segment); ++r) {
    const std::size_t candidate = references.column[r].size();
    if (distance(candidate) < distance(best) || (distance(candidate) == distance(best) && candidate < best))
      best = candidate;
  }
  return best;
}

}  // namespace tertium
