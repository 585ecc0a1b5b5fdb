// Which phrases of two texts mean the same according to a table. A table has millions of pairs and a sentence
// a few dozen phrases: a batch first picks the pairs that concern it, then each text asks those only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

// What a batch of texts needs of a phrase table: of a million pairs, those few whose sides both occur
// in the batch. Phrases are numbered anew, so that one array per thread can be indexed by them.
class LivePhrases {
 public:
  LivePhrases(const PhraseTable& table, std::span<const std::int32_t> names, const TextPairs& pairs,
              std::size_t threads) {
    parallel_sides(threads, [&](bool hypothesis) {
      (hypothesis ? hypotheses_ : references_)
          .read(table, names, hypothesis ? pairs.hypotheses : pairs.references.column);
    });
    std::vector<std::uint8_t> sides(table.phrases(), 0);
    hypotheses_.mark(kInHypotheses, sides);
    references_.mark(kInReferences, sides);
    const std::vector<PhraseTable::Pair> live = choose_live(table, sides);
    const std::vector<std::int32_t> numbers = number(table.phrases(), live);
    group(live, numbers);
    hypotheses_.renumber(numbers);
    references_.renumber(numbers);
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
  static constexpr std::uint8_t kInHypotheses = 1;
  static constexpr std::uint8_t kInReferences = 2;

  // The phrases of each text of a column.
  class Places {
   public:
    void read(const PhraseTable& table, std::span<const std::int32_t> names, const Column& texts) {
      offsets_.assign(1, 0);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        table.find(texts[i], names, [&](const PhrasePlace& place) { places_.push_back(place); });
        offsets_.push_back(places_.size());
      }
    }

    void mark(std::uint8_t side, std::vector<std::uint8_t>& sides) const {
      for (const PhrasePlace& place : places_) sides[static_cast<std::size_t>(place.phrase)] |= side;
    }

    // Drops the phrases whose new number is negative.
    void renumber(std::span<const std::int32_t> numbers) {
      std::size_t kept = 0;
      std::size_t from = 0;
      for (std::size_t i = 1; i < offsets_.size(); ++i) {
        for (std::size_t p = from; p < offsets_[i]; ++p) {
          places_[kept] = places_[p];
          places_[kept].phrase = numbers[static_cast<std::size_t>(places_[p].phrase)];
          kept += places_[kept].phrase >= 0;
        }
        from = offsets_[i];
        offsets_[i] = kept;
      }
    }

    std::span<const PhrasePlace> operator[](std::size_t i) const {
      return std::span(places_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }

   private:
    std::vector<PhrasePlace> places_;
    std::vector<std::size_t> offsets_;
  };

  // Does the work for hypotheses and for references, at the same time if there are threads.
  template <typename Work>
  static void parallel_sides(std::size_t threads, const Work& work) {
    const std::size_t workers = std::clamp<std::size_t>(threads, 1, 2);
    on_each_worker(workers, [&](std::size_t worker) {
      work(worker == 0);
      if (workers == 1) work(false);
    });
  }

  static bool is_live(const PhraseTable::Pair& pair, std::span<const std::uint8_t> sides) {
    const std::uint8_t source = sides[static_cast<std::size_t>(pair.source)];
    const std::uint8_t target = sides[static_cast<std::size_t>(pair.target)];
    return ((source & kInHypotheses) != 0 && (target & kInReferences) != 0) ||
           ((source & kInReferences) != 0 && (target & kInHypotheses) != 0);
  }

  static std::vector<PhraseTable::Pair> choose_live(const PhraseTable& table,
                                                    std::span<const std::uint8_t> sides) {
    std::vector<PhraseTable::Pair> live;
    for (const PhraseTable::Pair& pair : table.pairs())
      if (is_live(pair, sides)) live.push_back(pair);
    return live;
  }

  // The new number of every phrase of a live pair, -1 for the others.
  static std::vector<std::int32_t> number(std::size_t phrases, std::span<const PhraseTable::Pair> live) {
    std::vector<std::int32_t> numbers(phrases, -1);
    std::int32_t next = 0;
    for (const PhraseTable::Pair& pair : live)
      for (const std::int32_t phrase : {pair.source, pair.target})
        if (auto& number = numbers[static_cast<std::size_t>(phrase)]; number < 0) number = next++;
    return numbers;
  }

  void group(std::span<const PhraseTable::Pair> live, std::span<const std::int32_t> numbers) {
    const auto renamed = [&](std::int32_t phrase) { return numbers[static_cast<std::size_t>(phrase)]; };
    std::int32_t most = -1;
    for (const auto& pair : live) most = std::max({most, renamed(pair.source), renamed(pair.target)});
    starts_.assign(static_cast<std::size_t>(most + 1) + 1, 0);
    for (const auto& pair : live) ++starts_[static_cast<std::size_t>(renamed(pair.source)) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    partners_.resize(live.size());
    for (const auto& pair : live)
      partners_[next[static_cast<std::size_t>(renamed(pair.source))]++] = renamed(pair.target);
  }

  std::vector<std::size_t> starts_;
  std::vector<std::int32_t> partners_;
  Places hypotheses_, references_;
};

// Where the phrases of one text stand; one per thread.
class PhraseIndex {
 public:
  explicit PhraseIndex(std::size_t phrases) : first_(phrases), present_(phrases / 64 + 1) {}

  void read(std::span<const PhrasePlace> places) {
    for (const PhrasePlace& place : places_) present_[bit_word(place.phrase)] = 0;
    places_ = places;
    next_.resize(places.size());
    for (std::size_t i = places.size(); i-- > 0;) {  // backwards, so that lists run from left to right
      const std::int32_t phrase = places[i].phrase;
      next_[i] = has(phrase) ? first_[static_cast<std::size_t>(phrase)] : kNone;
      first_[static_cast<std::size_t>(phrase)] = static_cast<std::int32_t>(i);
      present_[bit_word(phrase)] |= bit(phrase);
    }
  }

  template <typename Take>
  void find(std::int32_t phrase, const Take& take) const {
    if (!has(phrase)) return;
    for (std::int32_t i = first_[static_cast<std::size_t>(phrase)]; i != kNone;
         i = next_[static_cast<std::size_t>(i)])
      take(places_[static_cast<std::size_t>(i)]);
  }

 private:
  static constexpr std::int32_t kNone = -1;

  static std::size_t bit_word(std::int32_t phrase) { return static_cast<std::size_t>(phrase) / 64; }
  static std::uint64_t bit(std::int32_t phrase) { return std::uint64_t{1} << (phrase % 64); }
  bool has(std::int32_t phrase) const { return (present_[bit_word(phrase)] & bit(phrase)) != 0; }

  std::vector<std::int32_t> first_;
  std::vector<std::uint64_t> present_;  // small enough to stay near: most partners are not in the text
  std::vector<std::int32_t> next_;
  std::span<const PhrasePlace> places_;
};

}  // namespace tertium
