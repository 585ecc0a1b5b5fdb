// Weights of the Poisson bootstrap (Chamandy et al. 2012, "Estimating uncertainty for massive data streams"):
// a segment is in a sample as often as a Poisson number of mean 1 says, which depends on nothing but the key,
// the sample and the segment.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/stats/philox.hpp"

namespace tertium {

// Turns a uniform 32-bit number u into the least w with u < 2^32 P(W <= w).
class PoissonTable {
 public:
  static constexpr std::size_t kMost = 12;  // a larger number has a probability below 2^-32

  PoissonTable() {
    double probability = std::exp(-1.0), sum = 0;
    for (std::size_t w = 0; w < kMost; ++w) {
      sum += probability;
      probability /= static_cast<double>(w + 1);
      ends_[w] = static_cast<std::uint64_t>(std::llround(std::ldexp(sum, 32)));
    }
    ends_[kMost] = std::uint64_t{1} << 32;
    for (std::size_t i = 0; i < starts_.size(); ++i)
      starts_[i] = search(static_cast<std::uint64_t>(i) << 24, 0);
  }

  std::uint8_t operator()(std::uint32_t u) const { return search(u, starts_[u >> 24]); }

 private:
  std::uint8_t search(std::uint64_t u, std::uint8_t w) const {
    while (u >= ends_[w]) ++w;
    return w;
  }

  std::array<std::uint64_t, kMost + 1> ends_{};
  std::array<std::uint8_t, 256> starts_{};  // by the upper eight bits, where to begin the search
};

// Eight neighbouring segments share a block of random numbers, the lower half of each word first.
inline constexpr std::uint64_t kSegmentsOfBlock = 8;

// Fills the weights of the segments [begin, begin + weights.size()) in one sample.
inline void draw_poisson(const PoissonTable& table, const PhiloxKey& key, std::uint64_t sample,
                         std::uint64_t begin, std::span<std::uint8_t> weights) {
  const std::uint64_t end = begin + weights.size();
  for (std::uint64_t block = begin / kSegmentsOfBlock; block * kSegmentsOfBlock < end; ++block) {
    const PhiloxBlock words = philox(key, {block, sample, 0, 0});
    const std::uint64_t first = block * kSegmentsOfBlock;
    for (std::uint64_t i = std::max(first, begin); i < std::min(first + kSegmentsOfBlock, end); ++i) {
      const std::uint64_t place = i - first;
      weights[static_cast<std::size_t>(i - begin)] =
          table(static_cast<std::uint32_t>(words[static_cast<std::size_t>(place / 2)] >> (32 * (place % 2))));
    }
  }
}

}  // namespace tertium
