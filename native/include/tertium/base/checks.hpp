// Checks of arrays that come from outside. Kernels index without bounds checks, so an array that does not
// pass here would make them read foreign memory. Linear, once per batch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "tertium/base/column.hpp"
#include "tertium/base/simd.hpp"

namespace tertium {

inline void check_offsets(std::span<const std::int64_t> offsets, std::size_t items) {
  const bool fits = !offsets.empty() && offsets.front() == 0 &&
                    offsets.back() == static_cast<std::int64_t>(items) && std::ranges::is_sorted(offsets);
  if (!fits) throw std::invalid_argument("offsets must rise from 0 to the number of items");
}

// Every segment must have at least one reference.
inline void check_groups(std::span<const std::int64_t> groups, std::size_t segments, std::size_t references) {
  check_offsets(groups, references);
  if (groups.size() != segments + 1) throw std::invalid_argument("as many segments as references are needed");
  if (std::ranges::adjacent_find(groups) != groups.end())
    throw std::invalid_argument("every segment needs a reference");
}

// Each number must be in [least, end).
inline void check_range(std::span<const std::int32_t> numbers, std::int32_t least, std::size_t end,
                        const char* complaint) {
  const auto fits = [&](std::int32_t number) {
    return number >= least && (number < 0 || static_cast<std::size_t>(number) < end);
  };
  if (!std::ranges::all_of(numbers, fits)) throw std::invalid_argument(complaint);
}

// The largest magnitude among the values, or NaN if one of them is NaN. As integers, the bits of magnitudes
// are ordered as the magnitudes are, and NaN comes last; compilers vectorise the comparison of integers.
template <typename Float>
TERTIUM_INLINE Float largest_magnitude_with(std::span<const Float> values) {
  using Bits = std::conditional_t<sizeof(Float) == 4, std::int32_t, std::int64_t>;
  Bits largest = 0;
  for (const Float value : values)
    largest =
        std::max(largest, static_cast<Bits>(std::bit_cast<Bits>(value) & std::numeric_limits<Bits>::max()));
  return std::bit_cast<Float>(largest);
}
template <typename Float>
Float largest_magnitude(std::span<const Float> values) {
  return simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { return largest_magnitude_with(values); });
}

// Numbers up to this size can be added a hundred million times without overflow.
inline constexpr double kLargestTerm = 1e300;

// Returns the largest magnitude.
inline double check_finite(std::span<const double> values, const char* complaint) {
  const double largest = largest_magnitude(values);
  if (!(largest <= kLargestTerm)) throw std::invalid_argument(complaint);
  return largest;
}

inline Column check_column(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) {
  check_offsets(offsets, ids.size());
  return {ids, offsets};
}

}  // namespace tertium
