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
  }

  // The distances after each of at most kLanes swaps; other lanes hold anything.
  Distances measure(std::span<const Swap> swaps) {
    std::size_t begin = places_.size();
    for (const Swap& swap : swaps) begin = std::min(begin, swap.first);
    Distances distances;
    simd::dispatch_lanes([&](auto floats) TERTIUM_ALWAYS_INLINE {
      run<simd::Vec<Bits, floats() / 2>>(Sources(swaps), begin, distances);
    });
    return distances;
  }

 private:
  using Bits = BitRows::Bits;

  // The original positions of the words at a place, in their order after the swap of each lane. They are
  // found by comparisons instead of a loop for each block, whose ends the processor would mispredict.
  class Sources {
   public:
    TERTIUM_INLINE explicit Sources(std::span<const Swap> swaps) {
      std::array<std::int32_t, kLanes> first{}, seam{}, last{}, up{}, down{};
      for (std::size_t lane = 0; lane < swaps.size(); ++lane) {
        const auto [a, b, c] = swaps[lane];
        first[lane] = static_cast<std::int32_t>(a);
        seam[lane] = static_cast<std::int32_t>(a + (c - b));
        last[lane] = static_cast<std::int32_t>(c);
        up[lane] = static_cast<std::int32_t>(b - a);
        down[lane] = static_cast<std::int32_t>(c - b);
      }
      first_ = Places::load(first.data()), seam_ = Places::load(seam.data());
      last_ = Places::load(last.data());
      up_ = Places::load(up.data()), down_ = Places::load(down.data());
    }
    TERTIUM_INLINE void find(std::size_t place, std::int32_t* sources) const {
      const auto at = Places::all(static_cast<std::int32_t>(place));
      (at + (up_ & (at >= first_)) - ((up_ + down_) & (at >= seam_)) + (down_ & (at >= last_)))
          .store(sources);
    }

   private:
    using Places = simd::Vec<std::int32_t, kLanes>;
    Places first_, seam_, last_, up_, down_;
  };

  template <typename Lanes>
  TERTIUM_INLINE void run(const Sources& sources, std::size_t begin, Distances& distances) const {
    constexpr std::size_t n = kLanes / Lanes::kLanes;
    const BitRows::Block row = rows_->kept(begin)[0];
    MyersColumn<Lanes> columns[n];
    for (auto& column : columns) column = {Lanes::all(row.Pv), Lanes::all(row.Mv)};
    for (std::size_t place = begin; place < places_.size(); ++place) {
      std::array<std::int32_t, kLanes> from;
      sources.find(place, from.data());
#pragma GCC unroll 4
      for (std::size_t k = 0; k < n; ++k) {
        const auto places = Lanes::each([&](std::size_t lane) {
          return places_[static_cast<std::size_t>(from[k * Lanes::kLanes + lane])];
        });
        MyersCarry<Lanes> carry;
        Lanes D0, Ph, Mh;
        myers_step(places, columns[k], carry, D0, Ph, Mh);
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t lane = 0; lane < Lanes::kLanes; ++lane) {
        const BitRows::Block last{columns[k].Pv[lane], columns[k].Mv[lane]};
        distances[k * Lanes::kLanes + lane] = places_.size() + sum_differences({&last, 1}, rows_->length());
      }
  }

  const BitRows* rows_ = nullptr;
  std::vector<Bits> places_;  // of each word in the reference
};

}  // namespace tertium
