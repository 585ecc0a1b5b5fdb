// The order of partial alignments in METEOR's beam, as one number if it fits, otherwise as two: the search
// compares ranks far more often than it changes them.
//
// The criteria, smaller first: words left uncovered, then closed chunks, then the distance of the matches
// passed over. Where all are equal, the path made first wins. The best of many ranks are found by comparing
// each with all others if they are few and fit into 32 bits, otherwise by sorting.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/meteor/matches.hpp"

namespace tertium {

// Sorts up to 256 different numbers: each is compared with all others, eight at a time with AVX2, and the
// number of smaller ones is its place. Quadratic, yet with so few numbers faster than sorting, whose branches
// the processor cannot predict.
class LeastKeys {
 public:
  static constexpr std::size_t kMaxKeys = 256;

  // Storage for the keys; sort() gets their number.
  std::span<std::int32_t, kMaxKeys> keys() { return keys_; }

  // Writes the smallest of the first `count` keys in order, as many as fit into `least`.
  void sort(std::size_t count, std::span<std::int32_t> least) {
    const std::size_t padded = (count + kBlock - 1) / kBlock * kBlock;
    std::fill(keys_.begin() + count, keys_.begin() + padded, INT32_MAX);
    count_lesser(count, padded);
    for (std::size_t i = 0; i < count; ++i) sorted_[static_cast<std::size_t>(places_[i])] = keys_[i];
    std::copy_n(sorted_.begin(), least.size(), least.begin());
  }

 private:
  static constexpr std::size_t kBlock = 32;

  void count_lesser(std::size_t count, std::size_t padded) {
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) return count_lesser_wide(count, padded);
#endif
    for (std::size_t i = 0; i < count; i += 2) {  // each key that is read is compared with two
      const std::int32_t one = keys_[i], other = keys_[i + 1];
      std::int32_t below_one = 0, below_other = 0;
      for (std::size_t j = 0; j < padded; ++j) {
        below_one += keys_[j] < one;
        below_other += keys_[j] < other;
      }
      places_[i] = below_one;
      places_[i + 1] = below_other;
    }
  }

#if TERTIUM_HAS_AVX2
  TERTIUM_AVX2 void count_lesser_wide(std::size_t count, std::size_t padded) {
    using simd::Int32x8;
    for (std::size_t first = 0; first < padded; first += kBlock) {
      Int32x8 own[4], lesser[4];
      simd::clear(lesser);
      for (std::size_t k = 0; k < 4; ++k) own[k] = Int32x8::load(&keys_[first + 8 * k]);
      for (std::size_t j = 0; j < count; ++j) {
        const auto other = Int32x8::all(keys_[j]);
        for (std::size_t k = 0; k < 4; ++k) lesser[k] -= own[k] > other;
      }
      for (std::size_t k = 0; k < 4; ++k) lesser[k].store(&places_[first + 8 * k]);
    }
  }
#endif

  alignas(32) std::array<std::int32_t, kMaxKeys> keys_;
  alignas(32) std::array<std::int32_t, kMaxKeys> places_;
  std::array<std::int32_t, kMaxKeys> sorted_;
};

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

// The best of many ranks, in order. Keeps its tables between calls.
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
