// Pearson's r of mixtures of two metrics within a group: sums over the cells that a sample keeps.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/stats/human_group.hpp"
#include "tertium/stats/lanes.hpp"

namespace tertium {

// A mixture and its opposite: coefficients of both, NaN where there is none.
using BothValues = std::array<double, 2>;

class MixedSums {
 public:
  void prepare(const HumanGroup& human, std::span<const double> first, std::span<const double> second) {
    human_ = &human;
    first_ = first;
    second_ = second;
    const std::size_t n = human.size();
    const double share = 1 / static_cast<double>(n);
    const double mean = std::accumulate(human.scores.begin(), human.scores.end(), 0.0) * share;
    double center = 0;
    for (std::size_t c = 0; c < n; ++c) center += (first[c] + second[c]) * share / 2;
    base_ = {}, total_ = {};
    double target = 0;
    gains_.assign((n + kAtOnce - 1) / kAtOnce * kAtOnce, {});
    for (std::size_t c = 0; c < n; ++c) {
      const double a = first[c] - center, b = second[c] - center, weight = human.scores[c] - mean;
      const double own[3] = {a, a * a, a * weight}, other[3] = {b, b * b, b * weight};
      for (std::size_t k = 0; k < 3; ++k) {
        gains_[c][k] = own[k] - other[k];
        base_[k] += other[k];
        total_[k] += own[k] + other[k];
      }
      target += weight * weight;
    }
    fill_tables();
    target_ = std::sqrt(target);
    may_be_constant_ = could_all_be(first[0]) || could_all_be(second[0]);
  }

  TERTIUM_INLINE BothValues evaluate(const std::uint8_t* kept) const {
    Four sums = {};
    const double* table = tables_.data();
    for (std::size_t c = 0; c < human_->size(); c += kAtOnce, table += kEntries * kWidth) {
      std::size_t entry = 0;
      for (std::size_t i = 0; i < std::min(kAtOnce, human_->size() - c); ++i)
        entry |= std::size_t{kept[c + i]} << i;
      sums += lanes_at(table + entry * kWidth);
    }
    const double* lanes = reinterpret_cast<const double*>(&sums);
    double mixture[3], opposite[3];
    for (std::size_t k = 0; k < 3; ++k) {
      mixture[k] = base_[k] + lanes[k];
      opposite[k] = total_[k] - mixture[k];
    }
    return {correlation(mixture, kept, 1), correlation(opposite, kept, 0)};
  }

 private:
  using Sums = std::array<double, 4>;  // the last one is for the registers
  static constexpr std::size_t kAtOnce = 4, kEntries = std::size_t{1} << kAtOnce, kWidth = 4;

  // Adds up the gains of every choice among four neighbouring cells.
  void fill_tables() {
    tables_.assign(gains_.size() / kAtOnce * kEntries * kWidth, 0.0);
    double* table = tables_.data();
    for (std::size_t c = 0; c < gains_.size(); c += kAtOnce, table += kEntries * kWidth)
      for (std::size_t i = 0; i < kAtOnce; ++i)
        for (std::size_t entry = 0; entry < std::size_t{1} << i; ++entry)
          for (std::size_t k = 0; k < kWidth; ++k)
            table[(entry | std::size_t{1} << i) * kWidth + k] = table[entry * kWidth + k] + gains_[c + i][k];
  }

  TERTIUM_INLINE double correlation(const double* sums, const std::uint8_t* kept,
                                    std::uint8_t of_first) const {
    const double spread = sums[1] - sums[0] * sums[0] / static_cast<double>(human_->size());
    const double below = std::sqrt(std::max(spread, 0.0)) * target_;
    if (!(below > 0) || human_->n_values < 2 || (may_be_constant_ && is_constant(kept, of_first)))
      return kMissing;
    return std::clamp(sums[2] / below, -1.0, 1.0);
  }

  bool could_all_be(double score) const {
    for (std::size_t c = 0; c < human_->size(); ++c)
      if (first_[c] != score && second_[c] != score) return false;
    return true;
  }

  // Whether the mixture that has the first metric's score where kept[c] == of_first is the same everywhere.
  bool is_constant(const std::uint8_t* kept, std::uint8_t of_first) const {
    const auto score = [&](std::size_t c) { return kept[c] == of_first ? first_[c] : second_[c]; };
    for (std::size_t c = 1; c < human_->size(); ++c)
      if (score(c) != score(0)) return false;
    return true;
  }

  const HumanGroup* human_ = nullptr;
  std::span<const double> first_, second_;
  // Of scores, their squares and their products with human scores: what the first metric adds to the second's
  // in each cell, the second one's sum, and the sum of both.
  std::vector<Sums> gains_;
  std::vector<double> tables_;  // for each four cells, the gains of all 16 choices among them
  std::array<double, 3> base_{}, total_{};
  double target_ = 0;  // the root of the human scores' spread
  bool may_be_constant_ = false;
};

}  // namespace tertium
