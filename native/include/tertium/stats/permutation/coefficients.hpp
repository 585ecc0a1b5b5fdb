// The coefficients of agreement between a metric and people that PERM-BOTH knows, by the names that Python
// uses; the human scores of a group of cells, and the coefficients that follow from the order of its pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/named.hpp"

namespace tertium {

enum class Coefficient { kPearson, kKendall, kRed, kAccuracy, kSpearman, kKendallC };

inline constexpr Named<Coefficient> kCoefficients[] = {
    {"pearson", Coefficient::kPearson},   {"kendall", Coefficient::kKendall},
    {"red", Coefficient::kRed},           {"accuracy", Coefficient::kAccuracy},
    {"spearman", Coefficient::kSpearman}, {"kendall-c", Coefficient::kKendallC},
};

// Those of which item_mixtures.hpp can make a table of all mixtures.
inline constexpr std::span<const Named<Coefficient>> kTabledCoefficients = std::span(kCoefficients).first(4);

// All pairs of metrics, in the order in which results are written: (0, 1), (0, 2), ..., (1, 2), ...
inline std::vector<std::pair<std::size_t, std::size_t>> metric_pairs(std::size_t metrics) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < metrics; ++a)
    for (std::size_t b = a + 1; b < metrics; ++b) pairs.emplace_back(a, b);
  return pairs;
}

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

inline double ratio(double above, double below) { return below > 0 ? above / below : kMissing; }

// The human scores of a group's cells, in the forms that the coefficients need.
struct HumanGroup {
  std::span<const double> scores;
  std::vector<std::uint32_t> place;  // in the order of scores, ties in any order
  std::vector<std::uint32_t> end;    // one beyond the last place of an equal score
  std::vector<double> rank;          // average rank, from 1
  std::int64_t n_tied_pairs = 0, n_values = 0;
  double rank_spread = 0;  // n times the variance of ranks

  std::size_t size() const { return scores.size(); }
  std::int64_t n_pairs() const { return static_cast<std::int64_t>(size() * (size() - (size() > 0)) / 2); }

  explicit HumanGroup(std::span<const double> given)
      : scores(given), place(given.size()), end(given.size()), rank(given.size()) {
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return scores[a] < scores[b]; });
    for (std::size_t begin = 0, after = 0; begin < size(); begin = after) {
      while (after < size() && scores[order[after]] == scores[order[begin]]) ++after;
      const double average = (static_cast<double>(begin + after) + 1) / 2;
      for (std::size_t i = begin; i < after; ++i) {
        place[order[i]] = static_cast<std::uint32_t>(i);
        end[order[i]] = static_cast<std::uint32_t>(after);
        rank[order[i]] = average;
      }
      ++n_values;
      n_tied_pairs += static_cast<std::int64_t>((after - begin) * (after - begin - 1) / 2);
      rank_spread += static_cast<double>(after - begin) * average * average;
    }
    const auto n = static_cast<double>(size());
    rank_spread -= n * (n + 1) * (n + 1) / 4;
  }
};

// The numbers of pairs of a mixture, by their order beside the human one.
struct MixtureCounts {
  std::int64_t discordant = 0, tied = 0, tied_both = 0, n_values = 0;

  double coefficient(Coefficient kind, const HumanGroup& human) const {
    const std::int64_t untied = human.n_pairs() - human.n_tied_pairs - tied + tied_both;
    const auto surplus = static_cast<double>(untied - 2 * discordant);
    if (kind == Coefficient::kAccuracy)
      return ratio(static_cast<double>(untied - discordant + tied_both),
                   static_cast<double>(human.n_pairs()));
    if (kind == Coefficient::kRed) return ratio(surplus, static_cast<double>(untied));
    if (kind == Coefficient::kKendallC) {
      const auto n = static_cast<double>(human.size());
      const auto values = static_cast<double>(std::min(n_values, human.n_values));
      return ratio(2 * surplus * values, n * n * (values - 1));
    }
    return ratio(surplus, std::sqrt(static_cast<double>(human.n_pairs() - human.n_tied_pairs)) *
                              std::sqrt(static_cast<double>(human.n_pairs() - tied)));
  }
};

}  // namespace tertium
