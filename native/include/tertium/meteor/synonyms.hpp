// Synonyms between texts: which synsets matter for a batch, and the positions of each synset's words in a
// text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/shortcuts.hpp"

namespace tertium {

// The part of the synsets that a batch of texts needs: those that a hypothesis word shares with a different
// reference word. They get new, dense numbers; most synsets have only one word of the batch. Linear.
class LiveSynsets {
 public:
  // None at all.
  LiveSynsets() = default;

  // `rows`: the synsets of each word of the vocabulary.
  LiveSynsets(const Column& synsets, std::span<const std::int32_t> rows, const TextPairs& pairs) {
    const std::vector<std::uint8_t> sides = find_sides(rows.size(), pairs);
    const auto row = [&](std::size_t word) { return synsets[static_cast<std::size_t>(rows[word])]; };
    std::uint32_t largest = 0;
    for (std::size_t word = 0; word < rows.size(); ++word)
      for (const std::int32_t synset : row(word))
        largest = std::max(largest, static_cast<std::uint32_t>(synset));
    if (largest > INT32_MAX) throw std::invalid_argument("synsets must not be negative");
    const std::size_t n_synsets = std::size_t{largest} + 1;
    PooledVector<std::uint8_t> uses(n_synsets, 0);
    for (std::size_t word = 0; word < rows.size(); ++word)
      for (const std::int32_t synset : row(word)) add(sides[word], uses[static_cast<std::size_t>(synset)]);
    const bool keeps_all = !takes_shortcuts();
    PooledVector<std::int32_t> numbers(n_synsets, -1);
    offsets_.reserve(rows.size() + 1);
    for (std::size_t word = 0; word < rows.size(); ++word) {
      if (sides[word] != 0)
        for (const std::int32_t synset : row(word))
          if (keeps_all || uses[static_cast<std::size_t>(synset)] == kLive)
            keep(numbers[static_cast<std::size_t>(synset)]);
      offsets_.push_back(static_cast<std::int64_t>(ids_.size()));
    }
  }

  // How many there are.
  std::size_t size() const { return size_; }
  // Those of each word of the vocabulary.
  Column synsets() const { return {ids_, offsets_}; }

 private:
  // Bits of a synset: the sides where its words are, and whether it has two words.
  static constexpr std::uint8_t kHypotheses = 1, kReferences = 2, kShared = 4;
  static constexpr std::uint8_t kLive = kHypotheses | kReferences | kShared;

  // The sides where each word of the vocabulary is.
  static std::vector<std::uint8_t> find_sides(std::size_t words, const TextPairs& pairs) {
    // written without being read: the same words recur, and would have to wait for each other
    std::vector<std::uint8_t> in_hypotheses(words, 0), sides(words, 0);
    for (const std::int32_t id : pairs.hypotheses.ids)
      in_hypotheses[static_cast<std::size_t>(id)] = kHypotheses;
    for (const std::int32_t id : pairs.references.column.ids)
      sides[static_cast<std::size_t>(id)] = kReferences;
    for (std::size_t word = 0; word < words; ++word) sides[word] |= in_hypotheses[word];
    return sides;
  }

  // Adds a word that is on these sides, or on none.
  static void add(std::uint8_t sides, std::uint8_t& use) {
    const bool is_second = use != 0 && sides != 0;
    use = static_cast<std::uint8_t>(use | sides | (is_second ? kShared : 0));
  }

  void keep(std::int32_t& number) {
    if (number < 0) number = static_cast<std::int32_t>(size_++);
    ids_.push_back(number);
  }

  PooledVector<std::int32_t> ids_;
  PooledVector<std::int64_t> offsets_ = {0};
  std::size_t size_ = 0;
};

// The words of one text by synset. Cleared in constant time; one per thread.
class SynsetIndex {
 public:
  explicit SynsetIndex(std::size_t synsets) : first_(synsets) {}

  void read(std::span<const std::int32_t> text, const Column& synsets) {
    first_.clear();
    entries_.clear();
    for (std::size_t place = 0; place < text.size(); ++place)
      for (const std::int32_t synset : synsets[static_cast<std::size_t>(text[place])]) {
        const auto at = static_cast<std::size_t>(synset);
        entries_.push_back({static_cast<std::int32_t>(place), first_.has(at) ? first_[at].entry : kNone});
        first_.set(at, {static_cast<std::int32_t>(entries_.size() - 1)});
      }
  }

  template <typename Take>
  void find(std::int32_t synset, const Take& take) const {
    const auto at = static_cast<std::size_t>(synset);
    if (!first_.has(at)) return;
    for (std::int32_t e = first_[at].entry; e != kNone; e = entries_[static_cast<std::size_t>(e)].next)
      take(entries_[static_cast<std::size_t>(e)].place);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  struct First {
    std::int32_t entry = kNone;
    std::uint32_t epoch = 0;
  };
  struct Entry {
    std::int32_t place, next;
  };
  EpochTable<First> first_;
  std::vector<Entry> entries_;
};

}  // namespace tertium
