// Random numbers that are a function of a key and a counter (Salmon et al. 2011, "Parallel random numbers: as
// easy as 1, 2, 3"): Philox 4x64 with ten rounds, as in numpy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tertium/stats/wide.hpp"

namespace tertium {

using PhiloxKey = std::array<std::uint64_t, 2>;
using PhiloxBlock = std::array<std::uint64_t, 4>;

inline PhiloxBlock philox(PhiloxKey key, PhiloxBlock counter) {
  constexpr std::uint64_t factors[2] = {0xD2E7470EE14C6C93, 0xCA5A826395121157};
  for (int round = 0; round < 10; ++round) {
    const Wide first = multiply(factors[0], counter[0]), second = multiply(factors[1], counter[2]);
    counter = {second.high ^ counter[1] ^ key[0], second.low, first.high ^ counter[3] ^ key[1], first.low};
    key[0] += 0x9E3779B97F4A7C15;
    key[1] += 0xBB67AE8584CAA73B;
  }
  return counter;
}

}  // namespace tertium
