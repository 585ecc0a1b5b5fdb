// Sums of products of ranks for eight samples at once: the inside of Spearman's coefficient of mixtures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>
#endif

namespace tertium {

// A score of one of two metrics, with what the loops over sorted scores want to know of its cell.
struct MixedEntry {
  std::uint32_t cell;
  std::uint32_t opposite;  // 1 if the mixture that keeps the cell has the other metric's score
  std::uint32_t place, end;
  std::int64_t twice_rank;
};

inline constexpr std::size_t kRankLanes = 8;

// Four times the sum of products of so many ranks, and the cube of their number, fit into 32 bits.
inline constexpr std::size_t kMaxRankCells = 1450;
static_assert(kMaxRankCells * (kMaxRankCells + 1) * (2 * kMaxRankCells + 1) / 6 * 4 < std::size_t{1} << 32);

// Of each sample's mixture and its opposite: four times the sum of products of ranks, and of each tie's size
// its cube less itself.
struct RankSums {
  std::array<std::array<std::uint32_t, kRankLanes>, 2> products, cubes;
};

#if TERTIUM_HAS_AVX2
// Ranks so far, all modulo 2^32. What the opposites have is what all have less what the mixtures have.
struct RankLanes {
  __m256i n_below, products, all_products, cubes, all_cubes;
};

// All ones where a sample's mixture has this entry, `kept` being the masks of the group's first cell.
TERTIUM_AVX2 inline __m256i are_own(const MixedEntry& entry, const std::uint8_t* kept, std::size_t stride) {
  const auto* place = reinterpret_cast<const __m128i*>(kept + entry.cell * stride);
  const __m256i masks = _mm256_cvtepi8_epi32(_mm_loadl_epi64(place));
  return _mm256_xor_si256(masks, _mm256_set1_epi32(-static_cast<int>(entry.opposite)));
}

// Adds an entry that is tied with none; `n_seen` counts this one, too.
TERTIUM_AVX2 inline void add_untied(const MixedEntry& entry, int n_seen, __m256i own, RankLanes& lanes) {
  lanes.n_below = _mm256_sub_epi32(lanes.n_below, own);
  const __m256i opposite = _mm256_sub_epi32(_mm256_set1_epi32(n_seen), lanes.n_below);
  const __m256i rank = _mm256_blendv_epi8(opposite, lanes.n_below, own);
  const __m256i product = _mm256_mullo_epi32(rank, _mm256_set1_epi32(static_cast<int>(2 * entry.twice_rank)));
  lanes.products = _mm256_add_epi32(lanes.products, _mm256_and_si256(own, product));
  lanes.all_products = _mm256_add_epi32(lanes.all_products, product);
}

// Four times the products of a tie's average rank, and its size's cube less itself.
struct TieLanes {
  __m256i products, cubes;
};

TERTIUM_AVX2 inline TieLanes weigh_tie(__m256i n_below, __m256i size, __m256i twice_ranks) {
  const __m256i one = _mm256_set1_epi32(1), twice_below = _mm256_add_epi32(n_below, n_below);
  const __m256i twice_rank = _mm256_add_epi32(twice_below, _mm256_add_epi32(size, one));
  const __m256i square = _mm256_mullo_epi32(size, size);
  return {_mm256_mullo_epi32(twice_rank, twice_ranks),
          _mm256_mullo_epi32(size, _mm256_sub_epi32(square, one))};
}

// Adds entries of one value, `n_before` others lying below.
TERTIUM_AVX2 inline void add_tie(std::span<const MixedEntry> tied, int n_before, const std::uint8_t* kept,
                                 std::size_t stride, RankLanes& lanes) {
  __m256i size = _mm256_setzero_si256(), ranks = size, all_ranks = size;
  for (const MixedEntry& entry : tied) {
    const __m256i own = are_own(entry, kept, stride);
    const __m256i rank = _mm256_set1_epi32(static_cast<int>(entry.twice_rank));
    size = _mm256_sub_epi32(size, own);
    ranks = _mm256_add_epi32(ranks, _mm256_and_si256(own, rank));
    all_ranks = _mm256_add_epi32(all_ranks, rank);
  }
  const __m256i all_below = _mm256_set1_epi32(n_before),
                all = _mm256_set1_epi32(static_cast<int>(tied.size()));
  const TieLanes own = weigh_tie(lanes.n_below, size, ranks);
  const TieLanes other = weigh_tie(_mm256_sub_epi32(all_below, lanes.n_below), _mm256_sub_epi32(all, size),
                                   _mm256_sub_epi32(all_ranks, ranks));
  lanes.n_below = _mm256_add_epi32(lanes.n_below, size);
  lanes.products = _mm256_add_epi32(lanes.products, own.products);
  lanes.all_products = _mm256_add_epi32(lanes.all_products, _mm256_add_epi32(own.products, other.products));
  lanes.cubes = _mm256_add_epi32(lanes.cubes, own.cubes);
  lanes.all_cubes = _mm256_add_epi32(lanes.all_cubes, _mm256_add_epi32(own.cubes, other.cubes));
}

// Goes through sorted entries, those of one value ending where `ends` says.
TERTIUM_AVX2 inline RankSums sum_ranks_avx2(std::span<const MixedEntry> entries,
                                            std::span<const std::uint32_t> ends, const std::uint8_t* kept,
                                            std::size_t stride) {
  RankLanes lanes{};
  std::size_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end - begin == 1)
      add_untied(entries[begin], static_cast<int>(end), are_own(entries[begin], kept, stride), lanes);
    else
      add_tie(entries.subspan(begin, end - begin), static_cast<int>(begin), kept, stride, lanes);
    begin = end;
  }
  RankSums sums;
  const auto store = [](__m256i values, std::array<std::uint32_t, kRankLanes>& to)
                         __attribute__((target("avx2"))) {
                           _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.data()), values);
                         };
  store(lanes.products, sums.products[0]);
  store(_mm256_sub_epi32(lanes.all_products, lanes.products), sums.products[1]);
  store(lanes.cubes, sums.cubes[0]);
  store(_mm256_sub_epi32(lanes.all_cubes, lanes.cubes), sums.cubes[1]);
  return sums;
}
#endif

}  // namespace tertium
