// Edit distances of several rearrangements of one hypothesis at once. Each step of a bit-parallel distance
// waits for the one before it; eight that do not wait for each other take hardly longer than one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/edits/bit_rows.hpp"
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
    const BitRows::Vertical row = rows_->kept(begin)[0];
    Distances distances;
    distances.fill(rows_->kept_distance(begin));
    const std::span<const Distances> steps = std::span(moved_).subspan(begin);
    if (prefers_avx2())
      run_avx2(steps, row, rows_->length() - 1, distances);
    else
      run(steps, row, rows_->length() - 1, distances);
    return distances;
  }

 private:
  using Bits = BitRows::Bits;

  TERTIUM_AVX2 static void run_avx2(std::span<const Distances> steps, BitRows::Vertical row, std::size_t last,
                                    Distances& distances) {
    run(steps, row, last, distances);
  }
  TERTIUM_INLINE static void run(std::span<const Distances> steps, BitRows::Vertical row, std::size_t last,
                                 Distances& distances) {
    alignas(32) Distances pluses;
    alignas(32) Distances minuses;
    alignas(32) Distances sums = distances;
    pluses.fill(row.plus);
    minuses.fill(row.minus);
    for (const Distances& places : steps)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Bits equal = places[lane];
        const Bits vertical = pluses[lane];
        const Bits level = (((equal & vertical) + vertical) ^ vertical) | equal | minuses[lane];
        const Bits plus = minuses[lane] | ~(level | vertical);
        const Bits minus = level & vertical;
        sums[lane] += ((plus >> last) & 1) - ((minus >> last) & 1);
        const Bits plus_shifted = (plus << 1) | 1;
        pluses[lane] = (minus << 1) | ~(level | plus_shifted);
        minuses[lane] = plus_shifted & level;
      }
    distances = sums;
  }

  const BitRows* rows_ = nullptr;
  std::vector<Bits> places_;      // of each word in the reference
  std::vector<Distances> moved_;  // the same after each swap, by word and lane
};

}  // namespace tertium
