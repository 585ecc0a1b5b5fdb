// Which phrases of two texts mean the same according to a table. A table has millions of pairs and a sentence
// a few dozen phrases: a batch first picks the pairs that concern it, then each text asks those only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_names.hpp"
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
    const Numbers numbers = group(table, threads);
    parallel_sides(threads,
                   [&](bool hypothesis) { (hypothesis ? hypotheses_ : references_).renumber(numbers); });
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
  // The new numbers of live phrases.
  class Numbers {
   public:
    std::int32_t give(std::uint32_t phrase) { return names_.name(phrase); }
    std::int32_t operator[](std::int32_t phrase) const {
      return names_.find(static_cast<std::uint32_t>(phrase));
    }
    std::size_t size() const { return static_cast<std::size_t>(names_.size()); }

   private:
    DenseNames names_;
  };

  // The phrases of each text of a column.
  class Places {
   public:
    void read(const PhraseTable& table, std::span<const std::int32_t> names, const Column& texts) {
      offsets_.assign(1, 0);
      present_.assign(table.phrases() / 64 + 1, 0);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        table.find(texts[i], names, [&](const PhrasePlace& place) { add(place); });
        offsets_.push_back(places_.size());
      }
    }

    bool has(std::uint32_t phrase) const {
      return phrase / 64 < present_.size() && (present_[phrase / 64] >> (phrase % 64) & 1) != 0;
    }
    // Each phrase of the column once.
    std::span<const std::int32_t> phrases() const { return phrases_; }

    // Drops the phrases that have no new number.
    void renumber(const Numbers& numbers) {
      std::size_t kept = 0;
      std::size_t from = 0;
      for (std::size_t i = 1; i < offsets_.size(); ++i) {
        for (std::size_t p = from; p < offsets_[i]; ++p) {
          places_[kept] = places_[p];
          places_[kept].phrase = numbers[places_[p].phrase];
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
    void add(const PhrasePlace& place) {
      places_.push_back(place);
      const auto phrase = static_cast<std::uint32_t>(place.phrase);
      if (has(phrase)) return;
      present_[phrase / 64] |= std::uint64_t{1} << (phrase % 64);
      phrases_.push_back(place.phrase);
    }

    std::vector<PhrasePlace> places_;
    std::vector<std::size_t> offsets_;
    std::vector<std::uint64_t> present_;  // a bit per phrase of the table: most partners are in no text
    std::vector<std::int32_t> phrases_;
  };

  struct Pair {
    std::int32_t source, target;
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

  // Keeps the pairs of which one side is in the hypotheses and the other in the references, by their sources.
  Numbers group(const PhraseTable& table, std::size_t threads) {
    std::vector<Pair> of_hypotheses, of_references;
    parallel_sides(threads, [&](bool hypothesis) {
      if (hypothesis)
        pair_hypotheses(table, of_hypotheses);
      else
        pair_references(table, of_references);
    });
    of_hypotheses.insert(of_hypotheses.end(), of_references.begin(), of_references.end());
    Numbers numbers;
    for (Pair& pair : of_hypotheses) {
      pair.source = numbers.give(static_cast<std::uint32_t>(pair.source));
      pair.target = numbers.give(static_cast<std::uint32_t>(pair.target));
    }
    index(of_hypotheses, numbers.size());
    return numbers;
  }
  void pair_hypotheses(const PhraseTable& table, std::vector<Pair>& live) const {
    for (const std::int32_t source : hypotheses_.phrases()) {
      const bool in_both = references_.has(static_cast<std::uint32_t>(source));
      for (const std::uint32_t target : table.partners(source))
        if (references_.has(target) || (in_both && hypotheses_.has(target)))
          live.push_back({source, static_cast<std::int32_t>(target)});
    }
  }
  void pair_references(const PhraseTable& table, std::vector<Pair>& live) const {
    for (const std::int32_t source : references_.phrases())
      if (!hypotheses_.has(static_cast<std::uint32_t>(source)))
        for (const std::uint32_t target : table.partners(source))
          if (hypotheses_.has(target)) live.push_back({source, static_cast<std::int32_t>(target)});
  }

  void index(std::span<const Pair> live, std::size_t phrases) {
    starts_.assign(phrases + 1, 0);
    for (const Pair& pair : live) ++starts_[static_cast<std::size_t>(pair.source) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    partners_.resize(live.size());
    for (const Pair& pair : live) partners_[next[static_cast<std::size_t>(pair.source)]++] = pair.target;
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
