// The positions of each symbol of a short pattern as a bit mask, in a table indexed by the symbol itself: no
// search, and no branch that the processor could mispredict.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/dense_ids.hpp"

namespace tertium {

// Keeps its table between patterns.
class DirectMasks {
 public:
  using Bits = std::uint64_t;

  // Indexes a pattern of at most 64 symbols; afterwards it may be asked about the symbols of `text`. Returns
  // false if an id is too large for the table.
  bool index(std::span<const std::int32_t> pattern, std::span<const std::int32_t> text) {
    if (!make_room(std::max(largest(pattern), largest(text)))) return false;
    masks_.clear();
    for (std::size_t i = 0; i < pattern.size(); ++i)
      masks_.set(static_cast<std::uint32_t>(pattern[i]), {(*this)[pattern[i]] | Bits{1} << i});
    return true;
  }

  // The positions of a symbol in the pattern. Without a branch: whether two texts share a word is
  // unpredictable.
  Bits operator[](std::int32_t symbol) const {
    const auto at = static_cast<std::uint32_t>(symbol);
    return masks_[at].mask & (Bits{0} - Bits{masks_.has(at)});
  }

 private:
  static constexpr std::uint32_t kMaxIds = 1 << 16;  // limits the table to a megabyte for any vocabulary
  struct Entry {
    Bits mask = 0;
    std::uint32_t epoch = 0;
  };

  static std::uint32_t largest(std::span<const std::int32_t> ids) {
    std::uint32_t most = 0;
    for (const std::int32_t id : ids) most = std::max(most, static_cast<std::uint32_t>(id));
    return most;
  }
  bool make_room(std::uint32_t id) {
    if (id >= kMaxIds) return false;
    if (id >= masks_.size()) masks_.resize(std::min<std::size_t>(2 * id + 256, kMaxIds));
    return true;
  }

  EpochTable<Entry> masks_;
};

}  // namespace tertium
