// Differences between the resampled scores of every pair of systems. O(systems^2 x samples).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/parallel.hpp"

namespace tertium {

// Scores (systems x samples) and each system's mean score.
struct ResampledScores {
  std::span<const double> scores, means;

  std::size_t systems() const { return means.size(); }
  std::size_t samples() const { return means.empty() ? 0 : scores.size() / means.size(); }
  const double* of(std::size_t system) const { return scores.data() + system * samples(); }
};

// Of one pair: samples whose centred difference exceeds the threshold, and samples whose difference exceeds
// what rounding explains.
struct GapCounts {
  std::int64_t beyond, apart;
};

inline GapCounts count_gaps(const ResampledScores& given, std::size_t a, std::size_t b, double threshold,
                            double rounding) {
  const double* first = given.of(a);
  const double* second = given.of(b);
  const double center = given.means[a] - given.means[b];
  std::int64_t beyond = 0, apart = 0;
  for (std::size_t s = 0; s < given.samples(); ++s) {
    const double gap = first[s] - second[s];
    beyond += std::fabs(gap - center) > threshold;
    apart += std::fabs(gap) > rounding;
  }
  return {beyond, apart};
}

// Fills both matrices (systems x systems); thresholds and roundings are matrices too, read above the
// diagonal.
inline void count_all_gaps(const ResampledScores& given, std::span<const double> thresholds,
                           std::span<const double> roundings, std::size_t threads,
                           std::span<std::int64_t> beyond, std::span<std::int64_t> apart) {
  const std::size_t n = given.systems();
  parallel_tasks(n, threads, [&] {
    return [&](std::size_t a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        const GapCounts counts = count_gaps(given, a, b, thresholds[a * n + b], roundings[a * n + b]);
        beyond[a * n + b] = beyond[b * n + a] = counts.beyond;
        apart[a * n + b] = apart[b * n + a] = counts.apart;
      }
    };
  });
}

}  // namespace tertium
