// The positions of each symbol of a pattern as bit masks, in a table indexed by the symbol itself: no search,
// and no branch that the processor could mispredict.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/simd.hpp"

namespace tertium {

// `Words` masks of 64 positions each. Keeps its table between patterns: all masks are empty except those of
// the pattern in hand, so a mask is read without a check.
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

}  // namespace tertium
