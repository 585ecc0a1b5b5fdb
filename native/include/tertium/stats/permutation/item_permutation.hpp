// PERM-BOTH within segments (Deutsch, Dror & Roth 2021): exchanges two metrics' scores at random, cell by
// cell, and computes the resulting difference in their agreement with human judgments. O(segments x
// (2^systems + samples)) for each pair of metrics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/stats/permutation/item_mixtures.hpp"

namespace tertium {

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

// Fills (pairs of metrics x samples); pairs are ordered as (0, 1), (0, 2), ..., (1, 2), ...
inline void permute_within_items(const MixedItems& given, Coefficient kind, std::size_t threads,
                                 std::span<double> null) {
  const auto codes = mixture_codes(given);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < given.metrics; ++a)
    for (std::size_t b = a + 1; b < given.metrics; ++b) pairs.emplace_back(a, b);
  parallel_tasks(pairs.size(), threads, [&] {
    return [&, permuter = PairPermuter(given, codes, kind)](std::size_t pair) mutable {
      permuter.compare(pairs[pair].first, pairs[pair].second,
                       null.subspan(pair * given.samples, given.samples));
    };
  });
}

}  // namespace tertium
