// One row of a walk's table in chains.hpp: a word of a against all of b; eight positions at once with AVX2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tertium/base/simd.hpp"

namespace tertium {

// The costs of the steps of a walk: fees[j] for meeting word j of b, fares[j] for insertions from the
// beginning up to it.
template <typename Number>
struct WalkPrices {
  const Number* fees;
  const Number* fares;
  Number deletion, substitution;
  Number leap, leap_back;
};

// A row may be written, and its prices read, this far beyond its end.
inline constexpr std::size_t kRowPadding = 8;

// reached[j]: the cheapest walk whose last step deletes the word, or meets word j - 1 of b; returns the
// least.
template <typename Number>
TERTIUM_INLINE Number reach_places(std::int32_t word, const std::int32_t* b, std::size_t columns,
                                   const WalkPrices<Number>& prices, const Number* last, Number* reached) {
  const WalkPrices<Number> at = prices;  // a copy that no store can alias
  reached[0] = last[0] + at.deletion;
  Number least = reached[0];
  for (std::size_t j = 0; j + 1 < columns; ++j) {
    const Number change = word == b[j] ? Number{0} : at.substitution;
    reached[j + 1] = std::min<Number>(last[j + 1] + at.deletion, last[j] + change + at.fees[j]);
    least = std::min(least, reached[j + 1]);
  }
  return least;
}

// Leaps behind the last step, and insertions. A walk by insertions from k to j costs fares[j] - fares[k], so
// the cheapest one to j is the least cost less fare so far.
template <typename Number>
void leave_places(Number least, const Number* reached, std::size_t columns, const WalkPrices<Number>& prices,
                  Number* out) {
  const Number anywhere = least + prices.leap_back;
  Number before = anywhere - prices.leap;
  Number held = anywhere;
  for (std::size_t j = 0; j < columns; ++j) {
    before = std::min(before, reached[j]);
    held = std::min<Number>(held, std::min<Number>(reached[j], before + prices.leap) - prices.fares[j]);
    out[j] = held + prices.fares[j];
  }
}

template <typename Number>
void fill_walk_row(std::int32_t word, const std::int32_t* b, std::size_t columns,
                   const WalkPrices<Number>& prices, const Number* last, Number* reached, Number* out) {
  leave_places(reach_places(word, b, columns, prices, last, reached), reached, columns, prices, out);
}

#if TERTIUM_HAS_AVX2
// The minimum of all lanes up to each one.
TERTIUM_AVX2_INLINE simd::Int32x8 least_so_far(simd::Int32x8 lanes) {
  lanes = simd::min(lanes, simd::shift_up<1>(lanes));
  lanes = simd::min(lanes, simd::shift_up<2>(lanes));
  return simd::min(lanes, simd::shift_up<4>(lanes));
}

TERTIUM_AVX2 inline void leave_places_avx2(std::int32_t least, const std::int32_t* reached,
                                           std::size_t columns, const WalkPrices<std::int32_t>& prices,
                                           std::int32_t* out) {
  using simd::Int32x8;
  const auto leap = Int32x8::all(prices.leap);
  auto held = Int32x8::all(least + prices.leap_back);
  Int32x8 before = held - leap;
  for (std::size_t j = 0; j < columns; j += 8) {
    const auto here = Int32x8::load(reached + j), fares = Int32x8::load(prices.fares + j);
    const Int32x8 leapt_from = simd::min(before, least_so_far(here));
    const Int32x8 cost = simd::min(here, leapt_from + leap);
    const Int32x8 so_far = simd::min(held, least_so_far(cost - fares));
    (so_far + fares).store(out + j);
    before = simd::spread_last(leapt_from);
    held = simd::spread_last(so_far);
  }
}

TERTIUM_AVX2 inline void fill_walk_row_avx2(std::int32_t word, const std::int32_t* b, std::size_t columns,
                                            const WalkPrices<std::int32_t>& prices, const std::int32_t* last,
                                            std::int32_t* reached, std::int32_t* out) {
  leave_places_avx2(reach_places(word, b, columns, prices, last, reached), reached, columns, prices, out);
}
#endif

}  // namespace tertium
