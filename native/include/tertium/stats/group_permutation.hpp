// PERM-BOTH over groups of cells: samples of mixtures, their average coefficients, and the differences.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/parallel.hpp"
#include "tertium/stats/grouped_cells.hpp"
#include "tertium/stats/mixed_groups.hpp"
#include "tertium/stats/wide_groups.hpp"

namespace tertium {

TERTIUM_INLINE void add_group(const GroupedCells& given, std::size_t group, SampleRange range,
                              MixedGroup& mixed, MixtureSums& sums) {
  for (std::size_t sample = range.first; sample < range.last; ++sample)
    sums.add(sample - range.first,
             mixed.evaluate(given.kept.data() + sample * given.cells() + given.begin(group)));
}

// Fills (pairs of metrics x samples) with the average coefficient of the mixture minus that of its opposite,
// over the groups where each exists; pairs are ordered as (0, 1), (0, 2), ..., (1, 2), ...
inline void permute_within_groups(const GroupedCells& given, GroupCoefficient kind, std::size_t threads,
                                  std::span<double> null) {
  constexpr std::size_t samples_of_task = 128;
  std::vector<HumanGroup> human;
  for (std::size_t group = 0; group < given.groups(); ++group)
    human.emplace_back(given.human.subspan(given.begin(group), given.begin(group + 1) - given.begin(group)));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < given.metrics; ++a)
    for (std::size_t b = a + 1; b < given.metrics; ++b) pairs.emplace_back(a, b);
  const std::size_t parts = (given.samples + samples_of_task - 1) / samples_of_task;
  const std::size_t tasks = pairs.size() * parts;
  const WideGroups wide(given, kind);
  std::atomic<std::size_t> next{0};
  on_each_worker(std::clamp<std::size_t>(tasks, 1, std::max<std::size_t>(threads, 1)), [&](std::size_t) {
    MixedGroup mixed;
    for (std::size_t task; (task = next.fetch_add(1)) < tasks;) {
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
    }
  });
}

}  // namespace tertium
