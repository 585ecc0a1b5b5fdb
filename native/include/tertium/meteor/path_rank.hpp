// The order of partial alignments in METEOR's beam, as one number where it fits, else as two: the search
// compares ranks far more often than it changes them.
//
// What decides, smaller first: words left uncovered (of all), then closed chunks, then the distance of the
// matches passed over, then the order of their making.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tertium/meteor/matches.hpp"

namespace tertium {

// No path of a pair of texts goes above these.
struct RankLimits {
  std::uint64_t cover;     // words of both texts, and as many again that a match might promise
  std::uint64_t chunks;    // one for each word of the reference
  std::uint64_t distance;  // that of all matches
  std::uint64_t order;     // ways to go on at one word

  // Matches must be sorted by their first word in the reference.
  static RankLimits of(std::span<const Match> matches, std::size_t hypothesis_length,
                       std::size_t reference_length, std::size_t beam) {
    std::uint64_t distance = 0;
    std::size_t most = 0;  // matches that begin at one word
    for (std::size_t m = 0, first = 0; m < matches.size(); ++m) {
      distance += static_cast<std::uint64_t>(std::abs(matches[m].reference - matches[m].hypothesis));
      if (matches[m].reference != matches[first].reference) first = m;
      most = std::max(most, m - first + 1);
    }
    const std::size_t order = beam > SIZE_MAX / (most + 1) ? SIZE_MAX : beam * (most + 1);
    return {2 * (hypothesis_length + reference_length), reference_length + 1, distance, order};
  }

  // How many bits a number up to a limit takes.
  static int bits(std::uint64_t limit) { return static_cast<int>(std::bit_width(limit)); }
  // One bit stays free: of empty texts nothing is left to cover, and no number may be shifted by all 64.
  bool fit_one_number() const { return bits(cover) + bits(chunks) + bits(distance) + bits(order) < 64; }
};

// All four parts in one number.
class PackedScale {
 public:
  using Rank = std::uint64_t;
  static constexpr bool kOneWord = true;

  PackedScale() = default;
  explicit PackedScale(const RankLimits& limits)
      : distance_shift_(RankLimits::bits(limits.order)),
        chunk_shift_(distance_shift_ + RankLimits::bits(limits.distance)),
        cover_shift_(chunk_shift_ + RankLimits::bits(limits.chunks)),
        start_(limits.cover << cover_shift_) {}

  Rank start() const { return start_; }
  Rank cover(Rank rank, std::int32_t words) const {
    return rank - (static_cast<std::uint64_t>(words) << cover_shift_);
  }
  Rank close_chunk(Rank rank) const { return rank + (std::uint64_t{1} << chunk_shift_); }
  Rank pass_over(Rank rank, std::uint64_t distance) const { return rank + (distance << distance_shift_); }
  static Rank in_order(Rank rank, std::size_t order) { return rank + order; }
  Rank without_order(Rank rank) const { return rank >> distance_shift_ << distance_shift_; }
  std::int32_t chunks(Rank rank) const {
    const std::uint64_t mask = (std::uint64_t{1} << (cover_shift_ - chunk_shift_)) - 1;
    return static_cast<std::int32_t>(rank >> chunk_shift_ & mask);
  }

 private:
  int distance_shift_ = 0, chunk_shift_ = 0, cover_shift_ = 0;
  Rank start_ = 0;
};

// Two numbers: uncovered words and chunks, then distance and order. Beams of 1,000 leave room for 260,000
// matches at a word, and distances for 4,000 equal words.
class WideScale {
 public:
  static constexpr bool kOneWord = false;
  struct Rank {
    std::uint64_t quality, rest;
    bool operator<(const Rank& other) const {
      return quality != other.quality ? quality < other.quality : rest < other.rest;
    }
    Rank operator+(const Rank& other) const { return {quality + other.quality, rest + other.rest}; }
  };

  static constexpr Rank start() { return {std::uint64_t{1} << 63, 0}; }
  static Rank cover(Rank rank, std::int32_t words) {
    return {rank.quality - (static_cast<std::uint64_t>(words) << 32), rank.rest};
  }
  static Rank close_chunk(Rank rank) { return {rank.quality + 1, rank.rest}; }
  static Rank pass_over(Rank rank, std::uint64_t distance) {
    return {rank.quality, rank.rest + (distance << kOrderBits)};
  }
  static Rank in_order(Rank rank, std::size_t order) { return {rank.quality, rank.rest + order}; }
  static Rank without_order(Rank rank) { return {rank.quality, rank.rest >> kOrderBits << kOrderBits}; }
  static std::int32_t chunks(Rank rank) { return static_cast<std::int32_t>(rank.quality & 0xffffffff); }

 private:
  static constexpr unsigned kOrderBits = 28;
};

}  // namespace tertium
