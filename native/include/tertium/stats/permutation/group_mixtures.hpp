// Coefficients of mixtures of two metrics within groups of any size: the inner part of PERM-BOTH (Deutsch,
// Dror & Roth 2021) where a group has too many mixtures for a table.
//
// Both metrics' scores of a group are sorted once, together; a mixture and its opposite divide the sorted
// list between them, so that no sample has to be sorted: O(n) per sample for Pearson and Spearman, and the
// same with a small factor for Kendall's variants (see SeenPlaces).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/stats/permutation/coefficients.hpp"
#include "tertium/stats/permutation/pearson_mixtures.hpp"

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

// Sums the products of ranks of eight samples at once, the inner part of Spearman's coefficient of mixtures.
// Goes through sorted entries; `ends` says where the entries of each value end. O(cells).
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

// A growing set of numbers that counts its members below a given one. One bit per number, and for each word
// of bits the number of members in the words before it: a query is one population count, an insertion a plain
// loop over words.
class SeenPlaces {
 public:
  void clear(std::size_t size) {
    words_.assign(size / 64 + 1, 0);
    before_.assign(size / 64 + 1, 0);
  }

  TERTIUM_INLINE void insert(std::uint32_t place) {
    const std::size_t word = place / 64;
    words_[word] |= std::uint64_t{1} << (place % 64);
    std::uint32_t* const before = before_.data();
    for (std::size_t later = word + 1; later < before_.size(); ++later) ++before[later];
  }

  TERTIUM_INLINE std::int64_t count_below(std::uint32_t place) const {
    const std::uint64_t mask = (std::uint64_t{1} << (place % 64)) - 1;
    return std::int64_t{before_[place / 64]} + std::popcount(words_[place / 64] & mask);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
};

// The same for numbers below 64, in one word.
class FewPlaces {
 public:
  void clear(std::size_t) { word_ = 0; }
  TERTIUM_INLINE void insert(std::uint32_t place) { word_ |= std::uint64_t{1} << place; }
  TERTIUM_INLINE std::int64_t count_below(std::uint32_t place) const {
    return std::popcount(word_ & ((std::uint64_t{1} << place) - 1));
  }

 private:
  std::uint64_t word_ = 0;
};

// Two metrics' scores of a group, sorted together.
class MixedGroup {
 public:
  void prepare(Coefficient kind, const HumanGroup& human, std::span<const double> first,
               std::span<const double> second) {
    kind_ = kind;
    human_ = &human;
    if (kind == Coefficient::kPearson) {
      sums_.prepare(human, first, second);
    } else {
      sort_entries(first, second);
      same_human_.assign(human.size(), 0);
      untied_roots_ = roots(0);
    }
  }

  std::size_t size() const { return human_->size(); }
  const MixedSums& sums() const { return sums_; }
  std::span<const MixedEntry> entries() const { return entries_; }
  std::span<const std::uint32_t> ends() const { return ends_; }

  // Spearman's coefficients of one of several samples.
  BothValues rank_correlations(const RankSums& sums, std::size_t lane) const {
    return {rank_correlation(sums.products[0][lane], sums.cubes[0][lane]),
            rank_correlation(sums.products[1][lane], sums.cubes[1][lane])};
  }

  // `kept` says of each cell whether the first mixture has the first metric's score there.
  TERTIUM_INLINE BothValues evaluate(const std::uint8_t* kept) {
    if (human_->size() < 2) return {kMissing, kMissing};
    if (kind_ == Coefficient::kPearson) return sums_.evaluate(kept);
    if (kind_ == Coefficient::kSpearman) return evaluate_spearman(kept);
    return human_->size() < 64 ? evaluate_pairs(few_seen_, kept) : evaluate_pairs(many_seen_, kept);
  }

 private:
  void sort_entries(std::span<const double> first, std::span<const double> second) {
    const std::size_t n = human_->size();
    entries_.clear();
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const std::size_t c = i % n;
      entries_.push_back({static_cast<std::uint32_t>(c), i >= n, human_->place[c], human_->end[c],
                          static_cast<std::int64_t>(2 * human_->rank[c])});
    }
    const auto value = [&](const MixedEntry& entry) {
      return entry.opposite == 0 ? first[entry.cell] : second[entry.cell];
    };
    std::sort(entries_.begin(), entries_.end(),
              [&](const MixedEntry& a, const MixedEntry& b) { return value(a) < value(b); });
    ends_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (i + 1 == entries_.size() || value(entries_[i + 1]) != value(entries_[i]))
        ends_.push_back(static_cast<std::uint32_t>(i + 1));
  }

  // Which of the two mixtures has this entry.
  TERTIUM_INLINE static std::size_t side(const MixedEntry& entry, const std::uint8_t* kept) {
    return (kept[entry.cell] ^ entry.opposite) ^ 1;
  }

  // Everything is counted in quarters, so that average ranks are whole numbers.
  TERTIUM_INLINE BothValues evaluate_spearman(const std::uint8_t* kept) const {
    std::int64_t n_below[2] = {}, products[2] = {}, cubes[2] = {};
    const MixedEntry* entry = entries_.data();
    for (const std::uint32_t end : ends_) {
      const MixedEntry* const last = entries_.data() + end;
      if (last - entry == 1) {  // no tie, which is the rule; no branch, since sides are random
        const auto other = static_cast<std::int64_t>(side(*entry, kept)), own = 1 - other;
        n_below[0] += own;
        n_below[1] += other;
        products[0] += -own & (2 * n_below[0] * entry->twice_rank);
        products[1] += -other & (2 * n_below[1] * entry->twice_rank);
        ++entry;
        continue;
      }
      std::int64_t size[2] = {}, twice_ranks[2] = {};
      for (; entry < last; ++entry) {
        const std::size_t j = side(*entry, kept);
        ++size[j];
        twice_ranks[j] += entry->twice_rank;
      }
      for (std::size_t j = 0; j < 2; ++j) {
        products[j] += (2 * n_below[j] + size[j] + 1) * twice_ranks[j];
        cubes[j] += size[j] * size[j] * size[j] - size[j];
        n_below[j] += size[j];
      }
    }
    return {rank_correlation(products[0], cubes[0]), rank_correlation(products[1], cubes[1])};
  }

  double rank_correlation(std::int64_t four_products, std::int64_t cubes) const {
    const auto n = static_cast<double>(human_->size());
    const double covariance = static_cast<double>(four_products) / 4 - n * (n + 1) * (n + 1) / 4;
    return ratio(covariance, cubes == 0 ? untied_roots_ : roots(cubes));
  }

  // The product of the roots of n times the variance of ranks, if the mixture's ties have these cubes.
  double roots(std::int64_t cubes) const {
    const auto n = static_cast<double>(human_->size());
    const double spread = (n * n * n - n - static_cast<double>(cubes)) / 12;
    return std::sqrt(spread) * std::sqrt(human_->rank_spread);
  }

  template <typename Seen>
  TERTIUM_INLINE BothValues evaluate_pairs(std::array<Seen, 2>& seen, const std::uint8_t* kept) {
    MixtureCounts counts[2];
    std::int64_t n_seen[2] = {};
    for (auto& values : seen) values.clear(human_->size());
    std::size_t begin = 0;
    for (const std::uint32_t end : ends_) {
      if (end - begin == 1) {
        const MixedEntry& entry = entries_[begin++];
        const std::size_t j = side(entry, kept);
        counts[j].discordant += n_seen[j] - seen[j].count_below(entry.end);
        counts[j].n_values += 1;
        n_seen[j] += 1;
        seen[j].insert(entry.place);
        continue;
      }
      count_ties(begin, end, kept, counts);
      std::int64_t size[2] = {};
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t j = side(entries_[i], kept);
        counts[j].discordant += n_seen[j] - seen[j].count_below(entries_[i].end);
        ++size[j];
      }
      for (; begin < end; ++begin) seen[side(entries_[begin], kept)].insert(entries_[begin].place);
      for (std::size_t j = 0; j < 2; ++j) {
        counts[j].n_values += size[j] > 0;
        counts[j].tied += size[j] * (size[j] - 1) / 2;
        n_seen[j] += size[j];
      }
    }
    return {counts[0].coefficient(kind_, *human_), counts[1].coefficient(kind_, *human_)};
  }

  // Counts the pairs of one metric value that people tie as well.
  void count_ties(std::size_t begin, std::size_t end, const std::uint8_t* kept, MixtureCounts* counts) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t i = begin; i < end; ++i)
        if (side(entries_[i], kept) == j) counts[j].tied_both += same_human_[entries_[i].end - 1]++;
      for (std::size_t i = begin; i < end; ++i) same_human_[entries_[i].end - 1] = 0;
    }
  }

  Coefficient kind_ = Coefficient::kPearson;
  const HumanGroup* human_ = nullptr;
  double untied_roots_ = 0;
  MixedSums sums_;
  std::vector<MixedEntry> entries_;
  std::vector<std::uint32_t> ends_;       // of the entries of one value
  std::vector<std::int64_t> same_human_;  // members of a tie by the last place of their human score
  std::array<FewPlaces, 2> few_seen_;
  std::array<SeenPlaces, 2> many_seen_;
};

}  // namespace tertium
