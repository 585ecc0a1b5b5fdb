// Pearson's r of mixtures of two metrics within a group, from sums over the cells that a sample keeps.
// O(cells / 4) per sample, by tables of all choices among four cells.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/stats/permutation/coefficients.hpp"

namespace tertium {

// Which cells each sample keeps, laid out for reading several samples at once: as codes of four neighbouring
// cells, or as masks cell by cell.

inline constexpr std::size_t kCodeCells =
    4;  // a table of 16 sums for each four cells fits a first-level cache

class KeptCodes {
 public:
  // `kept` is (samples x cells), zeros and ones; group i has the cells [offsets[i], offsets[i + 1]).
  KeptCodes(std::span<const std::uint8_t> kept, std::span<const std::int64_t> offsets, std::size_t samples)
      : padded_((samples + 3) / 4 * 4) {
    first_.push_back(0);
    for (std::size_t group = 0; group + 1 < offsets.size(); ++group)
      first_.push_back(first_.back() +
                       (static_cast<std::size_t>(offsets[group + 1] - offsets[group]) + kCodeCells - 1) /
                           kCodeCells);
    codes_.resize(first_.back() * padded_);
    const auto cells = samples == 0 ? 0 : kept.size() / samples;
    for (std::size_t sample = 0; sample < samples; ++sample)
      for (std::size_t group = 0; group + 1 < offsets.size(); ++group)
        encode(kept.subspan(sample * cells + static_cast<std::size_t>(offsets[group]),
                            static_cast<std::size_t>(offsets[group + 1] - offsets[group])),
               codes_.data() + first_[group] * padded_ + sample);
  }

  // The codes of a group's first four cells, sample by sample, up to a multiple of four samples; those of the
  // next four cells follow `padded()` places later.
  const std::uint8_t* of(std::size_t group) const { return codes_.data() + first_[group] * padded_; }
  std::size_t padded() const { return padded_; }

 private:
  void encode(std::span<const std::uint8_t> cells, std::uint8_t* codes) const {
    for (std::size_t c = 0; c < cells.size(); c += kCodeCells, codes += padded_) {
      unsigned code = 0;
      for (std::size_t i = 0; i < std::min(kCodeCells, cells.size() - c); ++i)
        code |= unsigned{cells[c + i]} << i;
      *codes = static_cast<std::uint8_t>(code);
    }
  }

  std::size_t padded_;
  std::vector<std::size_t> first_;  // of each group, among all fours of cells
  std::vector<std::uint8_t> codes_;
};

class KeptMasks {
 public:
  // `kept` is (samples x cells), zeros and ones.
  KeptMasks(std::span<const std::uint8_t> kept, std::size_t samples)
      : padded_((samples + 7) / 8 * 8), masks_(samples == 0 ? 0 : kept.size() / samples * padded_, 0) {
    const std::size_t cells = samples == 0 ? 0 : kept.size() / samples;
    constexpr std::size_t block = 32;  // of cells, so that what is written stays in the cache
    for (std::size_t begin = 0; begin < cells; begin += block)
      for (std::size_t sample = 0; sample < samples; ++sample)
        for (std::size_t cell = begin; cell < std::min(begin + block, cells); ++cell)
          masks_[cell * padded_ + sample] = static_cast<std::uint8_t>(0 - kept[sample * cells + cell]);
  }

  // 0xff where a sample keeps a cell, for neighbouring samples up to a multiple of eight; the next cell's
  // follow `padded()` places later.
  const std::uint8_t* at(std::size_t cell, std::size_t sample) const {
    return masks_.data() + cell * padded_ + sample;
  }
  std::size_t padded() const { return padded_; }

 private:
  std::size_t padded_;
  PooledVector<std::uint8_t> masks_;
};

// A mixture and its opposite: coefficients of both, NaN where there is none.
using BothValues = std::array<double, 2>;

#if TERTIUM_HAS_AVX2
// The sums of four samples: of scores, their squares, and their products with human scores.
struct FourSums {
  simd::Double4 of[3];
};
#endif

// Pointers to the sums and counts of coefficients, of a mixture and of its opposite.
struct MixturePlaces {
  std::array<double*, 2> sums, counts;
};

class MixedSums {
 public:
  void prepare(const HumanGroup& human, std::span<const double> first, std::span<const double> second) {
    human_ = &human;
    first_ = first;
    second_ = second;
    const std::size_t n = human.size();
    size_ = static_cast<double>(n);
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
    may_be_constant_ = n > 0 && (could_all_be(first[0]) || could_all_be(second[0]));
  }

  // Whether a group has coefficients and none of them requires checking single cells.
  bool is_plain() const { return human_->size() >= 2 && human_->n_values >= 2 && !may_be_constant_; }

#if TERTIUM_HAS_AVX2
  // Adds the coefficients of four mixtures, and of their opposites, to sums and counts of each; `codes` as in
  // KeptCodes. The group must be plain.
  TERTIUM_AVX2 void add_four_avx2(const std::uint8_t* codes, std::size_t padded,
                                  const MixturePlaces& to) const {
    const FourSums gained = look_up_four(codes, padded);
    FourSums mixture, opposite;
    for (std::size_t k = 0; k < 3; ++k) {
      mixture.of[k] = simd::Double4::all(base_[k]) + gained.of[k];
      opposite.of[k] = simd::Double4::all(total_[k]) - mixture.of[k];
    }
    add_coefficients(mixture, to.sums[0], to.counts[0]);
    add_coefficients(opposite, to.sums[1], to.counts[1]);
  }
#endif

  TERTIUM_INLINE BothValues evaluate(const std::uint8_t* kept) const {
    simd::Double4 sums{};
    const double* table = tables_.data();
    for (std::size_t c = 0; c < human_->size(); c += kAtOnce, table += kEntries * kWidth) {
      std::size_t entry = 0;
      for (std::size_t i = 0; i < std::min(kAtOnce, human_->size() - c); ++i)
        entry |= std::size_t{kept[c + i]} << i;
      sums += simd::Double4::load(table + entry * kWidth);
    }
    double mixture[3], opposite[3];
    for (std::size_t k = 0; k < 3; ++k) {
      mixture[k] = base_[k] + sums[k];
      opposite[k] = total_[k] - mixture[k];
    }
    return {correlation(mixture, kept, 1), correlation(opposite, kept, 0)};
  }

 private:
  using Sums = std::array<double, 4>;  // the last one is padding
  static constexpr std::size_t kAtOnce = kCodeCells, kEntries = std::size_t{1} << kAtOnce, kWidth = 4;

#if TERTIUM_HAS_AVX2
  // The sums of the gains of four samples, from the tables.
  TERTIUM_AVX2_INLINE FourSums look_up_four(const std::uint8_t* codes, std::size_t padded) const {
    simd::Double4 rows[4];
    simd::clear(rows);
    const double* table = tables_.data();
    for (std::size_t c = 0; c < human_->size(); c += kAtOnce, table += kEntries * kWidth, codes += padded)
      for (std::size_t s = 0; s < 4; ++s) rows[s] += simd::Double4::load(table + codes[s] * kWidth);
    simd::transpose(rows);
    return {{rows[0], rows[1], rows[2]}};
  }

  // As correlation() below; the order of the arguments lets NaN through, as std::max and std::clamp do.
  TERTIUM_AVX2_INLINE void add_coefficients(const FourSums& given, double* to, double* counts) const {
    using simd::Double4;
    const Double4 zero{}, one = Double4::all(1);
    const Double4 spread = given.of[1] - given.of[0] * given.of[0] / Double4::all(size_);
    const Double4 below = simd::sqrt(simd::max(zero, spread)) * Double4::all(target_);
    const Double4 value = simd::min(one, simd::max(Double4::all(-1), given.of[2] / below));
    const auto exists = (below > zero) & (value == value);
    (Double4::load(to) + simd::select(exists, value, zero)).store(to);
    (Double4::load(counts) + simd::select(exists, one, zero)).store(counts);
  }
#endif

  // Computes the sums of the gains of every choice among four neighbouring cells.
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
    const double spread = sums[1] - sums[0] * sums[0] / size_;
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
  // For scores, their squares and their products with human scores: the difference between the two metrics in
  // each cell, the sum of the second metric, and the sum of both.
  std::vector<Sums> gains_;
  std::vector<double> tables_;  // for each four cells, the gains of all 16 choices among them
  std::array<double, 3> base_{}, total_{};
  double size_ = 0;
  double target_ = 0;  // the root of the human scores' spread
  bool may_be_constant_ = false;
};

}  // namespace tertium
