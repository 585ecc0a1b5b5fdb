// PERM-BOTH over groups of cells (Deutsch, Dror & Roth 2021): the average coefficients of each sample's
// mixture and its opposite, and their differences. O(samples x cells) for each pair of metrics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tertium/base/parallel.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/stats/permutation/group_mixtures.hpp"
#include "tertium/stats/permutation/pearson_mixtures.hpp"

namespace tertium {

// Cells group by group: `human` (cells), `scores` (metrics x cells), group i at [offsets[i], offsets[i + 1]),
// and `kept` (samples x cells), zeros and ones.
struct GroupedCells {
  std::span<const double> human, scores;
  std::span<const std::int64_t> offsets;
  std::span<const std::uint8_t> kept;
  std::size_t metrics, samples;

  std::size_t cells() const { return human.size(); }
  std::size_t groups() const { return offsets.size() - 1; }
  std::size_t begin(std::size_t group) const { return static_cast<std::size_t>(offsets[group]); }
  std::span<const double> row(std::size_t metric, std::size_t group) const {
    return scores.subspan(metric * cells() + begin(group), begin(group + 1) - begin(group));
  }
};

// The sums of the coefficients of some samples' mixtures, and the number of groups that have one; padded to a
// multiple of four samples.
class MixtureSums {
 public:
  explicit MixtureSums(std::size_t samples)
      : padded_((samples + 3) / 4 * 4), sums_(2 * padded_), counts_(2 * padded_) {}

  TERTIUM_INLINE void add(std::size_t sample, const BothValues& values) {
    for (std::size_t j = 0; j < 2; ++j) {
      const bool exists = !std::isnan(values[j]);
      sums_[j * padded_ + sample] += exists ? values[j] : 0;
      counts_[j * padded_ + sample] += exists;
    }
  }

  MixturePlaces places(std::size_t sample) {
    return {{&sums_[sample], &sums_[padded_ + sample]}, {&counts_[sample], &counts_[padded_ + sample]}};
  }

  double difference(std::size_t sample) const {
    const std::size_t other = padded_ + sample;
    if (!(counts_[sample] > 0 && counts_[other] > 0)) return 0.0;
    return sums_[sample] / counts_[sample] - sums_[other] / counts_[other];
  }

 private:
  std::size_t padded_;
  std::vector<double> sums_, counts_;  // (2 x samples), of mixtures and of their opposites
};

struct SampleRange {
  std::size_t first, last;
};

#if TERTIUM_HAS_AVX2
TERTIUM_AVX2 inline void add_fours_avx2(const KeptCodes& codes, std::size_t group, SampleRange range,
                                        const MixedSums& mixed, MixtureSums& sums) {
  for (std::size_t sample = range.first; sample < range.last; sample += 4)
    mixed.add_four_avx2(codes.of(group) + sample, codes.padded(), sums.places(sample - range.first));
}

TERTIUM_AVX2 inline void add_eights_avx2(const KeptMasks& masks, std::size_t begin, SampleRange range,
                                         const MixedGroup& mixed, MixtureSums& sums) {
  for (std::size_t sample = range.first; sample < range.last; sample += kRankLanes) {
    const RankSums eight =
        sum_ranks_avx2(mixed.entries(), mixed.ends(), masks.at(begin, sample), masks.padded());
    for (std::size_t lane = 0; lane < kRankLanes && sample + lane < range.last; ++lane)
      sums.add(sample + lane - range.first, mixed.rank_correlations(eight, lane));
  }
}
#endif

class WideGroups {
 public:
  WideGroups(const GroupedCells& given, Coefficient kind) : given_(given) {
    if (!simd::use_avx2()) return;
    if (kind == Coefficient::kPearson) codes_.emplace(given.kept, given.offsets, given.samples);
    if (kind == Coefficient::kSpearman) masks_.emplace(given.kept, given.samples);
  }

  // Adds the coefficients of some samples in a group that was prepared; false if it cannot.
  bool add(std::size_t group, SampleRange range, const MixedGroup& mixed, MixtureSums& sums) const {
#if TERTIUM_HAS_AVX2
    if (codes_ && mixed.sums().is_plain()) {
      add_fours_avx2(*codes_, group, range, mixed.sums(), sums);
      return true;
    }
    if (masks_ && mixed.size() >= 2 && mixed.size() <= kMaxRankCells) {
      add_eights_avx2(*masks_, given_.begin(group), range, mixed, sums);
      return true;
    }
#else
    static_cast<void>(group), static_cast<void>(range), static_cast<void>(mixed), static_cast<void>(sums);
#endif
    return false;
  }

 private:
  [[maybe_unused]] const GroupedCells& given_;  // for AVX2 only
  std::optional<KeptCodes> codes_;
  std::optional<KeptMasks> masks_;
};

TERTIUM_INLINE void add_group(const GroupedCells& given, std::size_t group, SampleRange range,
                              MixedGroup& mixed, MixtureSums& sums) {
  for (std::size_t sample = range.first; sample < range.last; ++sample)
    sums.add(sample - range.first,
             mixed.evaluate(given.kept.data() + sample * given.cells() + given.begin(group)));
}

// Fills (pairs of metrics x samples) with the average coefficient of the mixture minus that of its opposite,
// over the groups where each exists.
inline void permute_within_groups(const GroupedCells& given, Coefficient kind, std::size_t threads,
                                  std::span<double> null) {
  constexpr std::size_t samples_of_task = 128;  // fewer balance threads better, more share a sorted group
  std::vector<HumanGroup> human;
  for (std::size_t group = 0; group < given.groups(); ++group)
    human.emplace_back(given.human.subspan(given.begin(group), given.begin(group + 1) - given.begin(group)));
  const auto pairs = metric_pairs(given.metrics);
  const std::size_t parts = (given.samples + samples_of_task - 1) / samples_of_task;
  const std::size_t tasks = pairs.size() * parts;
  const WideGroups wide(given, kind);
  parallel_tasks(tasks, threads, [&] {
    return [&, mixed = MixedGroup()](std::size_t task) mutable {
      const auto [a, b] = pairs[task / parts];
      const std::size_t first = task % parts * samples_of_task;
      const SampleRange range{first, std::min(first + samples_of_task, given.samples)};
      MixtureSums sums(range.last - range.first);
      for (std::size_t group = 0; group < given.groups(); ++group) {
        mixed.prepare(kind, human[group], given.row(a, group), given.row(b, group));
        if (!wide.add(group, range, mixed, sums))
          simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { add_group(given, group, range, mixed, sums); });
      }
      for (std::size_t sample = range.first; sample < range.last; ++sample)
        null[task / parts * given.samples + sample] = sums.difference(sample - range.first);
    };
  });
}

}  // namespace tertium
