// The order of partial alignments in METEOR's beam, as one number if it fits, otherwise as two: the search
// compares ranks far more often than it changes them.
//
// The criteria, smaller first: words left uncovered, then closed chunks, then the distance of the matches
// passed over. Where all are equal, the path made first wins.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tertium/meteor/least_keys.hpp"
#include "tertium/meteor/matches.hpp"

namespace tertium {

// Upper limits for all paths of a pair of texts.
struct RankLimits {
  std::uint64_t cover;     // words of both texts, and as many again that a match might promise
  std::uint64_t chunks;    // one for each word of the reference
  std::uint64_t distance;  // that of all matches

  static RankLimits of(std::span<const Match> matches, std::size_t hypothesis_length,
                       std::size_t reference_length) {
    std::uint64_t distance = 0;
    for (const Match& match : matches)
      distance += static_cast<std::uint64_t>(std::abs(match.reference - match.hypothesis));
    return {2 * (hypothesis_length + reference_length), reference_length + 1, distance};
  }

  // The number of bits needed for numbers up to a limit.
  static int bits(std::uint64_t limit) { return static_cast<int>(std::bit_width(limit)); }
  // One bit stays free: empty texts have no words to cover, and a number must not be shifted by all 64 bits.
  bool fit_one_number() const { return bits(cover) + bits(chunks) + bits(distance) < 64; }
};

// All three parts in one number, for searches whose sets of contested words are one number, too.
class PackedScale {
 public:
  using Rank = std::uint64_t;
  static constexpr bool kOneWord = true;

  PackedScale() = default;
  explicit PackedScale(const RankLimits& limits)
      : chunk_shift_(RankLimits::bits(limits.distance)),
        cover_shift_(chunk_shift_ + RankLimits::bits(limits.chunks)),
        start_(limits.cover << cover_shift_) {}

  Rank start() const { return start_; }
  static constexpr Rank worst() { return ~Rank{0}; }
  Rank cover(Rank rank, std::int32_t words) const {
    return rank - (static_cast<std::uint64_t>(words) << cover_shift_);
  }
  Rank close_chunk(Rank rank) const { return rank + (std::uint64_t{1} << chunk_shift_); }
  static Rank pass_over(Rank rank, std::uint64_t distance) { return rank + distance; }
  std::int32_t chunks(Rank rank) const {
    const std::uint64_t mask = (std::uint64_t{1} << (cover_shift_ - chunk_shift_)) - 1;
    return static_cast<std::int32_t>(rank >> chunk_shift_ & mask);
  }

  // Finds the indices of the best ranks, as many as fit into `best`, in order; equal ranks keep their order.
  // Returns false if there are too many ranks or they differ too much. No rank above `highest` is needed, and
  // none is below `lowest`.
  static bool find_best(std::span<const Rank> ranks, Rank lowest, Rank highest, LeastKeys& least,
                        std::span<std::int32_t> best) {
    if (ranks.size() > LeastKeys::kMaxKeys ||
        highest - lowest >= (std::uint64_t{1} << 31) / LeastKeys::kMaxKeys)
      return false;
    const auto keys = least.keys();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      keys[kept] = static_cast<std::int32_t>((ranks[i] - lowest) * LeastKeys::kMaxKeys + i);
      kept += ranks[i] <= highest;
    }
    least.sort(kept, best);
    for (std::int32_t& number : best) number %= static_cast<std::int32_t>(LeastKeys::kMaxKeys);
    return true;
  }

 private:
  int chunk_shift_ = 0, cover_shift_ = 0;
  Rank start_ = 0;
};

// Two numbers: uncovered words and chunks, then distance.
class WideScale {
 public:
  static constexpr bool kOneWord = false;
  struct Rank {
    std::uint64_t quality, distance;
    bool operator<(const Rank& other) const {
      return quality != other.quality ? quality < other.quality : distance < other.distance;
    }
    Rank operator+(const Rank& other) const { return {quality + other.quality, distance + other.distance}; }
  };

  static constexpr Rank start() { return {std::uint64_t{1} << 63, 0}; }
  static constexpr Rank worst() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  static Rank cover(Rank rank, std::int32_t words) {
    return {rank.quality - (static_cast<std::uint64_t>(words) << 32), rank.distance};
  }
  static Rank close_chunk(Rank rank) { return {rank.quality + 1, rank.distance}; }
  static Rank pass_over(Rank rank, std::uint64_t distance) {
    return {rank.quality, rank.distance + distance};
  }
  static std::int32_t chunks(Rank rank) { return static_cast<std::int32_t>(rank.quality & 0xffffffff); }

  // Always false: ranks of two numbers do not fit into the keys.
  static bool find_best(std::span<const Rank>, Rank, Rank, LeastKeys&, std::span<std::int32_t>) {
    return false;
  }
};

}  // namespace tertium
