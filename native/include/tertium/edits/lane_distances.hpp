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
    const BitRows::Block row = rows_->kept(begin)[0];
    Distances distances;
    distances.fill(rows_->kept_distance(begin));
    const std::span<const Distances> steps = std::span(moved_).subspan(begin);
    simd::dispatch([&]() TERTIUM_ALWAYS_INLINE {
      lay_out(swaps, begin);
      run(steps, row, rows_->length() - 1, distances);
    });
    return distances;
  }

 private:
  using Bits = BitRows::Bits;

  // Writes the words from `begin` on, in their order after the swap of each lane. A word's original position
  // is found by comparisons instead of a loop for each block, whose ends the processor would mispredict.
  TERTIUM_INLINE void lay_out(std::span<const Swap> swaps, std::size_t begin) {
    using Places = simd::Vec<std::int32_t, kLanes>;
    std::array<std::int32_t, kLanes> first{}, seam{}, last{}, up{}, down{};
    for (std::size_t lane = 0; lane < swaps.size(); ++lane) {
      const auto [a, b, c] = swaps[lane];
      first[lane] = static_cast<std::int32_t>(a);
      seam[lane] = static_cast<std::int32_t>(a + (c - b));
      last[lane] = static_cast<std::int32_t>(c);
      up[lane] = static_cast<std::int32_t>(b - a);
      down[lane] = static_cast<std::int32_t>(c - b);
    }
    const auto f = Places::load(first.data()), s = Places::load(seam.data()), l = Places::load(last.data());
    const auto u = Places::load(up.data()), d = Places::load(down.data());
    std::array<std::int32_t, kLanes> sources;
    for (std::size_t place = begin; place < places_.size(); ++place) {
      const auto at = Places::all(static_cast<std::int32_t>(place));
      (at + (u & (at >= f)) - ((u + d) & (at >= s)) + (d & (at >= l))).store(sources.data());
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        moved_[place][lane] = places_[static_cast<std::size_t>(sources[lane])];
    }
  }

  TERTIUM_INLINE static void run(std::span<const Distances> steps, BitRows::Block row, std::size_t last,
                                 Distances& distances) {
    using simd::UInt64x4;
    constexpr std::size_t n = kLanes / UInt64x4::kLanes;
    const auto one = UInt64x4::all(1), zero = UInt64x4::all(0);
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
        MyersCarry<UInt64x4> carry{one, zero};
        UInt64x4 D0, Ph, Mh;
        myers_step(UInt64x4::load(&places[k * UInt64x4::kLanes]), columns[k], carry, D0, Ph, Mh);
        sums[k] += ((Ph >> shift) & one) - ((Mh >> shift) & one);
      }
    for (std::size_t k = 0; k < n; ++k) sums[k].store(&distances[k * UInt64x4::kLanes]);
  }

  const BitRows* rows_ = nullptr;
  std::vector<Bits> places_;      // of each word in the reference
  std::vector<Distances> moved_;  // the same after each swap, by word and lane
};

}  // namespace tertium
