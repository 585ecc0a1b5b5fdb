// The edits of CharacTER (Wang et al. 2016): phrases of the hypothesis are moved to where the reference has
// them, then characters are compared. Moves, ties and costs as in CharacTER.py. Most of the time goes to the
// moves (see phrase_mover.hpp); comparing texts of c characters is O(c^2 / 64).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/edits/levenshtein.hpp"
#include "tertium/edits/phrase_mover.hpp"

namespace tertium {

// Counts one pair at a time. Keeps its tables between calls; one per thread.
class CharacterEdits {
 public:
  CharacterEdits(const Column& letters, std::span<const std::uint64_t> first_letters, std::size_t threshold)
      : letters_(letters), first_letters_(first_letters), threshold_(threshold), numbers_(letters.size()) {}

  // Fills a row: character edits, shift costs, characters of the hypothesis.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::span<double> row) {
    number(hypothesis);
    moved_ = words_;
    if (!moved_.empty() && !reference.empty()) {
      match(reference);
      mover_.reorder(moved_, sorted_.size(), reference.size(), matches_);
    }
    const auto ours = spell(moved_, [&](std::int32_t number) { return word_of(number); }, ours_);
    const auto theirs = spell(reference, [](std::int32_t word) { return word; }, theirs_);
    row[0] = static_cast<double>(characters_.distance(ours, theirs));
    row[1] = shift_costs();
    row[2] = static_cast<double>(ours.size());
  }

 private:
  std::span<const std::int32_t> letters(std::int32_t word) const {
    return letters_[static_cast<std::size_t>(word)];
  }
  std::int32_t word_of(std::int32_t number) const { return sorted_[static_cast<std::size_t>(number) - 1]; }

  // Numbers the words of the hypothesis from 1 in the order of their code points.
  void number(std::span<const std::int32_t> hypothesis) {
    places_.clear();
    for (std::size_t i = 0; i < hypothesis.size(); ++i)
      places_.push_back({first_letters_[static_cast<std::size_t>(hypothesis[i])], hypothesis[i], i});
    std::ranges::sort(places_, [&](const Place& a, const Place& b) {
      if (a.first_letters != b.first_letters) return a.first_letters < b.first_letters;
      return a.word != b.word && std::ranges::lexicographical_compare(letters(a.word), letters(b.word));
    });
    sorted_.clear();
    words_.resize(hypothesis.size());
    for (const Place& place : places_) {
      if (sorted_.empty() || sorted_.back() != place.word) sorted_.push_back(place.word);
      words_[place.at] = static_cast<std::int32_t>(sorted_.size());
    }
  }

  // Finds the words of the hypothesis that occur at each position of the reference.
  void match(std::span<const std::int32_t> reference) {
    matches_.clear();
    if (threshold_ > 0) return match_alike(reference);
    numbers_.clear();
    for (std::size_t k = 0; k < sorted_.size(); ++k)
      numbers_.set(static_cast<std::size_t>(sorted_[k]), {static_cast<std::int32_t>(k) + 1});
    for (std::size_t j = 0; j < reference.size(); ++j)
      if (const auto word = static_cast<std::size_t>(reference[j]); numbers_.has(word))
        matches_.push_back({numbers_[word].number, j});
  }
  void match_alike(std::span<const std::int32_t> reference) {
    for (std::size_t k = 0; k < sorted_.size(); ++k)
      for (std::size_t j = 0; j < reference.size(); ++j) {
        interrupt_check_.tick(kMatchCost);
        if (alike(sorted_[k], reference[j])) matches_.push_back({static_cast<std::int32_t>(k) + 1, j});
      }
  }

  // Words match if they are equal, or share a letter and differ in few.
  bool alike(std::int32_t a, std::int32_t b) {
    if (a == b) return true;
    const auto first = letters(a);
    const auto second = letters(b);
    if (std::max(first.size(), second.size()) > std::min(first.size(), second.size()) + threshold_)
      return false;
    return std::ranges::find_first_of(first, second) != first.end() &&
           spelling_.distance(first, second) <= threshold_;
  }

  // Writes the letters of a text with a space between words; they are valid until the vector is used again.
  template <typename Word>
  std::span<const std::int32_t> spell(std::span<const std::int32_t> text, const Word& word,
                                      std::vector<std::int32_t>& characters) const {
    std::size_t length = text.empty() ? 0 : text.size() - 1;
    for (const std::int32_t each : text) length += letters(word(each)).size();
    characters.resize(length + kLettersAtOnce);
    std::int32_t* to = characters.data();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i > 0) *to++ = ' ';
      to = copy_letters(letters(word(text[i])), to);
    }
    return {characters.data(), length};
  }
  // Copies more letters than a word has where there are more, which the next word overwrites: most words take
  // one step, and the processor need not guess their lengths.
  std::int32_t* copy_letters(std::span<const std::int32_t> word, std::int32_t* to) const {
    const std::int32_t* const end = letters_.ids.data() + letters_.ids.size();
    const std::int32_t* from = word.data();
    std::size_t left = word.size();
    for (; left > kLettersAtOnce; left -= kLettersAtOnce, from += kLettersAtOnce, to += kLettersAtOnce)
      Letters::load(from).store(to);
    if (static_cast<std::size_t>(end - from) >= kLettersAtOnce)
      Letters::load(from).store(to);
    else
      std::copy_n(from, left, to);
    return to + left;
  }

  // Each phrase that moved to the right costs the mean length of its words. A phrase extends as far as it
  // matches the first place further right where its first word occurs. Words that moved left cost nothing.
  double shift_costs() const {
    double costs = 0;
    for (std::size_t i = 0, length = 1; i < words_.size(); i += length) {
      length = 1;
      if (words_[i] == moved_[i]) continue;
      const auto behind = moved_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      const auto place = std::find(behind, moved_.end(), words_[i]);
      if (place == moved_.end()) continue;
      const auto here = words_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto end = std::mismatch(place, moved_.end(), here).second;
      length = static_cast<std::size_t>(end - here);
      costs += mean_length(std::span(words_).subspan(i, length));
    }
    return costs;
  }

  double mean_length(std::span<const std::int32_t> phrase) const {
    std::size_t total = 0;
    for (const std::int32_t number : phrase) total += letters(word_of(number)).size();
    return static_cast<double>(total) / static_cast<double>(phrase.size());
  }

  struct Place {
    std::uint64_t first_letters;
    std::int32_t word;
    std::size_t at;
  };
  struct Number {
    std::int32_t number;
    std::uint32_t epoch = 0;
  };

  static constexpr std::size_t kMatchCost = 64;  // comparing two spellings, in units of an InterruptCheck
  using Letters = simd::Int32x8;                 // one or two registers
  static constexpr std::size_t kLettersAtOnce = Letters::kLanes;
  InterruptCheck interrupt_check_;
  Column letters_;
  std::span<const std::uint64_t> first_letters_;  // of each word
  std::size_t threshold_;
  PhraseMover mover_;
  Levenshtein characters_, spelling_;
  std::vector<Place> places_;
  EpochTable<Number> numbers_;  // of the hypothesis' words, by word
  std::vector<BitRows::Match> matches_;
  std::vector<std::int32_t> sorted_, words_, moved_, ours_, theirs_;
};

// Packs the first three letters of every word into a number: numbers are in the order of the words, as far as
// three letters tell, and compare faster.
inline std::vector<std::uint64_t> pack_first_letters(const Column& letters) {
  constexpr std::size_t n_packed = 3, bits = 21;  // a code point has 21 bits
  std::vector<std::uint64_t> packed(letters.size());
  for (std::size_t word = 0; word < packed.size(); ++word)
    for (std::size_t k = 0; k < n_packed; ++k) {
      const bool has_letter = k < letters[word].size();
      packed[word] =
          packed[word] << bits | (has_letter ? static_cast<std::uint64_t>(letters[word][k]) + 1 : 0);
    }
  return packed;
}

// Fills a row for every reference: character edits, shift costs, characters of the hypothesis. Text i of
// `letters` holds the characters of word i; words are alike if at most `threshold` characters differ.
inline void character_statistics(const TextPairs& pairs, const Column& letters, std::size_t threshold,
                                 std::size_t threads, std::span<double> rows) {
  check_range(pairs.hypotheses.ids, 0, letters.size(), "a word has no spelling");
  check_range(pairs.references.column.ids, 0, letters.size(), "a word has no spelling");
  const auto first_letters = pack_first_letters(letters);
  parallel_for(pairs.size(), threads, [&] {
    return [&, counter = CharacterEdits(letters, first_letters, threshold)](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        counter.count(pairs.hypothesis(i), pairs.reference(r), rows.subspan(3 * r, 3));
    };
  });
}

}  // namespace tertium
