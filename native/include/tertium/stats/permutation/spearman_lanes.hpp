// Sums of products of ranks for eight samples at once: the inner part of Spearman's coefficient of mixtures.
// O(cells) for eight samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tertium/base/simd.hpp"

namespace tertium {

// A score of one of two metrics, with the data of its cell that the loops over sorted scores need.
struct MixedEntry {
  std::uint32_t cell;
  std::uint32_t opposite;  // 1 if the mixture that keeps the cell has the other metric's score
  std::uint32_t place, end;
  std::int64_t twice_rank;
};

inline constexpr std::size_t kRankLanes = 8;

// Up to this many cells, four times the sum of products of ranks and the cube of their number fit into 32
// bits.
inline constexpr std::size_t kMaxRankCells = 1450;
static_assert(kMaxRankCells * (kMaxRankCells + 1) * (2 * kMaxRankCells + 1) / 6 * 4 < std::size_t{1} << 32);

// Of each sample's mixture and its opposite: four times the sum of products of ranks, and of each tie's size
// its cube less itself.
struct RankSums {
  std::array<std::array<std::uint32_t, kRankLanes>, 2> products, cubes;
};

#if TERTIUM_HAS_AVX2
// Ranks so far, all modulo 2^32. The sums of the opposites are the sums of all minus those of the mixtures.
struct RankLanes {
  simd::UInt32x8 n_below, products, all_products, cubes, all_cubes;
};

// All bits set where a sample's mixture has this entry; `kept` are the masks of the group's first cell.
TERTIUM_AVX2_INLINE simd::UInt32x8 are_own(const MixedEntry& entry, const std::uint8_t* kept,
                                           std::size_t stride) {
  const auto masks = simd::load_widened(reinterpret_cast<const std::int8_t*>(kept + entry.cell * stride));
  return simd::bits_as<simd::UInt32x8>(masks) ^ simd::UInt32x8::all(0u - entry.opposite);
}

// Adds an entry without ties; `n_seen` counts the entries up to and including this one.
TERTIUM_AVX2_INLINE void add_untied(const MixedEntry& entry, std::uint32_t n_seen, const simd::UInt32x8& own,
                                    RankLanes& lanes) {
  lanes.n_below -= own;
  const simd::UInt32x8 opposite = simd::UInt32x8::all(n_seen) - lanes.n_below;
  const simd::UInt32x8 rank = (own & lanes.n_below) | (~own & opposite);
  const simd::UInt32x8 product = rank * simd::UInt32x8::all(static_cast<std::uint32_t>(2 * entry.twice_rank));
  lanes.products += own & product;
  lanes.all_products += product;
}

// Four times the products of a tie's average rank, and the cube of its size minus its size.
struct TieLanes {
  simd::UInt32x8 products, cubes;
};

TERTIUM_AVX2_INLINE TieLanes weigh_tie(const simd::UInt32x8& n_below, const simd::UInt32x8& size,
                                       const simd::UInt32x8& twice_ranks) {
  const auto one = simd::UInt32x8::all(1);
  return {(n_below + n_below + (size + one)) * twice_ranks, size * (size * size - one)};
}

// Adds entries of one value, with `n_before` entries below them.
TERTIUM_AVX2_INLINE void add_tie(std::span<const MixedEntry> tied, std::uint32_t n_before,
                                 const std::uint8_t* kept, std::size_t stride, RankLanes& lanes) {
  using simd::UInt32x8;
  UInt32x8 size{}, ranks{}, all_ranks{};
  for (const MixedEntry& entry : tied) {
    const UInt32x8 own = are_own(entry, kept, stride);
    const auto rank = UInt32x8::all(static_cast<std::uint32_t>(entry.twice_rank));
    size -= own;
    ranks += own & rank;
    all_ranks += rank;
  }
  const auto all_below = UInt32x8::all(n_before),
             all = UInt32x8::all(static_cast<std::uint32_t>(tied.size()));
  const TieLanes own = weigh_tie(lanes.n_below, size, ranks);
  const TieLanes other = weigh_tie(all_below - lanes.n_below, all - size, all_ranks - ranks);
  lanes.n_below += size;
  lanes.products += own.products;
  lanes.all_products += own.products + other.products;
  lanes.cubes += own.cubes;
  lanes.all_cubes += own.cubes + other.cubes;
}

// Goes through sorted entries; `ends` says where the entries of each value end.
TERTIUM_AVX2 inline RankSums sum_ranks_avx2(std::span<const MixedEntry> entries,
                                            std::span<const std::uint32_t> ends, const std::uint8_t* kept,
                                            std::size_t stride) {
  RankLanes lanes{};
  std::size_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end - begin == 1)
      add_untied(entries[begin], static_cast<std::uint32_t>(end), are_own(entries[begin], kept, stride),
                 lanes);
    else
      add_tie(entries.subspan(begin, end - begin), static_cast<std::uint32_t>(begin), kept, stride, lanes);
    begin = end;
  }
  RankSums sums;
  std::memcpy(sums.products[0].data(), &lanes.products, sizeof lanes.products);
  lanes.all_products -= lanes.products;
  std::memcpy(sums.products[1].data(), &lanes.all_products, sizeof lanes.products);
  std::memcpy(sums.cubes[0].data(), &lanes.cubes, sizeof lanes.cubes);
  lanes.all_cubes -= lanes.cubes;
  std::memcpy(sums.cubes[1].data(), &lanes.all_cubes, sizeof lanes.cubes);
  return sums;
}
#endif

}  // namespace tertium
