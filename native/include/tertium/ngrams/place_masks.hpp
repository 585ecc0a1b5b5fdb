// Clipped n-gram matches with a reference of at most 512 symbols, by bit vectors: for each position of the
// hypothesis, the set of places in the reference where its n-gram stands. O(order x symbols x words of a
// set).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tertium/base/dense_ids.hpp"
#include "tertium/base/simd.hpp"

namespace tertium {

// Dense ids of the (prefix, symbol) pairs of one sentence: a plain table if both are few, otherwise a hash
// table. Cleared in constant time.
class PairIds {
 public:
  // Removes all pairs; from now on prefixes are below `prefixes` and symbols below `symbols`.
  void reset(std::size_t prefixes, std::size_t symbols) {
    width_ = symbols;
    direct_ = prefixes * symbols <= kDirectSlots;
    size_ = 0;
    if (!direct_) return hashed_.clear();
    if (table_.size() < prefixes * symbols) table_.resize(prefixes * symbols);
    table_.clear();
  }

  std::int32_t find(std::int32_t prefix, std::int32_t symbol) const {
    if (!direct_) return hashed_.find(pair_key(prefix, symbol));
    const std::size_t at = place(prefix, symbol);
    return table_.has(at) ? table_[at].id : -1;
  }

  // The pair's id, assigned now if the pair is new.
  std::int32_t intern(std::int32_t prefix, std::int32_t symbol) {
    if (!direct_) return hashed_.intern(pair_key(prefix, symbol));
    const std::size_t at = place(prefix, symbol);
    if (!table_.has(at)) table_.set(at, {size_++});
    return table_[at].id;
  }

 private:
  // 256 kB: the table stays within a second-level cache.
  static constexpr std::size_t kDirectSlots = std::size_t{1} << 15;

  std::size_t place(std::int32_t prefix, std::int32_t symbol) const {
    return static_cast<std::size_t>(prefix) * width_ + static_cast<std::size_t>(symbol);
  }
  struct Entry {
    std::int32_t id = 0;
    std::uint32_t epoch = 0;
  };

  DenseIds hashed_;
  EpochTable<Entry> table_;
  std::size_t width_ = 0;
  std::int32_t size_ = 0;
  bool direct_ = true;
};

#if TERTIUM_HAS_AVX2

// Counts the clipped matches of each order, the innermost loop of PlaceMasks with one lane per order: four
// orders are counted at once, up to eight with two registers. `symbols` are those of the hypothesis; each has
// the set of its positions in the reference.
template <std::size_t W, std::size_t Orders>
TERTIUM_AVX2 void count_lanes(std::span<const std::size_t> symbols,
                              const std::vector<std::array<std::uint64_t, W>>& places_of,
                              std::span<std::int64_t> matches) {
  using simd::UInt64x4;
  constexpr std::size_t kRegisters = (Orders + 3) / 4;
  const auto everything = UInt64x4::all(~std::uint64_t{0});
  UInt64x4 of_orders[kRegisters][W];  // reference positions of the n-gram at the current position
  UInt64x4 taken[kRegisters][W];      // positions used by n-grams of the order
  UInt64x4 unmatched[kRegisters];     // negated number of positions whose n-gram found no free place
  simd::clear(of_orders), simd::clear(taken), simd::clear(unmatched);
  for (std::size_t i = symbols.size(); i-- > 0;) {
    const std::uint64_t* const places = places_of[symbols[i]].data();
    UInt64x4 seeks[kRegisters];  // all bits of the lanes that have no place yet
    for (std::size_t r = 0; r < kRegisters; ++r) seeks[r] = everything;
    for (std::size_t w = 0; w < W; ++w) {
      const auto own = UInt64x4::all(places[w]);
      UInt64x4 shorter = everything;  // first lane: positions of the n-gram without its first symbol
      for (std::size_t r = 0; r < kRegisters; ++r) {
        UInt64x4 rest = of_orders[r][w] >> 1;
        if (w + 1 < W) rest |= of_orders[r][w + 1] << 63;
        const UInt64x4 turned = simd::rotate_up(rest);
        const UInt64x4 ngrams = own & simd::replace_first(turned, shorter);
        const UInt64x4 free = ngrams & ~taken[r][w] & seeks[r];
        shorter = turned;
        of_orders[r][w] = ngrams;
        taken[r][w] |= free & (UInt64x4{} - free);  // the lowest free place
        seeks[r] &= simd::bits_as<UInt64x4>(free == UInt64x4{});
      }
    }
    for (std::size_t r = 0; r < kRegisters; ++r) unmatched[r] += seeks[r];
  }
  for (std::size_t n = 0; n < Orders; ++n)
    matches[n] = static_cast<std::int64_t>(symbols.size() + unmatched[n / 4][n % 4]);
}

#endif

// Counts one pair of sequences at a time; keeps its tables between calls.
class PlaceMasks {
 public:
  static bool fits(std::span<const std::int32_t> reference) { return reference.size() <= 64 * kMaxWords; }

  // matches[n-1] = clipped matches of order n; the reference must fit.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::span<std::int64_t> matches) {
    std::fill(matches.begin(), matches.end(), 0);
    if (hypothesis.empty() || reference.empty()) return;
    with_words_of(reference, [&](auto words) { count_with<words()>(hypothesis, reference, matches); });
  }

  // Calls visit(i, n, is_free) for each n-gram of the hypothesis that occurs in the reference: n symbols, of
  // which symbol i is the last. `is_free` is false if earlier n-grams of the hypothesis took all its places.
  // If visit() returns false, longer n-grams that begin with this one are left out. The n-grams are in the
  // order of their last symbols, longer ones first. The reference must fit.
  template <typename Visit>
  void visit_matches(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                     std::size_t order, const Visit& visit) {
    if (hypothesis.empty() || reference.empty()) return;
    with_words_of(reference, [&](auto words) { visit_with<words()>(hypothesis, reference, order, visit); });
  }

 private:
  // 512 symbols: the cost of a step grows with the words, and longer references are faster with a hash table.
  static constexpr std::size_t kMaxWords = 8;
  static constexpr std::size_t kOrdersOfBleu = 4;
  static constexpr std::size_t kOrdersOfChrf = 6;
  template <std::size_t W>
  using Set = std::array<std::uint64_t, W>;
  template <std::size_t W>
  struct Sets {
    std::vector<Set<W>> of_symbols;  // where each symbol stands; the last is the empty set
    std::vector<Set<W>> of_orders;   // where the n-gram of each order at the position in hand stands
    std::vector<Set<W>> taken;       // by n-grams of each order
  };

  // Calls f with the number of 64-bit words of a set of places, rounded up to one that is compiled.
  template <typename F>
  static void with_words_of(std::span<const std::int32_t> reference, const F& f) {
    const std::size_t words = (reference.size() + 63) / 64;
    if (words == 1) return f(std::integral_constant<std::size_t, 1>{});
    if (words == 2) return f(std::integral_constant<std::size_t, 2>{});
    if (words == 3) return f(std::integral_constant<std::size_t, 3>{});
    if (words == 4) return f(std::integral_constant<std::size_t, 4>{});
    if (words <= 6) return f(std::integral_constant<std::size_t, 6>{});
    f(std::integral_constant<std::size_t, kMaxWords>{});
  }

  template <std::size_t W, typename Visit>
  void visit_with(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                  std::size_t order, const Visit& visit) {
    auto& sets = std::get<Sets<W>>(sets_);
    find_places(hypothesis, reference, sets);
    sets.of_orders.assign(order, Set<W>{});  // the places of the last symbol of each n-gram
    sets.taken.assign(order, Set<W>{});
    std::size_t live = 0;  // orders whose n-gram at the symbol before may be continued; longer ones may not
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      const Set<W>& places = sets.of_symbols[symbols_[i]];
      std::size_t still_live = 0;
      for (std::size_t n = std::min(live + 1, order); n > 0; --n) {
        Set<W>& own = sets.of_orders[n - 1];
        own = n == 1 ? places : common(places, one_place_after(sets.of_orders[n - 2]));
        if (is_empty(own)) continue;
        if (visit(i, n, take_place(own, sets.taken[n - 1])))
          still_live = std::max(still_live, n);
        else
          own = {};
      }
      live = still_live;
    }
  }

  // Goes through the positions from the last to the first, and through the orders at each position, which are
  // independent of one another.
  template <std::size_t W>
  void count_with(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                  std::span<std::int64_t> matches) {
    auto& sets = std::get<Sets<W>>(sets_);
    find_places(hypothesis, reference, sets);
    if (matches.size() == kOrdersOfBleu) return count_orders<W, kOrdersOfBleu>(sets.of_symbols, matches);
    if (matches.size() == kOrdersOfChrf) return count_orders<W, kOrdersOfChrf>(sets.of_symbols, matches);
    sets.of_orders.assign(matches.size(), Set<W>{});
    sets.taken.assign(matches.size(), Set<W>{});
    std::size_t live = 0;  // orders whose n-gram behind the position stands somewhere; longer ones do not
    for (std::size_t i = hypothesis.size(); i-- > 0;) {
      const Set<W>& places = sets.of_symbols[symbols_[i]];
      const std::size_t most = std::min(live + 1, matches.size());
      Set<W> rest{};  // where the n-gram without its first symbol stands
      live = 0;
      for (std::size_t n = 0; n < most; ++n) {
        const Set<W> own = n == 0 ? places : common(places, one_place_before(rest));
        rest = sets.of_orders[n];
        sets.of_orders[n] = own;
        if (is_empty(own)) break;
        matches[n] += take_place(own, sets.taken[n]);
        live = n + 1;
      }
    }
  }

  // The same for a number of orders that is known beforehand: all of them at every position, without a
  // branch.
  template <std::size_t W, std::size_t Orders>
  void count_orders(const std::vector<Set<W>>& of_symbols, std::span<std::int64_t> matches) const {
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) return count_lanes<W, Orders>(symbols_, of_symbols, matches);
#endif
    Set<W> of_orders[Orders] = {};
    Set<W> taken[Orders] = {};
    std::int64_t found[Orders] = {};
    for (std::size_t i = symbols_.size(); i-- > 0;) {
      const Set<W> places = of_symbols[symbols_[i]];
      for (std::size_t n = Orders; n-- > 1;) {
        of_orders[n] = common(places, one_place_before(of_orders[n - 1]));
        found[n] += take_place(of_orders[n], taken[n]);
      }
      of_orders[0] = places;
      found[0] += take_place(places, taken[0]);
    }
    std::copy_n(found, Orders, matches.begin());
  }

  template <std::size_t W>
  void find_places(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                   Sets<W>& sets) {
    const std::int32_t largest = *std::max_element(reference.begin(), reference.end());
    ids_.reset(1, static_cast<std::size_t>(largest) + 1);
    sets.of_symbols.assign(reference.size() + 1, Set<W>{});
    for (std::size_t j = 0; j < reference.size(); ++j)
      sets.of_symbols[static_cast<std::size_t>(ids_.intern(0, reference[j]))][j / 64] |= std::uint64_t{1}
                                                                                         << (j % 64);
    symbols_.resize(hypothesis.size());
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      const std::int32_t name = hypothesis[i] > largest ? -1 : ids_.find(0, hypothesis[i]);
      symbols_[i] = name < 0 ? reference.size() : static_cast<std::size_t>(name);
    }
  }

  // Takes one of the places, if one is free. Two n-grams share all of their places or none, so the first
  // n-gram may take the first place.
  template <std::size_t W>
  static bool take_place(const Set<W>& places, Set<W>& taken) {
    bool has_one = false;
    for (std::size_t w = 0; w < W; ++w) {
      const std::uint64_t free = has_one ? 0 : places[w] & ~taken[w];
      taken[w] |= free & (~free + 1);  // its lowest bit
      has_one |= free != 0;
    }
    return has_one;
  }

  template <std::size_t W>
  static bool is_empty(const Set<W>& places) {
    std::uint64_t all = 0;
    for (const std::uint64_t word : places) all |= word;
    return all == 0;
  }

  template <std::size_t W>
  static Set<W> one_place_before(const Set<W>& places) {
    Set<W> moved;
    for (std::size_t w = 0; w < W; ++w) moved[w] = (places[w] >> 1) | (w + 1 < W ? places[w + 1] << 63 : 0);
    return moved;
  }

  template <std::size_t W>
  static Set<W> one_place_after(const Set<W>& places) {
    Set<W> moved;
    for (std::size_t w = 0; w < W; ++w) moved[w] = (places[w] << 1) | (w > 0 ? places[w - 1] >> 63 : 0);
    return moved;
  }

  template <std::size_t W>
  static Set<W> common(const Set<W>& a, const Set<W>& b) {
    Set<W> both;
    for (std::size_t w = 0; w < W; ++w) both[w] = a[w] & b[w];
    return both;
  }

  PairIds ids_;
  std::vector<std::size_t> symbols_;  // of the hypothesis, by their number in the reference
  std::tuple<Sets<1>, Sets<2>, Sets<3>, Sets<4>, Sets<6>, Sets<8>> sets_;
};

}  // namespace tertium
