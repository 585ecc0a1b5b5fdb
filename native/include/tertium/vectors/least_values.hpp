// The least of many numbers and the first place where it stands: what the transportation problem asks for
// most. Four numbers at a time, by wide registers where the processor has them; a least number is the same
// however it was found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>
#endif

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

  TERTIUM_AVX __m256d load(std::size_t at) const { return _mm256_loadu_pd(values + at); }
};
struct WideDifferences {
  const double* values;
  const double* taken;

  TERTIUM_AVX __m256d load(std::size_t at) const {
    return _mm256_sub_pd(_mm256_loadu_pd(values + at), _mm256_loadu_pd(taken + at));
  }
};

template <typename Numbers>
concept Wide = requires(const Numbers& numbers) { numbers.load(0); };

// At least four numbers; the last four may overlap those before, which changes no least.
template <Wide Numbers>
TERTIUM_AVX inline double find_value(const Numbers& numbers, std::size_t count) {
  __m256d leasts = numbers.load(count - kLanes);
  for (std::size_t j = 0; j + kLanes < count; j += kLanes) leasts = _mm256_min_pd(leasts, numbers.load(j));
  const __m128d two = _mm_min_pd(_mm256_castpd256_pd128(leasts), _mm256_extractf128_pd(leasts, 1));
  return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

// All places are compared, up to 64 before the first is taken: leaving as soon as one is found would cost a
// wrong guess of the processor at nearly every call.
template <Wide Numbers>
TERTIUM_AVX inline std::size_t find_place(const Numbers& numbers, std::size_t count, double value) {
  const __m256d wanted = _mm256_set1_pd(value);
  for (std::size_t begin = 0;; begin += 64) {
    const std::size_t end = std::min(begin + 64, count);
    std::uint64_t found = 0;
    for (std::size_t j = begin; j < end; j += kLanes) {
      const std::size_t at = std::min(j, count - kLanes);
      const int equal = _mm256_movemask_pd(_mm256_cmp_pd(numbers.load(at), wanted, _CMP_EQ_OQ));
      found |= static_cast<std::uint64_t>(equal >> (j - at)) << (j - begin);
    }
    if (found != 0) return begin + static_cast<std::size_t>(__builtin_ctzll(found));
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
  TERTIUM_AVX static std::size_t find(const double* values, std::size_t count) {
    if (count < kLanes) return Search::find(values, count);
    const WideValues numbers{values};
    return find_place(numbers, count, find_value(numbers, count));
  }
  TERTIUM_AVX static std::size_t find(const double* values, const double* taken, std::size_t count) {
    if (count < kLanes) return Search::find(values, taken, count);
    const WideDifferences numbers{values, taken};
    return find_place(numbers, count, find_value(numbers, count));
  }
};

#endif

}  // namespace tertium::least
