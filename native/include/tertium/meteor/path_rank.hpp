// The order of partial alignments in METEOR's beam, as two whole numbers: the search compares them far more
// often than it changes them.
#pragma once

#include <cstdint>

namespace tertium {

// What decides between partial alignments, smaller first: words left uncovered (of a large number,
// in the upper half) and closed chunks, then distance, then the order of their making.
struct PathRank {
  std::uint64_t quality = kNothingCovered;
  std::uint64_t rest = 0;

  static constexpr std::uint64_t kNothingCovered = std::uint64_t{1} << 63;
  // Beams of 1,000 leave room for 260,000 matches at a word, and distances for 4,000 equal words.
  static constexpr unsigned kOrderBits = 28;

  void cover(std::int32_t words) { quality -= static_cast<std::uint64_t>(words) << 32; }
  void close_chunk() { ++quality; }
  std::int32_t chunks() const { return static_cast<std::int32_t>(quality & 0xffffffff); }
  bool operator<(const PathRank& other) const {
    return quality != other.quality ? quality < other.quality : rest < other.rest;
  }
};

}  // namespace tertium
