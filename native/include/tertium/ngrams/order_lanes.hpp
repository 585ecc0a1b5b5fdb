// The innermost loop of PlaceMasks with one lane per order: four orders are counted at once, up to eight with
// two registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2

namespace tertium {

// Counts the clipped matches of each order. `symbols` are those of the hypothesis; each has the set of its
// positions in the reference.
template <std::size_t W, std::size_t Orders>
TERTIUM_AVX2 void count_lanes(std::span<const std::size_t> symbols,
                              const std::vector<std::array<std::uint64_t, W>>& places_of,
                              std::span<std::int64_t> matches) {
  using simd::UInt64x4;
  constexpr std::size_t kRegisters = (Orders + 3) / 4;
  const auto everything = UInt64x4::all(~std::uint64_t{0});
  UInt64x4 of_orders[kRegisters][W];  // reference positions of the n-gram at the current position
  UInt64x4 taken[kRegisters][W];      // positions used by n-grams of the order
  UInt64x4 unmatched[kRegisters];     // negated number of positions whose n-gram found no free place
  simd::clear(of_orders), simd::clear(taken), simd::clear(unmatched);
  for (std::size_t i = symbols.size(); i-- > 0;) {
    const std::uint64_t* const places = places_of[symbols[i]].data();
    UInt64x4 seeks[kRegisters];  // all bits of the lanes that have no place yet
    for (std::size_t r = 0; r < kRegisters; ++r) seeks[r] = everything;
    for (std::size_t w = 0; w < W; ++w) {
      const auto own = UInt64x4::all(places[w]);
      UInt64x4 shorter = everything;  // first lane: positions of the n-gram without its first symbol
      for (std::size_t r = 0; r < kRegisters; ++r) {
        UInt64x4 rest = of_orders[r][w] >> 1;
        if (w + 1 < W) rest |= of_orders[r][w + 1] << 63;
        const UInt64x4 turned = simd::rotate_up(rest);
        const UInt64x4 ngrams = own & simd::replace_first(turned, shorter);
        const UInt64x4 free = ngrams & ~taken[r][w] & seeks[r];
        shorter = turned;
        of_orders[r][w] = ngrams;
        taken[r][w] |= free & (UInt64x4{} - free);  // the lowest free place
        seeks[r] &= simd::bits_as<UInt64x4>(free == UInt64x4{});
      }
    }
    for (std::size_t r = 0; r < kRegisters; ++r) unmatched[r] += seeks[r];
  }
  for (std::size_t n = 0; n < Orders; ++n)
    matches[n] = static_cast<std::int64_t>(symbols.size() + unmatched[n / 4][n % 4]);
}

}  // namespace tertium
#endif
