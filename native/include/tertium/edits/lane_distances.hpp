// Edit distances of eight rearrangements of one hypothesis at once. Each step of a bit-parallel distance
// depends on the step before; eight independent ones take hardly longer than one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/edits/bit_rows.hpp"
#include "tertium/edits/myers.hpp"
#include "tertium/edits/swapped_rows.hpp"

namespace tertium {

// Swaps in one hypothesis whose rows are kept, from a reference of at most 64 words. Keeps its tables.
class LaneDistances {
 public:
  static constexpr std::size_t kLanes = 8;
  using Distances = std::array<std::uint64_t, kLanes>;

  // Takes over the rows that were kept of these words.
  void fill(std::span<const std::int32_t> words, const BitRows& rows) {
    rows_ = &rows;
    places_.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) places_[i] = rows.places(words[i], 0);
    moved_.resize(words.size());
  }

  // The distances after each of at most kLanes swaps; other lanes hold anything.
  Distances measure(std::span<const Swap> swaps) {
    std::size_t begin = places_.size();
    for (const Swap& each : swaps) begin = std::min(begin, each.first);
    for (std::size_t lane = 0; lane < swaps.size(); ++lane)
      for (std::size_t place = begin; place < places_.size(); ++place)
        moved_[place][lane] = places_[swaps[lane].source(place)];
    const BitRows::Block row = rows_->kept(begin)[0];
    Distances distances;
    distances.fill(rows_->kept_distance(begin));
    const std::span<const Distances> steps = std::span(moved_).subspan(begin);
    simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { run(steps, row, rows_->length() - 1, distances); });
    return distances;
  }

 private:
  using Bits = BitRows::Bits;

  TERTIUM_INLINE static void run(std::span<const Distances> steps, BitRows::Block row, std::size_t last,
                                 Distances& distances) {
    using simd::UInt64x4;
    constexpr std::size_t n = kLanes / UInt64x4::kLanes;
    const auto one = UInt64x4::all(1);
    const auto shift = static_cast<int>(last);
    MyersColumn<UInt64x4> columns[n];
    UInt64x4 sums[n];
    for (std::size_t k = 0; k < n; ++k) {
      columns[k] = {UInt64x4::all(row.Pv), UInt64x4::all(row.Mv)};
      sums[k] = UInt64x4::load(&distances[k * UInt64x4::kLanes]);
    }
    for (const Distances& places : steps)
#pragma GCC unroll 2
      for (std::size_t k = 0; k < n; ++k) {
        const auto step = myers_step(UInt64x4::load(&places[k * UInt64x4::kLanes]), columns[k], one);
        sums[k] += ((step.Ph >> shift) & one) - ((step.Mh >> shift) & one);
      }
    for (std::size_t k = 0; k < n; ++k) sums[k].store(&distances[k * UInt64x4::kLanes]);
  }

  const BitRows* rows_ = nullptr;
  std::vector<Bits> places_;      // of each word in the reference
  std::vector<Distances> moved_;  // the same after each swap, by word and lane
};

}  // namespace tertium
