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

// The words of a hypothesis, numbered from 1, and their spellings.
class NumberedWords {
 public:
  NumberedWords(const Column& letters, std::span<const std::uint64_t> first_letters)
      : letters_(letters), first_letters_(first_letters), numbers_(letters.size()) {}

  // Numbers the words in the order of their first appearance.
  void assign(std::span<const std::int32_t> hypothesis, std::vector<std::int32_t>& numbers) {
    numbers_.clear();
    distinct_.clear();
    numbers.clear();
    for (const std::int32_t word : hypothesis) {
      auto& known = numbers_.claim(static_cast<std::size_t>(word)).number;
      if (known == 0) {
        distinct_.push_back(word);
        known = static_cast<std::int32_t>(distinct_.size());
      }
      numbers.push_back(known);
    }
  }
  std::size_t size() const { return distinct_.size(); }
  std::int32_t word(std::int32_t number) const { return distinct_[static_cast<std::size_t>(number) - 1]; }
  // The number of a word, or 0 if the hypothesis lacks it.
  std::int32_t number(std::int32_t word) const {
    const auto at = static_cast<std::size_t>(word);
    return numbers_.has(at) ? numbers_[at].number : 0;
  }
  std::span<const std::int32_t> letters(std::int32_t word) const {
    return letters_[static_cast<std::size_t>(word)];
  }

  // Compares two different words by their code points: negative or positive.
  int compare(std::int32_t a, std::int32_t b) const {
    const std::int32_t one = word(a), other = word(b);
    const auto first = first_letters_[static_cast<std::size_t>(one)];
    const auto second = first_letters_[static_cast<std::size_t>(other)];
    if (first != second) return first < second ? -1 : 1;
    return std::ranges::lexicographical_compare(letters(one), letters(other)) ? -1 : 1;
  }

 private:
  struct Number {
    std::int32_t number = 0;
    std::uint32_t epoch = 0;
  };

  Column letters_;
  std::span<const std::uint64_t> first_letters_;  // of each word
  EpochTable<Number> numbers_;                    // by word
  std::vector<std::int32_t> distinct_;            // words by number, from 1
};

// Counts one pair at a time. Keeps its tables between calls; one per thread.
class CharacterEdits {
 public:
  CharacterEdits(const Column& letters, std::span<const std::uint64_t> first_letters, std::size_t threshold)
      : letters_(letters), threshold_(threshold), numbered_(letters, first_letters) {}

  // Fills a row: character edits, shift costs, characters of the hypothesis.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::span<double> row) {
    numbered_.assign(hypothesis, words_);
    moved_ = words_;
    if (!moved_.empty() && !reference.empty()) {
      match(reference);
      mover_.reorder(moved_, numbered_.size(), reference.size(), matches_, numbered_);
    }
    const auto ours = spell(moved_, [&](std::int32_t number) { return numbered_.word(number); }, ours_);
    const auto theirs = spell(reference, [](std::int32_t word) { return word; }, theirs_);
    row[0] = static_cast<double>(characters_.distance(ours, theirs));
    row[1] = shift_costs();
    row[2] = static_cast<double>(ours.size());
  }

 private:
  // Finds the words of the hypothesis that occur at each position of the reference.
  void match(std::span<const std::int32_t> reference) {
    matches_.clear();
    if (threshold_ > 0) return match_alike(reference);
    for (std::size_t j = 0; j < reference.size(); ++j)
      if (const std::int32_t number = numbered_.number(reference[j]); number > 0)
        matches_.push_back({number, j});
  }
  void match_alike(std::span<const std::int32_t> reference) {
    const auto n_words = static_cast<std::int32_t>(numbered_.size());
    for (std::int32_t number = 1; number <= n_words; ++number)
      for (std::size_t j = 0; j < reference.size(); ++j) {
        interrupt_check_.tick(kMatchCost);
        if (alike(numbered_.word(number), reference[j])) matches_.push_back({number, j});
      }
  }

  // Words match if they are equal, or share a letter and differ in few.
  bool alike(std::int32_t a, std::int32_t b) {
    if (a == b) return true;
    const auto first = numbered_.letters(a);
    const auto second = numbered_.letters(b);
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
    for (const std::int32_t name : text) length += numbered_.letters(word(name)).size();
    characters.resize(length + kLettersAtOnce);
    std::int32_t* to = characters.data();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i > 0) *to++ = ' ';
      to = copy_letters(numbered_.letters(word(text[i])), to);
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
    for (const std::int32_t number : phrase) total += numbered_.letters(numbered_.word(number)).size();
    return static_cast<double>(total) / static_cast<double>(phrase.size());
  }

  static constexpr std::size_t kMatchCost = 64;  // comparing two spellings, in units of an InterruptCheck
  using Letters = simd::Int32x8;                 // one or two registers
  static constexpr std::size_t kLettersAtOnce = Letters::kLanes;
  InterruptCheck interrupt_check_;
  Column letters_;
  std::size_t threshold_;
  NumberedWords numbered_;
  PhraseMover<NumberedWords> mover_;
  Levenshtein characters_, spelling_;
  std::vector<BitRows::Match> matches_;
  std::vector<std::int32_t> words_, moved_, ours_, theirs_;
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
