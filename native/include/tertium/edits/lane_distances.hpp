// Edit distances of several rearrangements of one hypothesis at once. Each step of a bit-parallel distance
// waits for the one before it; four that do not wait for each other take hardly longer than one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/edits/bit_rows.hpp"

namespace tertium {

inline constexpr std::size_t kLanes = 4;

// Words [first, middle) and [middle, last) change places.
struct Exchange {
  std::size_t first = 0, middle = 0, last = 0;

  // Where the word comes from that stands at `place` afterwards; the place is not before the exchange.
  std::size_t source(std::size_t place) const {
    if (place >= last) return place;
    const std::size_t there = place + (middle - first);
    return there < last ? there : there - (last - first);
  }
};

// The distances of `words`, whose rows are kept, after each exchange; the reference has at most 64 words.
inline std::array<std::size_t, kLanes> lane_distances(const BitRows& rows,
                                                      std::span<const std::int32_t> words,
                                                      const std::array<Exchange, kLanes>& exchanges) {
  using Bits = BitRows::Bits;
  std::size_t begin = words.size();
  for (const Exchange& each : exchanges) begin = std::min(begin, each.first);
  std::array<Bits, kLanes> pluses;
  std::array<Bits, kLanes> minuses;
  std::array<std::size_t, kLanes> distances;
  pluses.fill(rows.kept_plus(begin));
  minuses.fill(rows.kept_minus(begin));
  distances.fill(rows.kept_distance(begin));
  const std::size_t last = rows.length() - 1;
  for (std::size_t place = begin; place < words.size(); ++place)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Exchange& each = exchanges[lane];
      const std::int32_t word = words[place < each.first ? place : each.source(place)];
      const Bits equal = rows.places(word);
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
