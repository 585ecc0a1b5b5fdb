// The edits of CharacTER (Wang et al. 2016): phrases of the hypothesis are moved to where the reference has
// them, then characters are compared. Moves, ties and costs as in CharacTER.py. Most of the time goes to the
// moves (see phrase_mover.hpp); comparing texts of c characters is O(c^2 / 64).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/edits/levenshtein.hpp"
#include "tertium/edits/phrase_mover.hpp"

namespace tertium {

// Counts one pair at a time. Keeps its tables between calls; one per thread.
class CharacterEdits {
 public:
  CharacterEdits(const Column& letters, std::size_t threshold) : letters_(letters), threshold_(threshold) {}

  // Fills a row: character edits, shift costs, characters of the hypothesis.
  void count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
             std::span<double> row) {
    number(hypothesis);
    moved_ = words_;
    if (!moved_.empty() && !reference.empty())
      mover_.reorder(moved_, sorted_.size(), reference.size(),
                     [&](std::size_t word, std::size_t j) { return alike(sorted_[word], reference[j]); });
    spell(moved_, [&](std::int32_t number) { return word_of(number); }, ours_);
    spell(reference, [](std::int32_t word) { return word; }, theirs_);
    row[0] = static_cast<double>(characters_.distance(ours_, theirs_));
    row[1] = shift_costs();
    row[2] = static_cast<double>(ours_.size());
  }

 private:
  std::span<const std::int32_t> letters(std::int32_t word) const {
    return letters_[static_cast<std::size_t>(word)];
  }
  std::int32_t word_of(std::int32_t number) const { return sorted_[static_cast<std::size_t>(number) - 1]; }

  // Numbers the words of the hypothesis from 1 in the order of their code points.
  void number(std::span<const std::int32_t> hypothesis) {
    places_.resize(hypothesis.size());
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    std::ranges::sort(places_, [&](std::size_t a, std::size_t b) {
      return hypothesis[a] != hypothesis[b] &&
             std::ranges::lexicographical_compare(letters(hypothesis[a]), letters(hypothesis[b]));
    });
    sorted_.clear();
    words_.resize(hypothesis.size());
    for (const std::size_t place : places_) {
      if (sorted_.empty() || sorted_.back() != hypothesis[place]) sorted_.push_back(hypothesis[place]);
      words_[place] = static_cast<std::int32_t>(sorted_.size());
    }
  }

  // Words match if they are equal, or share a letter and differ in few.
  bool alike(std::int32_t a, std::int32_t b) {
    if (a == b || threshold_ == 0) return a == b;
    const auto first = letters(a);
    const auto second = letters(b);
    if (std::max(first.size(), second.size()) > std::min(first.size(), second.size()) + threshold_)
      return false;
    return std::ranges::find_first_of(first, second) != first.end() &&
           spelling_.distance(first, second) <= threshold_;
  }

  template <typename Word>
  void spell(std::span<const std::int32_t> text, const Word& word, std::vector<std::int32_t>& characters) {
    characters.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i > 0) characters.push_back(' ');
      const auto spelling = letters(word(text[i]));
      characters.insert(characters.end(), spelling.begin(), spelling.end());
    }
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

  Column letters_;
  std::size_t threshold_;
  PhraseMover mover_;
  Levenshtein characters_, spelling_;
  std::vector<std::size_t> places_;
  std::vector<std::int32_t> sorted_, words_, moved_, ours_, theirs_;
};

// Fills a row for every reference: character edits, shift costs, characters of the hypothesis. Text i of
// `letters` holds the characters of word i; words are alike if at most `threshold` characters differ.
inline void character_statistics(const TextPairs& pairs, const Column& letters, std::size_t threshold,
                                 std::size_t threads, std::span<double> rows) {
  check_range(pairs.hypotheses.ids, 0, letters.size(), "a word has no spelling");
  check_range(pairs.references.column.ids, 0, letters.size(), "a word has no spelling");
  parallel_for(pairs.size(), threads, [&] {
    return [&, counter = CharacterEdits(letters, threshold)](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        counter.count(pairs.hypothesis(i), pairs.reference(r), rows.subspan(3 * r, 3));
    };
  });
}

}  // namespace tertium
