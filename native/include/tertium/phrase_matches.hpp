// Which phrases of two texts mean the same according to a table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/phrase_table.hpp"

namespace tertium {

// What a batch of texts needs of a phrase table: of a million pairs, those few whose sides both occur
// in the batch. Phrases are numbered anew, so that one array per thread can be indexed by them.
class LivePhrases {
 public:
  LivePhrases(const PhraseTable& table, std::span<const std::int32_t> names, const Column& hypotheses,
              const Column& references) {
    std::vector<std::uint8_t> sides(table.phrases(), 0);
    mark(table, names, hypotheses, 1, sides);
    mark(table, names, references, 2, sides);
    const std::vector<std::int32_t> numbers = number(table, sides);
    group(table, sides, numbers);
    hypotheses_.read(table, names, hypotheses, numbers);
    references_.read(table, names, references, numbers);
  }

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const PhrasePlace> hypothesis(std::size_t i) const { return hypotheses_[i]; }
  std::span<const PhrasePlace> reference(std::size_t i) const { return references_[i]; }
  // The partners of a phrase, in the table's order.
  std::span<const std::int32_t> partners(std::int32_t phrase) const {
    const auto at = static_cast<std::size_t>(phrase);
    return std::span(partners_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }

 private:
  // The live phrases of each text of a column.
  class Places {
   public:
    void read(const PhraseTable& table, std::span<const std::int32_t> names, const Column& texts,
              std::span<const std::int32_t> numbers) {
      offsets_.assign(1, 0);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        table.find(texts[i], names, [&](PhrasePlace place) {
          place.phrase = numbers[static_cast<std::size_t>(place.phrase)];
          if (place.phrase >= 0) places_.push_back(place);
        });
        offsets_.push_back(places_.size());
      }
    }
    std::span<const PhrasePlace> operator[](std::size_t i) const {
      return std::span(places_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }

   private:
    std::vector<PhrasePlace> places_;
    std::vector<std::size_t> offsets_;
  };

  static void mark(const PhraseTable& table, std::span<const std::int32_t> names, const Column& texts,
                   std::uint8_t side, std::vector<std::uint8_t>& sides) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      table.find(texts[i], names,
                 [&](const PhrasePlace& place) { sides[static_cast<std::size_t>(place.phrase)] |= side; });
  }

  static bool is_live(const PhraseTable::Pair& pair, std::span<const std::uint8_t> sides) {
    const std::uint8_t source = sides[static_cast<std::size_t>(pair.source)];
    const std::uint8_t target = sides[static_cast<std::size_t>(pair.target)];
    return ((source & 1) != 0 && (target & 2) != 0) || ((source & 2) != 0 && (target & 1) != 0);
  }

  // The new number of every phrase of a live pair, -1 for the others.
  static std::vector<std::int32_t> number(const PhraseTable& table, std::span<const std::uint8_t> sides) {
    std::vector<std::int32_t> numbers(table.phrases(), -1);
    std::int32_t next = 0;
    for (const PhraseTable::Pair& pair : table.pairs()) {
      if (!is_live(pair, sides)) continue;
      for (const std::int32_t phrase : {pair.source, pair.target})
        if (auto& number = numbers[static_cast<std::size_t>(phrase)]; number < 0) number = next++;
    }
    return numbers;
  }

  void group(const PhraseTable& table, std::span<const std::uint8_t> sides,
             std::span<const std::int32_t> numbers) {
    std::vector<PhraseTable::Pair> live;
    std::int32_t most = -1;
    for (const PhraseTable::Pair& pair : table.pairs()) {
      if (!is_live(pair, sides)) continue;
      live.push_back(
          {numbers[static_cast<std::size_t>(pair.source)], numbers[static_cast<std::size_t>(pair.target)]});
      most = std::max({most, live.back().source, live.back().target});
    }
    starts_.assign(static_cast<std::size_t>(most + 1) + 1, 0);
    for (const auto& pair : live) ++starts_[static_cast<std::size_t>(pair.source) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    partners_.resize(live.size());
    for (const auto& pair : live) partners_[next[static_cast<std::size_t>(pair.source)]++] = pair.target;
  }

  std::vector<std::size_t> starts_;
  std::vector<std::int32_t> partners_;
  Places hypotheses_, references_;
};

// Where the phrases of one text stand. Emptied in constant time; one per thread.
class PhraseIndex {
 public:
  explicit PhraseIndex(std::size_t phrases) : first_(phrases) {}

  void read(std::span<const PhrasePlace> places) {
    ++epoch_;
    places_ = places;
    next_.resize(places.size());
    for (std::size_t i = places.size(); i-- > 0;) {  // backwards, so that lists run from left to right
      First& first = first_[static_cast<std::size_t>(places[i].phrase)];
      next_[i] = first.epoch == epoch_ ? first.place : kNone;
      first = {epoch_, static_cast<std::int32_t>(i)};
    }
  }

  template <typename Take>
  void find(std::int32_t phrase, const Take& take) const {
    const First& first = first_[static_cast<std::size_t>(phrase)];
    if (first.epoch != epoch_) return;
    for (std::int32_t i = first.place; i != kNone; i = next_[static_cast<std::size_t>(i)])
      take(places_[static_cast<std::size_t>(i)]);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  struct First {
    std::uint32_t epoch = 0;  // of 2^32 texts per thread, none sees an old one's
    std::int32_t place = kNone;
  };
  std::vector<First> first_;
  std::vector<std::int32_t> next_;
  std::span<const PhrasePlace> places_;
  std::uint32_t epoch_ = 0;
};

}  // namespace tertium
