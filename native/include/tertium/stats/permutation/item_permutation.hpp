// PERM-BOTH within segments (Deutsch, Dror & Roth 2021): exchanges two metrics' scores at random, cell by
// cell, and computes the resulting difference in their agreement with human judgments. O(segments x
// (2^systems + samples)) for each pair of metrics.
//
// A segment of n systems has 2^n mixtures. If that number is small, the coefficients of all of them are
// computed in one sweep and resamples look theirs up, because sums over systems, or over pairs of systems,
// change by one addition when one more system takes the other metric's score.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/stats/permutation/coefficients.hpp"

namespace tertium {

// With more systems, computing all mixtures takes longer than evaluating those of the samples: 2^12 is four
// times the usual 1,000 samples.
inline constexpr std::size_t kMaxTabledSystems = 12;

inline int order_of(double one, double other) { return (one > other) - (one < other); }

// A segment: human scores of n systems, and two metrics' scores of them.
struct MixedItem {
  std::span<const double> human, first, second;
  std::size_t size() const { return human.size(); }
};

// The contribution of a pair of systems to the numerator and the denominator of a rank coefficient, by the
// order of the metric's scores.
struct PairMarks {
  Coefficient kind;

  int above(int metric, int human) const {
    return kind == Coefficient::kAccuracy ? metric == human : metric * human;
  }
  int below(int metric, int human) const {
    if (kind == Coefficient::kAccuracy) return 1;
    return metric != 0 && (kind == Coefficient::kKendall || human != 0);
  }
  // The reciprocal of the denominator; `decided` counts the pairs without a human tie.
  double factor(int below, int decided) const {
    if (below <= 0) return std::nan("");
    return 1.0 / (kind == Coefficient::kKendall ? std::sqrt(static_cast<double>(decided) * below) : below);
  }
};

// Coefficients of all mixtures of a segment; bit c of a mixture says that system c has the first metric's
// score. NaN where a coefficient does not exist.
class MixtureTable {
 public:
  std::span<const double> fill(const MixedItem& item, Coefficient kind) {
    values_.resize(std::size_t{1} << item.size());
    if (kind == Coefficient::kPearson) {
      fill_pearson(item);
    } else {
      fill_ranked(item, PairMarks{kind});
    }
    return values_;
  }

 private:
  void fill_pearson(const MixedItem& item) {
    const std::size_t n = item.size();
    double center = 0, mean = 0;
    for (std::size_t c = 0; c < n; ++c) {
      center += (item.first[c] + item.second[c]) / static_cast<double>(2 * n);
      mean += item.human[c] / static_cast<double>(n);
    }
    double target = 0;
    for (std::size_t c = 0; c < n; ++c) target += (item.human[c] - mean) * (item.human[c] - mean);
    // if all human scores are equal, their variance is 0, even if the mean was rounded
    if (n > 0 && std::ranges::count(item.human, item.human[0]) == static_cast<std::ptrdiff_t>(n)) target = 0;
    sums_.assign(values_.size(), 0);
    squares_.assign(values_.size(), 0);
    products_.assign(values_.size(), 0);
    for (std::size_t c = 0; c < n; ++c) {
      const double b = item.second[c] - center;
      sums_[0] += b;
      squares_[0] += b * b;
      products_[0] += b * (item.human[c] - mean);
    }
    for (std::size_t c = 0; c < n; ++c) {
      const double a = item.first[c] - center, b = item.second[c] - center;
      double_up(sums_, c, a - b);
      double_up(squares_, c, a * a - b * b);
      double_up(products_, c, (a - b) * (item.human[c] - mean));
    }
    // two simple loops, which compilers vectorise
    const double share = 1.0 / static_cast<double>(n);
    for (std::size_t u = 0; u < values_.size(); ++u) {
      const double spread = squares_[u] - sums_[u] * sums_[u] * share;
      sums_[u] = spread > 1e-12 * squares_[u] ? spread * target : 0.0;
    }
    // the variance of a constant mixture is 0; set it explicitly, because rounding errors may exceed the
    // limit above
    if (n > 0) forget_constant(item, item.first[0]), forget_constant(item, item.second[0]);
    for (std::size_t u = 0; u < values_.size(); ++u)
      values_[u] = sums_[u] > 0 ? products_[u] / std::sqrt(sums_[u]) : std::nan("");
  }

  // Sets the variance of all mixtures that have the same score everywhere to 0.
  void forget_constant(const MixedItem& item, double score) {
    std::size_t fixed = 0,
                free = 0;  // cells that must have the first metric's score, and that may have either
    for (std::size_t c = 0; c < item.size(); ++c) {
      const bool has_first = item.first[c] == score, has_second = item.second[c] == score;
      if (!has_first && !has_second) return;
      fixed |= static_cast<std::size_t>(has_first && !has_second) << c;
      free |= static_cast<std::size_t>(has_first && has_second) << c;
    }
    for (std::size_t subset = free;; subset = (subset - 1) & free) {
      sums_[fixed | subset] = 0;
      if (subset == 0) break;
    }
  }

  void fill_ranked(const MixedItem& item, PairMarks marks) {
    int decided = 0;
    for (std::size_t d = 1; d < item.size(); ++d)
      for (std::size_t c = 0; c < d; ++c) decided += item.human[c] != item.human[d];
    sum_pairs(item, above_, [&](int metric, int human) { return marks.above(metric, human); });
    sum_pairs(item, below_, [&](int metric, int human) { return marks.below(metric, human); });
    factors_.resize(item.size() * item.size() + 1);
    for (std::size_t below = 0; below < factors_.size(); ++below)
      factors_[below] = marks.factor(static_cast<int>(below), decided);
    for (std::size_t u = 0; u < values_.size(); ++u)
      values_[u] = above_[u] * factors_[static_cast<std::size_t>(below_[u])];
  }

  // Sums a function of each pair's orders over all pairs: a quadratic form in the bits of the mixture.
  template <typename Mark>
  void sum_pairs(const MixedItem& item, std::vector<std::int16_t>& table, const Mark& mark) {
    const std::size_t n = item.size();
    std::vector<int> linear(n), mixed(n * n);
    int base = 0;
    for (std::size_t d = 1; d < n; ++d) {
      for (std::size_t c = 0; c < d; ++c) {
        const int human = order_of(item.human[c], item.human[d]);
        const int aa = mark(order_of(item.first[c], item.first[d]), human);
        const int ab = mark(order_of(item.first[c], item.second[d]), human);
        const int ba = mark(order_of(item.second[c], item.first[d]), human);
        const int bb = mark(order_of(item.second[c], item.second[d]), human);
        base += bb;
        linear[c] += ab - bb;
        linear[d] += ba - bb;
        mixed[d * n + c] = aa - ab - ba + bb;
      }
    }
    table.assign(values_.size(), static_cast<std::int16_t>(base));
    step_.assign(values_.size(), 0);
    for (std::size_t d = 0; d < n; ++d) {
      step_[0] = static_cast<std::int16_t>(linear[d]);
      for (std::size_t c = 0; c < d; ++c) double_up(step_, c, static_cast<std::int16_t>(mixed[d * n + c]));
      const std::size_t half = std::size_t{1} << d;
      for (std::size_t u = 0; u < half; ++u) table[half + u] = static_cast<std::int16_t>(table[u] + step_[u]);
    }
  }

  // table[u with bit c] = table[u] + growth, for all u below bit c
  template <typename T>
  static void double_up(std::vector<T>& table, std::size_t c, T growth) {
    const std::size_t half = std::size_t{1} << c;
    T* const values = table.data();
    for (std::size_t u = 0; u < half; ++u) values[half + u] = static_cast<T>(values[u] + growth);
  }

  std::vector<double> values_, sums_, squares_, products_, factors_;
  std::vector<std::int16_t> above_, below_, step_;
};

// All segments in one array: `human` (cells), `scores` (metrics x cells), the cells of segment i at
// [offsets[i], offsets[i + 1]), and `kept` (samples x cells): whether two metrics keep a cell.
struct MixedItems {
  std::span<const double> human, scores;
  std::span<const std::int64_t> offsets;
  std::span<const std::uint8_t> kept;
  std::size_t metrics, samples;

  std::size_t cells() const { return human.size(); }
  std::size_t items() const { return offsets.size() - 1; }
  std::size_t pairs() const { return metrics < 2 ? 0 : metrics * (metrics - 1) / 2; }

  void check() const {
    check_offsets(offsets, cells());
    if (scores.size() != metrics * cells() || kept.size() != samples * cells())
      throw std::invalid_argument("scores and samples need a column per cell");
    for (std::size_t i = 0; i < items(); ++i)
      if (offsets[i + 1] - offsets[i] > static_cast<std::int64_t>(kMaxTabledSystems))
        throw std::invalid_argument("a segment has too many systems");
  }
};

// The mixture of every segment and sample as a number whose bit c says whether cell c is kept, (items x
// samples).
inline std::vector<std::uint16_t> mixture_codes(const MixedItems& given) {
  std::vector<std::uint16_t> codes(given.items() * given.samples);
  for (std::size_t i = 0; i < given.items(); ++i) {
    const auto begin = static_cast<std::size_t>(given.offsets[i]);
    const auto end = static_cast<std::size_t>(given.offsets[i + 1]);
    for (std::size_t r = 0; r < given.samples; ++r) {
      unsigned code = 0;
      for (std::size_t cell = begin; cell < end; ++cell)
        code |= static_cast<unsigned>(given.kept[r * given.cells() + cell] != 0) << (cell - begin);
      codes[i * given.samples + r] = static_cast<std::uint16_t>(code);
    }
  }
  return codes;
}

// Compares one pair of metrics at a time over all segments. Keeps its tables between pairs; one per thread.
class PairPermuter {
 public:
  PairPermuter(const MixedItems& items, std::span<const std::uint16_t> codes, Coefficient kind)
      : items_(items), codes_(codes), kind_(kind) {}

  // null[r]: the average coefficient of sample r's mixture minus that of the opposite one, each over the
  // segments where it exists.
  void compare(std::size_t first, std::size_t second, std::span<double> null) {
    sums_.assign(2 * items_.samples, 0);
    counts_.assign(2 * items_.samples, 0);
    everywhere_ = 0;
    for (std::size_t i = 0; i < items_.items(); ++i) {
      check_interrupts();
      add(i, table_.fill(item(i, first, second), kind_));
    }
    for (std::size_t r = 0; r < items_.samples; ++r) {
      const double n_kept = everywhere_ + counts_[2 * r];
      const double n_exchanged = everywhere_ + counts_[2 * r + 1];
      null[r] = n_kept > 0 && n_exchanged > 0 ? sums_[2 * r] / n_kept - sums_[2 * r + 1] / n_exchanged : 0.0;
    }
  }

 private:
  MixedItem item(std::size_t i, std::size_t first, std::size_t second) const {
    const auto begin = static_cast<std::size_t>(items_.offsets[i]);
    const auto n = static_cast<std::size_t>(items_.offsets[i + 1]) - begin;
    const auto scores = [&](std::size_t metric) {
      return items_.scores.subspan(metric * items_.cells() + begin, n);
    };
    return {items_.human.subspan(begin, n), scores(first), scores(second)};
  }

  // If every mixture has a coefficient, as in nearly all segments, none has to be checked for NaN.
  void add(std::size_t i, std::span<const double> values) {
    const auto codes = codes_.subspan(i * items_.samples, items_.samples);
    const std::size_t last = values.size() - 1;
    if (std::ranges::none_of(values, [](double value) { return std::isnan(value); })) {
      ++everywhere_;
      for (std::size_t r = 0; r < codes.size(); ++r) {
        sums_[2 * r] += values[codes[r]];
        sums_[2 * r + 1] += values[last - codes[r]];
      }
      return;
    }
    for (std::size_t r = 0; r < codes.size(); ++r) {
      add_if_any(2 * r, values[codes[r]]);
      add_if_any(2 * r + 1, values[last - codes[r]]);
    }
  }
  void add_if_any(std::size_t at, double value) {
    if (std::isnan(value)) return;
    sums_[at] += value;
    counts_[at] += 1;
  }

  const MixedItems& items_;
  std::span<const std::uint16_t> codes_;
  Coefficient kind_;
  MixtureTable table_;
  std::vector<double> sums_, counts_;  // of each sample's mixture, and of its opposite
  double everywhere_ = 0;              // segments all of whose mixtures have a coefficient
};

// Fills (pairs of metrics x samples).
inline void permute_within_items(const MixedItems& given, Coefficient kind, std::size_t threads,
                                 std::span<double> null) {
  const auto codes = mixture_codes(given);
  const auto pairs = metric_pairs(given.metrics);
  parallel_tasks(pairs.size(), threads, [&] {
    return [&, permuter = PairPermuter(given, codes, kind)](std::size_t pair) mutable {
      permuter.compare(pairs[pair].first, pairs[pair].second,
                       null.subspan(pair * given.samples, given.samples));
    };
  });
}

}  // namespace tertium
