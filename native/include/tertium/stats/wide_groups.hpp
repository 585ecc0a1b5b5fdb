// Coefficients of several samples' mixtures at once, where registers are wide and a coefficient allows it.
#pragma once

#include <cstddef>
#include <optional>

#include "tertium/base/simd.hpp"
#include "tertium/stats/grouped_cells.hpp"
#include "tertium/stats/kept_codes.hpp"
#include "tertium/stats/kept_masks.hpp"
#include "tertium/stats/mixed_groups.hpp"

namespace tertium {

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
  WideGroups(const GroupedCells& given, GroupCoefficient kind) : given_(given) {
    if (!simd::use_avx2()) return;
    if (kind == GroupCoefficient::kPearson) codes_.emplace(given.kept, given.offsets, given.samples);
    if (kind == GroupCoefficient::kSpearman) masks_.emplace(given.kept, given.samples);
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
  const GroupedCells& given_;
  std::optional<KeptCodes> codes_;
  std::optional<KeptMasks> masks_;
};

}  // namespace tertium
