// Clipped n-gram matches with a reference of at most 256 symbols, by bit vectors: for each position of the
// hypothesis, the set of places in the reference where its n-gram stands. O(order x symbols x words of a
// set).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "tertium/ngrams/pair_names.hpp"

namespace tertium {

// Counts one pair of sequences at a time; keeps its tables between calls.
class PlaceMasks {
 public:
  static bool fits(std::span<const std::int32_t> reference) { return reference.size() <= 64 * kMostWords; }

  // matches[n-1] = clipped matches of order n; the reference must fit.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::span<std::int64_t> matches) {
    std::fill(matches.begin(), matches.end(), 0);
    if (hypothesis.empty() || reference.empty()) return;
    switch ((reference.size() - 1) / 64) {
      case 0:
        return count_with<1>(hypothesis, reference, matches);
      case 1:
        return count_with<2>(hypothesis, reference, matches);
      case 2:
        return count_with<3>(hypothesis, reference, matches);
      default:
        return count_with<kMostWords>(hypothesis, reference, matches);
    }
  }

 private:
  static constexpr std::size_t kMostWords = 4;
  template <std::size_t W>
  using Set = std::array<std::uint64_t, W>;
  template <std::size_t W>
  struct Sets {
    std::vector<Set<W>> of_symbols;    // where each symbol stands; the last is the empty set
    std::vector<Set<W>> of_positions;  // where the n-gram at each position stands
  };

  template <std::size_t W>
  void count_with(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                  std::span<std::int64_t> matches) {
    auto& sets = std::get<W - 1>(sets_);
    find_places(hypothesis, reference, sets);
    std::size_t positions = hypothesis.size();
    for (std::size_t order = 1;; ++order) {
      matches[order - 1] = take_places<W>(std::span<const Set<W>>(sets.of_positions).first(positions));
      if (order == matches.size() || matches[order - 1] == 0 || positions == 1) return;
      // An n-gram stands where its first symbol does, one place before the rest of it.
      --positions;
      for (std::size_t i = 0; i < positions; ++i)
        sets.of_positions[i] =
            common(sets.of_symbols[symbols_[i]], one_place_before(sets.of_positions[i + 1]));
    }
  }

  template <std::size_t W>
  void find_places(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                   Sets<W>& sets) {
    const std::int32_t largest = *std::max_element(reference.begin(), reference.end());
    names_.reset(1, static_cast<std::size_t>(largest) + 1);
    sets.of_symbols.assign(reference.size() + 1, Set<W>{});
    for (std::size_t j = 0; j < reference.size(); ++j)
      sets.of_symbols[static_cast<std::size_t>(names_.name(0, reference[j]))][j / 64] |= std::uint64_t{1}
                                                                                         << (j % 64);
    symbols_.resize(hypothesis.size());
    sets.of_positions.resize(hypothesis.size());
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      const std::int32_t name = hypothesis[i] > largest ? -1 : names_.find(0, hypothesis[i]);
      symbols_[i] = name < 0 ? reference.size() : static_cast<std::size_t>(name);
      sets.of_positions[i] = sets.of_symbols[symbols_[i]];
    }
  }

  // Gives each position a place of its own, as far as there are any. Two n-grams share all their places or
  // none, so whoever comes first may take the first that is free.
  template <std::size_t W>
  static std::int64_t take_places(std::span<const Set<W>> positions) {
    Set<W> taken{};
    std::int64_t found = 0;
    for (const Set<W>& places : positions) {
      bool has_one = false;
      for (std::size_t w = 0; w < W; ++w) {
        const std::uint64_t free = has_one ? 0 : places[w] & ~taken[w];
        taken[w] |= free & (~free + 1);  // its lowest bit
        has_one |= free != 0;
      }
      found += has_one;
    }
    return found;
  }

  template <std::size_t W>
  static Set<W> one_place_before(const Set<W>& places) {
    Set<W> moved;
    for (std::size_t w = 0; w < W; ++w) moved[w] = (places[w] >> 1) | (w + 1 < W ? places[w + 1] << 63 : 0);
    return moved;
  }

  template <std::size_t W>
  static Set<W> common(const Set<W>& a, const Set<W>& b) {
    Set<W> both;
    for (std::size_t w = 0; w < W; ++w) both[w] = a[w] & b[w];
    return both;
  }

  PairNames names_;
  std::vector<std::size_t> symbols_;  // of the hypothesis, by their number in the reference
  std::tuple<Sets<1>, Sets<2>, Sets<3>, Sets<4>> sets_;
};

}  // namespace tertium
