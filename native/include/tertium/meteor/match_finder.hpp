// Every possible match of two texts, of each kind that METEOR knows (Denkowski & Lavie 2011, 2014). A step
// for each word and each of its synsets, for each live partner of the phrases of both texts, and for each
// match.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/meteor/matches.hpp"
#include "tertium/meteor/phrase_places.hpp"
#include "tertium/meteor/synonyms.hpp"

namespace tertium {

// The positions of a text's words, by their number. Constant time per word on average. One text at a time;
// keeps its lists between calls.
class WordIndex {
 public:
  // The numbers of the text's words; they must not change while the index is used.
  void read(std::span<const std::int32_t> numbers) {
    numbers_ = numbers;
    first_.fill(kNone);
    next_.resize(numbers.size());
    for (std::size_t place = numbers.size();
         place-- > 0;) {  // backwards, so that lists run from left to right
      std::int32_t& first = first_[list_of(numbers[place])];
      next_[place] = first;
      first = static_cast<std::int32_t>(place);
    }
  }

  // Calls take(place) for every word with this number, from left to right.
  template <typename Take>
  void find(std::int32_t number, const Take& take) const {
    for (std::int32_t at = first_[list_of(number)]; at != kNone;) {
      const auto place = static_cast<std::size_t>(at);
      if (numbers_[place] == number) take(place);
      at = next_[place];
    }
  }

 private:
  static constexpr std::int32_t kNone = -1;

  // Many more lists than a sentence has words: most are empty or have one.
  static std::size_t list_of(std::int32_t number) {
    return static_cast<std::uint32_t>(number) * std::uint32_t{0x9e3779b1} >> 24;
  }

  std::span<const std::int32_t> numbers_;
  std::array<std::int32_t, 256> first_;
  std::vector<std::int32_t> next_;  // of the same list
};

// One pair of texts at a time. Keeps its tables between calls; one per thread.
class MatchFinder {
 public:
  MatchFinder(const WordClasses& classes, const LiveSynsets& synsets, const LivePhrases* phrases,
              MatchKinds kinds)
      : classes_(classes),
        phrases_(phrases),
        kinds_(kinds),
        index_(phrases == nullptr ? 0 : phrases->size()),
        live_synsets_(synsets.synsets()),
        synsets_(synsets.size()) {}

  // All matches of hypothesis i and reference j, sorted by their first word in the reference; those of
  // one word in METEOR's order: by kind, words by their place in the hypothesis, phrases first as the
  // reference's partners and then as the hypothesis's.
  std::span<const Match> find(const Column& hypotheses, std::size_t i, const Column& references,
                              std::size_t j) {
    found_.clear();
    const auto hypothesis = hypotheses[i];
    const auto reference = references[j];
    gather(hypothesis, classes_.codes, hypothesis_codes_);
    gather(reference, classes_.codes, reference_codes_);
    if (kinds_.exact)
      find_words(hypothesis_codes_, reference_codes_, MatchKind::exact,
                 [](std::size_t, std::size_t) { return true; });
    if (kinds_.stem) find_stems(hypothesis, reference);
    if (kinds_.synonym) find_synonyms(hypothesis, reference);
    if (kinds_.paraphrase && phrases_ != nullptr) find_phrases(i, j);
    return sort(reference.size());
  }

 private:
  // Words with equal numbers match, unless take(h, r) says that these do not.
  template <typename Take>
  void find_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                  MatchKind kind, const Take& take) {
    words_.read(hypothesis);
    for (std::size_t r = 0; r < reference.size(); ++r) {
      const std::size_t before = found_.size();
      words_.find(reference[r], [&](std::size_t h) {
        if (take(h, r))
          found_.push_back({static_cast<std::int32_t>(r), 1, static_cast<std::int32_t>(h), 1, kind});
      });
      interrupt_check_.tick(1 + found_.size() - before);
    }
  }

  void find_stems(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    gather(hypothesis, classes_.stems, hypothesis_stems_);
    gather(reference, classes_.stems, reference_stems_);
    find_words(hypothesis_stems_, reference_stems_, MatchKind::stem,
               [&](std::size_t h, std::size_t r) { return !are_equal(h, r); });
  }

  void find_synonyms(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    synsets_.read(hypothesis, live_synsets_);
    seen_.assign(hypothesis.size(), -1);
    for (std::size_t r = 0; r < reference.size(); ++r) {
      const auto from = static_cast<std::ptrdiff_t>(found_.size());
      for (const std::int32_t synset : live_synsets_[static_cast<std::size_t>(reference[r])])
        synsets_.find(synset, [&](std::int32_t h) { add_synonym(r, h); });
      std::sort(found_.begin() + from, found_.end(),
                [](const Match& a, const Match& b) { return a.hypothesis < b.hypothesis; });
    }
  }

  // Words that share several synsets match once.
  void add_synonym(std::size_t r, std::int32_t h) {
    auto& seen = seen_[static_cast<std::size_t>(h)];
    if (seen == static_cast<std::int32_t>(r) || are_equal(static_cast<std::size_t>(h), r)) return;
    seen = static_cast<std::int32_t>(r);
    found_.push_back({seen, 1, h, 1, MatchKind::synonym});
  }

  bool are_equal(std::size_t h, std::size_t r) const { return hypothesis_codes_[h] == reference_codes_[r]; }

  static void gather(std::span<const std::int32_t> text, std::span<const std::int32_t> of_word,
                     std::vector<std::int32_t>& values) {
    if (of_word.empty()) return values.assign(text.begin(), text.end());
    values.clear();
    for (const std::int32_t id : text) values.push_back(of_word[static_cast<std::size_t>(id)]);
  }

  void find_phrases(std::size_t i, std::size_t j) {
    const auto add = [&](const PhrasePlace& reference, const PhrasePlace& hypothesis) {
      found_.push_back(
          {reference.begin, reference.length, hypothesis.begin, hypothesis.length, MatchKind::paraphrase});
    };
    index_.read(phrases_->hypothesis(i));
    for (const PhrasePlace& place : phrases_->reference(j))
      for (const std::int32_t partner : partners(place.phrase))
        index_.find(partner, [&](const PhrasePlace& other) { add(place, other); });
    index_.read(phrases_->reference(j));
    for (const PhrasePlace& place : phrases_->hypothesis(i))
      for (const std::int32_t partner : partners(place.phrase))
        index_.find(partner, [&](const PhrasePlace& other) { add(other, place); });
  }

  std::span<const std::int32_t> partners(std::int32_t phrase) {
    const auto found = phrases_->partners(phrase);
    interrupt_check_.tick(found.size());
    return found;
  }

  // A stable counting sort by the first word in the reference.
  std::span<const Match> sort(std::size_t reference_length) {
    starts_.assign(reference_length + 1, 0);
    for (const Match& match : found_) ++starts_[static_cast<std::size_t>(match.reference) + 1];
    for (std::size_t r = 1; r < starts_.size(); ++r) starts_[r] += starts_[r - 1];
    sorted_.resize(found_.size());
    for (const Match& match : found_) sorted_[starts_[static_cast<std::size_t>(match.reference)]++] = match;
    return sorted_;
  }

  InterruptCheck interrupt_check_;
  WordClasses classes_;
  const LivePhrases* phrases_;
  MatchKinds kinds_;
  PhraseIndex index_;
  WordIndex words_;
  std::vector<std::int32_t> hypothesis_codes_, reference_codes_, hypothesis_stems_, reference_stems_;
  Column live_synsets_;  // of each word of the vocabulary
  SynsetIndex synsets_;
  std::vector<std::int32_t> seen_;  // the reference word for which a hypothesis word was last found
  std::vector<Match> found_, sorted_;
  std::vector<std::size_t> starts_;
};

}  // namespace tertium
