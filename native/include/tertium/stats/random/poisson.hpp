// Weights of the Poisson bootstrap (Chamandy et al. 2012, "Estimating uncertainty for massive data streams"):
// a segment occurs in a sample as often as a Poisson number of mean 1 says.
//
// The number depends only on the key, the sample and the segment: it comes from a counter-based generator,
// Philox 4x64 with ten rounds as in numpy (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2,
// 3").
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tertium/base/elementary.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/base/uint128.hpp"

namespace tertium {

using PhiloxKey = std::array<std::uint64_t, 2>;
using PhiloxBlock = std::array<std::uint64_t, 4>;

inline PhiloxBlock philox(PhiloxKey key, PhiloxBlock counter) {
  constexpr std::uint64_t factors[2] = {0xD2E7470EE14C6C93, 0xCA5A826395121157};
  for (int round = 0; round < 10; ++round) {
    const UInt128 first = multiply(factors[0], counter[0]), second = multiply(factors[1], counter[2]);
    counter = {second.high ^ counter[1] ^ key[0], second.low, first.high ^ counter[3] ^ key[1], first.low};
    key[0] += 0x9E3779B97F4A7C15;
    key[1] += 0xBB67AE8584CAA73B;
  }
  return counter;
}

// Turns a uniform 32-bit number u into the smallest w with u < 2^32 P(W <= w).
class PoissonTable {
 public:
  static constexpr std::size_t kMaxWeight = 12;  // a larger number has a probability below 2^-32
  static constexpr std::size_t kAtOnce = 32;

  PoissonTable() {
    double probability = exp(-1.0), sum = 0;
    for (std::size_t w = 0; w < kMaxWeight; ++w) {
      sum += probability;
      probability /= static_cast<double>(w + 1);
      ends_[w] = static_cast<std::uint64_t>(std::llround(std::ldexp(sum, 32)));
    }
    ends_[kMaxWeight] = std::uint64_t{1} << 32;
    for (std::size_t i = 0; i < starts_.size(); ++i)
      starts_[i] = search(static_cast<std::uint64_t>(i) << 24, 0);
  }

  // Turns both halves of each word into weights, the lower one first.
  void weigh(std::span<const std::uint64_t, kAtOnce / 2> words, std::uint8_t* weights) const {
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) return weigh_avx2(words.data(), weights);
#endif
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      const auto u = static_cast<std::uint32_t>(words[i / 2] >> (32 * (i % 2)));
      weights[i] = search(u, starts_[u >> 24]);
    }
  }

 private:
#if TERTIUM_HAS_AVX2
  // Counts the ends at or below a number. Few weights exceed five, so the other ends are compared only if
  // needed.
  TERTIUM_AVX2 void weigh_avx2(const std::uint64_t* words, std::uint8_t* weights) const {
    using simd::Int32x8, simd::UInt32x8;
    constexpr std::size_t n_frequent = 6;
    UInt32x8 given[4];
    std::memcpy(given, words, sizeof given);
    Int32x8 counts[4], reached{};
    simd::clear(counts);
    for (std::size_t w = 0; w < n_frequent; ++w) reached = count_reached(given, w, counts);
    if (simd::any_bit(reached))
      for (std::size_t w = n_frequent; w < kMaxWeight; ++w) count_reached(given, w, counts);
    simd::pack_bytes(counts[0], counts[1], counts[2], counts[3]).store(weights);
  }

  // Adds one to the counts of numbers at or above an end; returns zero if there are none.
  TERTIUM_AVX2_INLINE simd::Int32x8 count_reached(const simd::UInt32x8* given, std::size_t w,
                                                  simd::Int32x8* counts) const {
    const auto end = simd::UInt32x8::all(static_cast<std::uint32_t>(ends_[w]));
    simd::Int32x8 all{};
    for (std::size_t i = 0; i < 4; ++i) {
      const simd::Int32x8 reached = given[i] >= end;
      counts[i] -= reached;
      all |= reached;
    }
    return all;
  }
#endif

  std::uint8_t search(std::uint64_t u, std::uint8_t w) const {
    while (u >= ends_[w]) ++w;
    return w;
  }

  std::array<std::uint64_t, kMaxWeight + 1> ends_{};
  std::array<std::uint8_t, 256> starts_{};  // by the upper eight bits, where to begin the search
};

// Eight neighbouring segments share a block of random numbers, the lower half of each word first.
inline constexpr std::uint64_t kSegmentsOfBlock = 8;

// Fills the weights of the segments [begin, begin + weights.size()) in one sample.
inline void draw_poisson(const PoissonTable& table, const PhiloxKey& key, std::uint64_t sample,
                         std::uint64_t begin, std::span<std::uint8_t> weights) {
  constexpr std::size_t blocks_at_once = PoissonTable::kAtOnce / kSegmentsOfBlock;
  std::array<std::uint64_t, PoissonTable::kAtOnce / 2> words;
  std::array<std::uint8_t, PoissonTable::kAtOnce> drawn;
  std::size_t n_filled = 0;
  for (std::uint64_t block = begin / kSegmentsOfBlock; n_filled < weights.size(); block += blocks_at_once) {
    for (std::size_t i = 0; i < blocks_at_once; ++i)
      std::ranges::copy(philox(key, {block + i, sample, 0, 0}), words.begin() + i * 4);
    const std::size_t unused = n_filled == 0 ? begin % kSegmentsOfBlock : 0;
    const std::size_t n = std::min(drawn.size() - unused, weights.size() - n_filled);
    if (n == drawn.size()) {
      table.weigh(words, weights.data() + n_filled);
    } else {
      table.weigh(words, drawn.data());
      std::copy_n(drawn.data() + unused, n, weights.data() + n_filled);
    }
    n_filled += n;
  }
}

}  // namespace tertium
