// CharacTER (Wang et al. 2016): phrases of the hypothesis are moved while that lowers the edit distance of
// words, then characters are compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/bit_rows.hpp"
#include "tertium/column.hpp"
#include "tertium/levenshtein.hpp"
#include "tertium/ngrams.hpp"
#include "tertium/parallel.hpp"

namespace tertium {

struct CharacterCosts {
  std::size_t edits = 0;   // between the characters of the rearranged hypothesis and the reference
  double shifts = 0;       // for each phrase moved, the mean length of its words
  std::size_t length = 0;  // characters of the hypothesis
};

// Keeps its tables between calls; one per thread. `letters[id]` spells word id.
class CharacterEdits {
 public:
  CharacterEdits(const Column& letters, std::size_t threshold) : letters_(letters), threshold_(threshold) {}

  CharacterCosts measure(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    words_.assign(hypothesis.begin(), hypothesis.end());
    if (!hypothesis.empty() && !reference.empty()) rearrange(reference);
    spell(words_, ours_);
    spell(reference, theirs_);
    return {characters_.distance(ours_, theirs_), shift_costs(hypothesis), ours_.size()};
  }

 private:
  // words_[start, start + length) is to stand at `target` among the other words.
  struct Shift {
    std::size_t start, length, target;
  };

  void rearrange(std::span<const std::int32_t> reference) {
    number_words(reference);
    fewest_ = fewest_edits(reference);
    // The tool keeps the rate in floating point and takes the gain off it; its rounding can let a shift
    // through that gains nothing. Kept for identical scores.
    const auto length = static_cast<double>(reference.size());
    double rate = static_cast<double>(rows_.fill(numbers_)) / length;
    for (;;) {
      const std::size_t edits = find_best(reference.size(), rate);
      const double gain = rate - static_cast<double>(edits) / length;
      if (gain <= 0) return;
      rate -= gain;
      words_ = best_;
      number_again();
      rows_.fill(numbers_);
    }
  }

  void number_words(std::span<const std::int32_t> reference) {
    names_.clear();
    distinct_.clear();
    for (const std::int32_t word : words_)
      if (names_.name(static_cast<std::uint32_t>(word)) == static_cast<std::int32_t>(distinct_.size()))
        distinct_.push_back(word);
    rows_.index(reference.size(), distinct_.size(),
                [&](std::size_t word, std::size_t j) { return matches(distinct_[word], reference[j]); });
    number_again();
  }
  void number_again() {
    numbers_.resize(words_.size());
    for (std::size_t i = 0; i < words_.size(); ++i)
      numbers_[i] = names_.find(static_cast<std::uint32_t>(words_[i])) + 1;
  }

  // Equal words, or with a threshold words alike; words that have nothing in common never are.
  bool matches(std::int32_t ours, std::int32_t theirs) {
    if (ours == theirs || threshold_ == 0) return ours == theirs;
    const auto a = letters_[static_cast<std::size_t>(ours)];
    const auto b = letters_[static_cast<std::size_t>(theirs)];
    const std::size_t longer = std::max(a.size(), b.size());
    if (longer - std::min(a.size(), b.size()) > threshold_) return false;
    return characters_.distance(a, b) <= std::min(threshold_, longer - 1);
  }

  // No order of the words has fewer edits than this.
  std::size_t fewest_edits(std::span<const std::int32_t> reference) {
    if (threshold_ == 0) return bag_.distance(words_, reference);
    return std::max(words_.size(), reference.size()) - std::min(words_.size(), reference.size());
  }

  // Puts the best rearrangement by one shift into best_ and returns its edits: the fewest, then the one whose
  // words come last in the order of their code points. More edits than there are if no shift can gain.
  std::size_t find_best(std::size_t length, double rate) {
    const auto gains = [&](std::size_t edits) {
      return rate - static_cast<double>(edits) / static_cast<double>(length) > 0;
    };
    std::size_t fewest = words_.size() + length + 1;
    if (!gains(fewest_)) return fewest;
    for (std::size_t start = 0; start < words_.size(); ++start)
      for (std::size_t goal = 0; goal < length; ++goal) {
        if (start == goal || !rows_.stands_at(numbers_[start], goal)) continue;
        const std::size_t phrase = phrase_length(start, goal, length);
        const Shift shift{start, phrase, std::min(goal, words_.size() - phrase)};
        const std::size_t edits = edits_after(shift);
        if (edits > fewest || !gains(edits)) continue;
        apply(shift, candidate_);
        if (edits < fewest || comes_after(candidate_, best_)) best_.swap(candidate_);
        fewest = edits;
      }
    return fewest;
  }

  std::size_t phrase_length(std::size_t start, std::size_t goal, std::size_t length) const {
    std::size_t phrase = 1;
    while (start + phrase < words_.size() && goal + phrase < length &&
           rows_.stands_at(numbers_[start + phrase], goal + phrase))
      ++phrase;
    return phrase;
  }

  // Hands over what stays in front and the three parts behind it in their new order.
  template <typename Words, typename Take>
  static auto rearranged(const Words& words, const Shift& shift, const Take& take) {
    const std::span<const std::int32_t> all = words;
    const auto [start, length, target] = shift;
    const auto phrase = all.subspan(start, length);
    if (target < start)
      return take(target, phrase, all.subspan(target, start - target), all.subspan(start + length));
    return take(start, all.subspan(start + length, target - start), phrase, all.subspan(target + length));
  }
  std::size_t edits_after(const Shift& shift) {
    return rearranged(numbers_, shift, [&](std::size_t prefix, auto... parts) {
      return rows_.distance_from(prefix, parts...);
    });
  }
  void apply(const Shift& shift, std::vector<std::int32_t>& words) const {
    rearranged(words_, shift, [&](std::size_t prefix, auto... parts) {
      words.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(prefix));
      (words.insert(words.end(), parts.begin(), parts.end()), ...);
    });
  }

  bool comes_after(std::span<const std::int32_t> a, std::span<const std::int32_t> b) const {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    if (x == a.end()) return false;
    const auto first = letters_[static_cast<std::size_t>(*y)];
    const auto second = letters_[static_cast<std::size_t>(*x)];
    return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end());
  }

  // Reads off the result which phrases have moved: a word that no longer stands in its place is looked for
  // further right; the words that follow it in both orders belong to its phrase. What moved left costs
  // nothing.
  double shift_costs(std::span<const std::int32_t> original) const {
    double costs = 0;
    for (std::size_t i = 0; i < original.size();) {
      const std::size_t at = original[i] == words_[i] ? original.size() : find_right(original[i], i + 1);
      std::size_t length = 0;
      std::size_t n_letters = 0;
      for (; at + length < words_.size() && original[i + length] == words_[at + length]; ++length)
        n_letters += letters_[static_cast<std::size_t>(original[i + length])].size();
      if (length > 0) costs += static_cast<double>(n_letters) / static_cast<double>(length);
      i += std::max<std::size_t>(length, 1);
    }
    return costs;
  }
  std::size_t find_right(std::int32_t word, std::size_t from) const {
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<std::size_t>(std::find(begin, words_.end(), word) - words_.begin());
  }

  void spell(std::span<const std::int32_t> words, std::vector<std::int32_t>& characters) const {
    characters.clear();
    for (const std::int32_t word : words) {
      if (!characters.empty()) characters.push_back(' ');
      const auto letters = letters_[static_cast<std::size_t>(word)];
      characters.insert(characters.end(), letters.begin(), letters.end());
    }
  }

  Column letters_;
  std::size_t threshold_;
  std::size_t fewest_ = 0;
  BitRows rows_;
  Levenshtein characters_;
  BagDistance bag_;
  DenseNames names_;
  std::vector<std::int32_t> words_, numbers_, distinct_, best_, candidate_, ours_, theirs_;
};

// A row for every reference: character edits, shift costs, characters of the hypothesis.
inline void character_statistics(const Column& hypotheses, const GroupedColumn& references,
                                 const Column& letters, std::size_t threshold, std::size_t threads,
                                 std::span<double> rows) {
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, measure = CharacterEdits(letters, threshold)](std::size_t i) mutable {
      for (std::size_t r = references.begin(i); r < references.end(i); ++r) {
        const CharacterCosts costs = measure.measure(hypotheses[i], references.column[r]);
        rows[3 * r] = static_cast<double>(costs.edits);
        rows[3 * r + 1] = costs.shifts;
        rows[3 * r + 2] = static_cast<double>(costs.length);
      }
    };
  });
}

}  // namespace tertium
