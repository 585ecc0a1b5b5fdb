// Where each symbol of a short pattern stands, found by the symbol itself: none is searched for, and none has
// to be guessed by the processor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// Keeps its table between patterns, which is never wiped.
class DirectMasks {
 public:
  using Bits = std::uint64_t;

  // Takes over a pattern of at most 64 symbols, which will be asked about the symbols of a text. False if an
  // id is too large.
  bool index(std::span<const std::int32_t> pattern, std::span<const std::int32_t> text) {
    if (!make_room(std::max(largest(pattern), largest(text)))) return false;
    if (++epoch_ == 0) {  // the stamp went round: forget every old one
      std::ranges::fill(entries_, Entry());
      epoch_ = 1;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      Entry& entry = entries_[static_cast<std::uint32_t>(pattern[i])];
      entry = {entry.at(epoch_) | Bits{1} << i, epoch_};
    }
    return true;
  }

  // Where a symbol of the text stands in the pattern.
  Bits operator[](std::int32_t symbol) const {
    return entries_[static_cast<std::uint32_t>(symbol)].at(epoch_);
  }

 private:
  static constexpr std::uint32_t kMostIds = 1 << 16;  // a megabyte at most, whatever the vocabulary
  struct Entry {
    Bits mask = 0;
    std::uint32_t epoch = 0;  // an entry of an older one stands for nothing

    // The mask, or nothing, without a branch: nobody can guess which words two texts share.
    Bits at(std::uint32_t current) const { return mask & (Bits{0} - Bits{epoch == current}); }
  };

  static std::uint32_t largest(std::span<const std::int32_t> ids) {
    std::uint32_t most = 0;
    for (const std::int32_t id : ids) most = std::max(most, static_cast<std::uint32_t>(id));
    return most;
  }
  bool make_room(std::uint32_t id) {
    if (id >= kMostIds) return false;
    if (id >= entries_.size()) entries_.resize(std::min<std::size_t>(2 * id + 256, kMostIds));
    return true;
  }

  std::vector<Entry> entries_;
  std::uint32_t epoch_ = 0;
};

}  // namespace tertium
