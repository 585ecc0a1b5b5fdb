// The synonyms of a text's words: from a synset to the places where its words stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"

namespace tertium {

// Which words of one text belong to a synset. Emptied in constant time; one per thread.
class SynsetIndex {
 public:
  explicit SynsetIndex(std::size_t synsets) : first_(synsets) {}

  void read(std::span<const std::int32_t> text, const Column& synsets) {
    ++epoch_;
    entries_.clear();
    for (std::size_t place = 0; place < text.size(); ++place)
      for (const std::int32_t synset : synsets[static_cast<std::size_t>(text[place])]) {
        First& first = first_[static_cast<std::size_t>(synset)];
        entries_.push_back({static_cast<std::int32_t>(place), first.epoch == epoch_ ? first.entry : kNone});
        first = {epoch_, static_cast<std::int32_t>(entries_.size() - 1)};
      }
  }

  template <typename Take>
  void find(std::int32_t synset, const Take& take) const {
    const First& first = first_[static_cast<std::size_t>(synset)];
    if (first.epoch != epoch_) return;
    for (std::int32_t e = first.entry; e != kNone; e = entries_[static_cast<std::size_t>(e)].next)
      take(entries_[static_cast<std::size_t>(e)].place);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  struct First {
    std::uint32_t epoch = 0;  // of 2^32 texts per thread, none sees an old one's
    std::int32_t entry = kNone;
  };
  struct Entry {
    std::int32_t place, next;
  };
  std::vector<First> first_;
  std::vector<Entry> entries_;
  std::uint32_t epoch_ = 0;
};

}  // namespace tertium
