// The minimum of many numbers and its first position, which the transportation problem needs most often. Four
// numbers at a time with AVX2; the minimum is the same either way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tertium/base/simd.hpp"

namespace tertium::least {

inline constexpr std::size_t kLanes = 4;

struct Values {
  const double* values;

  double operator[](std::size_t at) const { return values[at]; }
};
struct Differences {
  const double* values;
  const double* taken;

  double operator[](std::size_t at) const { return values[at] - taken[at]; }
};

// Each comparison waits for the one before, so four lanes have each a least of their own.
template <typename Numbers>
double find_value(const Numbers& numbers, std::size_t count) {
  double leasts[kLanes] = {numbers[0], numbers[0], numbers[0], numbers[0]};
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double number = numbers[j + lane];
      leasts[lane] = number < leasts[lane] ? number : leasts[lane];
    }
  for (; j < count; ++j) leasts[0] = std::min(leasts[0], numbers[j]);
  return std::min(std::min(leasts[0], leasts[1]), std::min(leasts[2], leasts[3]));
}

template <typename Numbers>
std::size_t find_place(const Numbers& numbers, std::size_t, double value) {
  std::size_t j = 0;
  while (numbers[j] != value) ++j;
  return j;
}

#if TERTIUM_HAS_AVX2

// The same numbers, four at a time.
struct WideValues {
  const double* values;

  TERTIUM_INLINE simd::Double4 load(std::size_t at) const { return simd::Double4::load(values + at); }
};
struct WideDifferences {
  const double* values;
  const double* taken;

  TERTIUM_INLINE simd::Double4 load(std::size_t at) const {
    return simd::Double4::load(values + at) - simd::Double4::load(taken + at);
  }
};

template <typename Numbers>
concept Wide = requires(const Numbers& numbers) { numbers.load(0); };

// There are at least four numbers; the last four may overlap those before, which changes no minimum.
template <Wide Numbers>
TERTIUM_AVX2 inline double find_value(const Numbers& numbers, std::size_t count) {
  simd::Double4 leasts = numbers.load(count - kLanes);
  for (std::size_t j = 0; j + kLanes < count; j += kLanes) leasts = simd::min(leasts, numbers.load(j));
  const double even = leasts[0] < leasts[2] ? leasts[0] : leasts[2];
  const double odd = leasts[1] < leasts[3] ? leasts[1] : leasts[3];
  return even < odd ? even : odd;
}

// Compares 64 places before it takes the first one found: leaving the loop at the first would cost a branch
// misprediction at nearly every call.
template <Wide Numbers>
TERTIUM_AVX2 inline std::size_t find_place(const Numbers& numbers, std::size_t count, double value) {
  const auto wanted = simd::Double4::all(value);
  for (std::size_t begin = 0;; begin += 64) {
    const std::size_t end = std::min(begin + 64, count);
    std::uint64_t found = 0;
    for (std::size_t j = begin; j < end; j += kLanes) {
      const std::size_t at = std::min(j, count - kLanes);
      const std::uint64_t equal = simd::sign_bits(numbers.load(at) == wanted);
      found |= equal >> (j - at) << (j - begin);
    }
    if (found != 0) return begin + static_cast<std::size_t>(std::countr_zero(found));
  }
}

#endif

// The first place of the least of values[.], or of values[.] - taken[.]: there is at least one, and none is
// NaN.
struct Search {
  static std::size_t find(const double* values, std::size_t count) {
    return find_first(Values{values}, count);
  }
  static std::size_t find(const double* values, const double* taken, std::size_t count) {
    return find_first(Differences{values, taken}, count);
  }

 private:
  template <typename Numbers>
  static std::size_t find_first(const Numbers& numbers, std::size_t count) {
    return find_place(numbers, count, find_value(numbers, count));
  }
};

#if TERTIUM_HAS_AVX2

struct WideSearch {
  TERTIUM_AVX2 static std::size_t find(const double* values, std::size_t count) {
    if (count < kLanes) return Search::find(values, count);
    const WideValues numbers{values};
    return find_place(numbers, count, find_value(numbers, count));
  }
  TERTIUM_AVX2 static std::size_t find(const double* values, const double* taken, std::size_t count) {
    if (count < kLanes) return Search::find(values, taken, count);
    const WideDifferences numbers{values, taken};
    return find_place(numbers, count, find_value(numbers, count));
  }
};

#endif

}  // namespace tertium::least
