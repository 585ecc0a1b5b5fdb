// Edit distances of several rearrangements of one hypothesis at once. Each step of a bit-parallel distance
// waits for the one before it; four that do not wait for each other take hardly longer than one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/edits/bit_rows.hpp"
#include "tertium/edits/swapped_rows.hpp"

namespace tertium {

inline constexpr std::size_t kLanes = 4;

// The distances of `words`, whose rows are kept, after each swap; the reference has at most 64 words.
inline std::array<std::size_t, kLanes> lane_distances(const BitRows& rows,
                                                      std::span<const std::int32_t> words,
                                                      const std::array<Swap, kLanes>& swaps) {
  using Bits = BitRows::Bits;
  std::size_t begin = words.size();
  for (const Swap& each : swaps) begin = std::min(begin, each.first);
  std::array<Bits, kLanes> pluses;
  std::array<Bits, kLanes> minuses;
  std::array<std::size_t, kLanes> distances;
  pluses.fill(rows.kept(begin)[0].plus);
  minuses.fill(rows.kept(begin)[0].minus);
  distances.fill(rows.kept_distance(begin));
  const std::size_t last = rows.length() - 1;
  for (std::size_t place = begin; place < words.size(); ++place)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int32_t word = words[swaps[lane].source(place)];
      const Bits equal = rows.places(word, 0);
      const Bits vertical = pluses[lane];
      const Bits level = (((equal & vertical) + vertical) ^ vertical) | equal | minuses[lane];
      const Bits plus = minuses[lane] | ~(level | vertical);
      const Bits minus = level & vertical;
      distances[lane] += ((plus >> last) & 1) - ((minus >> last) & 1);
      const Bits plus_shifted = (plus << 1) | 1;
      pluses[lane] = (minus << 1) | ~(level | plus_shifted);
      minuses[lane] = plus_shifted & level;
    }
  return distances;
}

}  // namespace tertium
