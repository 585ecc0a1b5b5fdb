// Levenshtein distance between id sequences by bit-parallel columns (Myers 1999; Hyyrö 2003):
// O(|text| x |pattern| / 64) time and, for any number of different symbols, O(|text| + |pattern|) memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/edits/myers.hpp"

namespace tertium {

// The positions of each symbol of a long sequence as 64-bit masks. Only groups of 64 positions in which a
// symbol occurs are stored, so memory is linear in the length.
class SparseMasks {
 public:
  using Bits = std::uint64_t;

  struct Place {
    std::size_t word;
    Bits bits;  // never 0
  };

  // The positions of one symbol, 64 at a time: at() is called with w = 0, 1, 2 and so on.
  struct Row {
    Bits at(std::size_t w) { return next != end && next->word == w ? (next++)->bits : 0; }

    const Place* next = nullptr;
    const Place* end = nullptr;
  };

  void index(std::span<const std::int32_t> pattern) {
    ids_.clear();
    begins_.assign(1, 0);
    for (const std::int32_t symbol : pattern) {
      const auto name = static_cast<std::size_t>(ids_.intern(static_cast<std::uint32_t>(symbol)));
      if (name + 2 > begins_.size()) begins_.push_back(0);
      ++begins_[name + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    n_places_.assign(begins_.size(), 0);
    places_.resize(pattern.size());
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const auto name = static_cast<std::size_t>(ids_.find(static_cast<std::uint32_t>(pattern[i])));
      Place* const places = &places_[begins_[name]];
      std::size_t& n = n_places_[name];
      if (n == 0 || places[n - 1].word != i / 64) places[n++] = {i / 64, 0};
      places[n - 1].bits |= Bits{1} << (i % 64);
    }
  }

  Row row(std::int32_t symbol) const {
    const std::int32_t name = ids_.find(static_cast<std::uint32_t>(symbol));
    if (name < 0) return {};
    const Place* const first = places_.data() + begins_[static_cast<std::size_t>(name)];
    return {first, first + n_places_[static_cast<std::size_t>(name)]};
  }

 private:
  DenseIds ids_;
  std::vector<std::size_t> begins_, n_places_;  // per symbol: its range in places_
  std::vector<Place> places_;
};

// The positions of each symbol of a pattern as bit masks, in a table indexed by the symbol itself: no search,
// and no branch that the processor could mispredict. `Words` masks of 64 positions each. Keeps its table
// between patterns: all masks are empty except those of the pattern in hand, so a mask is read without a
// check.
template <std::size_t Words>
class DirectMasks {
 public:
  using Bits = std::uint64_t;
  using Masks = std::array<Bits, Words>;

  // Indexes a pattern of at most 64 * Words symbols; afterwards it may be asked about the symbols of `text`,
  // until the pattern is removed. Returns false if an id is too large for the table.
  bool index(std::span<const std::int32_t> pattern, std::span<const std::int32_t> text) {
    if (!make_room(std::max(largest(pattern), largest(text)))) return false;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      masks_[static_cast<std::uint32_t>(pattern[i])][i / 64] |= Bits{1} << (i % 64);
    return true;
  }
  void remove(std::span<const std::int32_t> pattern) {
    for (const std::int32_t symbol : pattern) masks_[static_cast<std::uint32_t>(symbol)] = {};
  }

  // The positions of a symbol in the pattern.
  TERTIUM_INLINE const Masks& operator[](std::int32_t symbol) const {
    return masks_[static_cast<std::uint32_t>(symbol)];
  }

 private:
  // Limits the table to a megabyte for any vocabulary.
  static constexpr std::uint32_t kMaxIds = (1 << 20) / sizeof(Masks);

  static std::uint32_t largest(std::span<const std::int32_t> ids) {
    std::uint32_t most = 0;
    for (const std::int32_t id : ids) most = std::max(most, static_cast<std::uint32_t>(id));
    return most;
  }
  bool make_room(std::uint32_t id) {
    if (id >= kMaxIds) return false;
    if (id >= masks_.size()) masks_.resize(std::min<std::size_t>(id + id / 8 + 256, kMaxIds), Masks{});
    return true;
  }

  PooledVector<Masks> masks_;
};

namespace levenshtein {

using Sequences = std::pair<std::span<const std::int32_t>, std::span<const std::int32_t>>;

// Removes the common prefix and suffix.
inline Sequences trim(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t prefix = 0;
  while (prefix < most && a[prefix] == b[prefix]) ++prefix;
  std::size_t suffix = 0;
  while (prefix + suffix < most && a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix]) ++suffix;
  return {a.subspan(prefix, a.size() - prefix - suffix), b.subspan(prefix, b.size() - prefix - suffix)};
}

inline Sequences shorter_first(const Sequences& pair) {
  return pair.first.size() <= pair.second.size() ? pair : Sequences(pair.second, pair.first);
}

}  // namespace levenshtein

// Keeps its tables between calls; one per thread.
class Levenshtein {
 public:
  std::size_t distance(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    if (takes_shortcuts()) std::tie(a, b) = levenshtein::shorter_first(levenshtein::trim(a, b));
    if (a.empty()) return b.size();
    if (a.size() > kLongestTable || !takes_shortcuts()) {
      words_ = (a.size() + 63) / 64;
      sparse_.index(a);
      return many_words(a.size(), b, [&](std::int32_t symbol) { return sparse_.row(symbol); });
    }
    if (const auto found = few_words(a, b)) return *found;
    index(a);
    return many_words(a.size(), b, [&](std::int32_t symbol) { return DenseRow{dense_row(symbol)}; });
  }

 private:
  using Bits = std::uint64_t;

  // Above this length, a table of all symbols and positions might not fit into memory: it takes half a
  // megabyte here and grows with the square of the length.
  static constexpr std::size_t kLongestTable = 2048;

  // masks_[name * words_ + w]: the positions of the symbol among the w-th 64 positions of the pattern.
  void index(std::span<const std::int32_t> pattern) {
    words_ = (pattern.size() + 63) / 64;
    ids_.clear();
    masks_.clear();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const auto name = static_cast<std::size_t>(ids_.intern(static_cast<std::uint32_t>(pattern[i])));
      if ((name + 1) * words_ > masks_.size()) masks_.resize((name + 1) * words_, 0);
      masks_[name * words_ + i / 64] |= Bits{1} << (i % 64);
    }
  }

  // The distance from a pattern of few words of 64 symbols, if its symbols are small numbers.
  std::optional<std::size_t> few_words(std::span<const std::int32_t> pattern,
                                       std::span<const std::int32_t> text) {
    switch ((pattern.size() + 63) / 64) {
      case 1:
        return few_words(std::get<0>(direct_), pattern, text);
      case 2:
        return few_words(std::get<1>(direct_), pattern, text);
      case 3:
        return few_words(std::get<2>(direct_), pattern, text);
      case 4:
        return few_words(std::get<3>(direct_), pattern, text);
      default:
        return std::nullopt;
    }
  }
  // The number of words is known to the compiler, which keeps the whole column in registers.
  template <std::size_t Words>
  static std::optional<std::size_t> few_words(DirectMasks<Words>& direct,
                                              std::span<const std::int32_t> pattern,
                                              std::span<const std::int32_t> text) {
    if (!direct.index(pattern, text)) return std::nullopt;
    MyersColumn<Bits> columns[Words];
    for (auto& column : columns) column = {~Bits{0}, 0};
    for (const std::int32_t symbol : text) {
      const auto& masks = direct[symbol];
      MyersCarry<Bits> carry;
#pragma GCC unroll 4
      for (std::size_t w = 0; w < Words; ++w) myers_step(masks[w], columns[w], carry);
    }
    direct.remove(pattern);
    return text.size() + sum_differences(columns, pattern.size());
  }

  // The positions of one symbol, 64 at a time: at() is called with w = 0, 1, 2 and so on.
  struct DenseRow {
    const Bits* masks;
    Bits at(std::size_t w) const { return masks == nullptr ? 0 : masks[w]; }
  };

  const Bits* dense_row(std::int32_t symbol) const {
    const std::int32_t name = ids_.find(static_cast<std::uint32_t>(symbol));
    return name < 0 ? nullptr : &masks_[static_cast<std::size_t>(name) * words_];
  }

  template <typename RowOf>
  std::size_t many_words(std::size_t length, std::span<const std::int32_t> text, const RowOf& row_of) {
    columns_.assign(words_, {~Bits{0}, 0});
    for (const std::int32_t symbol : text) {
      interrupt_check_.tick(words_);
      auto row = row_of(symbol);
      MyersCarry<Bits> carry;
      for (std::size_t w = 0; w < words_; ++w) myers_step(row.at(w), columns_[w], carry);
    }
    return text.size() + sum_differences(columns_, length);
  }

  InterruptCheck interrupt_check_;
  std::tuple<DirectMasks<1>, DirectMasks<2>, DirectMasks<3>, DirectMasks<4>> direct_;
  DenseIds ids_;
  std::size_t words_ = 0;
  std::vector<Bits> masks_;
  SparseMasks sparse_;
  std::vector<MyersColumn<Bits>> columns_;  // one per 64-bit word
};

}  // namespace tertium
