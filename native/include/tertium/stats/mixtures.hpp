// Coefficients of mixtures of two metrics within segments: the inside of PERM-BOTH (Deutsch, Dror & Roth
// 2021).
//
// A segment of n systems has 2^n mixtures. Where that is a small number, the coefficients of all of them are
// made in one sweep and resamples look theirs up: O(2^n) per segment and pair of metrics, since sums over
// systems, or over pairs of systems, grow by one addition when one more system takes the other metric's
// score.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/named.hpp"
#include "tertium/base/parallel.hpp"

namespace tertium {

enum class Coefficient { kPearson, kKendall, kRed, kAccuracy };

inline constexpr Named<Coefficient> kCoefficients[] = {
    {"pearson", Coefficient::kPearson},
    {"kendall", Coefficient::kKendall},
    {"red", Coefficient::kRed},
    {"accuracy", Coefficient::kAccuracy},
};

// Beyond this many systems making all mixtures costs more than it saves.
inline constexpr std::size_t kTabledSystems = 12;

inline int order_of(double one, double other) { return (one > other) - (one < other); }

// A segment: people's scores of n systems, and two metrics' scores of them.
struct MixedItem {
  std::span<const double> human, first, second;
  std::size_t size() const { return human.size(); }
};

// What a pair of systems adds to the upper and the lower side of a rank coefficient, by the metric's order.
struct PairMarks {
  Coefficient kind;

  int above(int metric, int human) const {
    return kind == Coefficient::kAccuracy ? metric == human : metric * human;
  }
  int below(int metric, int human) const {
    if (kind == Coefficient::kAccuracy) return 1;
    return metric != 0 && (kind == Coefficient::kKendall || human != 0);
  }
  // One over the lower side; `decided` counts the pairs that people do not tie.
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
    // a rounded mean is no difference among people
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
    // two plain loops, which compilers turn into vector code
    const double share = 1.0 / static_cast<double>(n);
    for (std::size_t u = 0; u < values_.size(); ++u) {
      const double spread = squares_[u] - sums_[u] * sums_[u] * share;
      sums_[u] = spread > 1e-12 * squares_[u] ? spread * target : 0.0;
    }
    // what rounding leaves of a constant mixture is no spread, even where its squares are as small
    if (n > 0) forget_constant(item, item.first[0]), forget_constant(item, item.second[0]);
    for (std::size_t u = 0; u < values_.size(); ++u)
      values_[u] = sums_[u] > 0 ? products_[u] / std::sqrt(sums_[u]) : std::nan("");
  }

  // Takes the spread from all mixtures that have the same score everywhere.
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

// Segments side by side: `human` (cells), `scores` (metrics x cells), the cells of segment i at
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
      if (offsets[i + 1] - offsets[i] > static_cast<std::int64_t>(kTabledSystems))
        throw std::invalid_argument("a segment has too many systems");
  }
};

// The mixtures of every segment and sample as numbers, (items x samples).
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

// Fills (pairs of metrics x samples) with the average coefficient of the mixture minus that of the opposite
// one, over the segments where each exists; pairs are ordered as (0, 1), (0, 2), ..., (1, 2), ...
inline void permute_within_items(const MixedItems& given, Coefficient kind, std::size_t threads,
                                 std::span<double> null) {
  const auto codes = mixture_codes(given);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < given.metrics; ++a)
    for (std::size_t b = a + 1; b < given.metrics; ++b) pairs.emplace_back(a, b);
  const auto make_worker = [&] {
    return [&, table = MixtureTable{}, sums = std::vector<double>{},
            counts = std::vector<double>{}](std::size_t pair) mutable {
      sums.assign(2 * given.samples, 0);
      counts.assign(2 * given.samples, 0);
      double everywhere = 0;  // segments all of whose mixtures have a coefficient
      const auto row = [&](std::size_t metric) {
        return given.scores.subspan(metric * given.cells(), given.cells());
      };
      for (std::size_t i = 0; i < given.items(); ++i) {
        check_interrupts();
        const auto begin = static_cast<std::size_t>(given.offsets[i]);
        const auto n = static_cast<std::size_t>(given.offsets[i + 1]) - begin;
        const auto values =
            table.fill({given.human.subspan(begin, n), row(pairs[pair].first).subspan(begin, n),
                        row(pairs[pair].second).subspan(begin, n)},
                       kind);
        const std::size_t last = values.size() - 1;
        if (std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
          ++everywhere;
          for (std::size_t r = 0; r < given.samples; ++r) {
            const std::size_t code = codes[i * given.samples + r];
            sums[2 * r] += values[code];
            sums[2 * r + 1] += values[last - code];
          }
          continue;
        }
        for (std::size_t r = 0; r < given.samples; ++r) {
          const std::size_t code = codes[i * given.samples + r];
          const double kept = values[code], exchanged = values[last - code];
          if (!std::isnan(kept)) sums[2 * r] += kept, counts[2 * r] += 1;
          if (!std::isnan(exchanged)) sums[2 * r + 1] += exchanged, counts[2 * r + 1] += 1;
        }
      }
      for (std::size_t r = 0; r < given.samples; ++r) {
        const double n_kept = everywhere + counts[2 * r], n_exchanged = everywhere + counts[2 * r + 1];
        null[pair * given.samples + r] =
            n_kept > 0 && n_exchanged > 0 ? sums[2 * r] / n_kept - sums[2 * r + 1] / n_exchanged : 0.0;
      }
    };
  };
  // a pair of metrics is work for a second: worth a thread, however few there are
  const std::size_t workers =
      std::min(std::max<std::size_t>(threads, 1), std::max<std::size_t>(pairs.size(), 1));
  std::atomic<std::size_t> next{0};
  on_each_worker(workers, [&](std::size_t) {
    auto worker = make_worker();
    for (std::size_t pair; (pair = next.fetch_add(1)) < pairs.size();) worker(pair);
  });
}

}  // namespace tertium
