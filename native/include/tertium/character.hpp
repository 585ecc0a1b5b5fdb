// The edits of CharacTER (Wang et al. 2016): phrases of the hypothesis are moved to where the reference has
// them, then characters are compared. Moves, ties and costs as in CharacTER.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/bit_rows.hpp"
#include "tertium/column.hpp"
#include "tertium/levenshtein.hpp"
#include "tertium/parallel.hpp"

namespace tertium {

// Two neighbouring blocks that change places: [first, middle) and [middle, last).
struct Swap {
  std::size_t first = 0, middle = 0, last = 0;

  // Moves the `length` words at `start` so that they stand at `target` afterwards.
  static Swap move(std::size_t start, std::size_t length, std::size_t target) {
    if (target < start) return {target, start, start + length};
    return {start, start + length, target + length};
  }
  // A block that is taken out and put in elsewhere changes each distance by at most two for each of its
  // words.
  std::size_t most_gain() const { return 2 * std::min(middle - first, last - middle); }
  // Where the word comes from that stands at `place` after the swap.
  std::size_t source(std::size_t place) const {
    if (place < first || place >= last) return place;
    const std::size_t there = place + (middle - first);
    return there < last ? there : there - (last - first);
  }
};

// Moves phrases of a hypothesis as long as that lowers its word error rate, each time by the move that lowers
// it most, among equals by the one whose words come last in alphabetical order. A phrase is the longest that
// begins at a place of the hypothesis and at another of the reference. O(|h| x |r| + phrases x |h| x |r| /
// 64) a move at worst; phrases that cannot beat the best move are not measured. Keeps its tables between
// calls.
class PhraseMover {
 public:
  // `words` are numbered from 1 in alphabetical order and stand in the reference where matches(word - 1, j)
  // says. On return they are in their new order.
  template <typename Matches>
  void reorder(std::vector<std::int32_t>& words, std::size_t n_words, std::size_t reference_length,
               const Matches& matches) {
    rows_.index(reference_length, n_words, matches);
    reference_length_ = reference_length;
    edits_ = rows_.fill(words);
    double rate = error_rate(edits_);
    for (Swap swap; edits_ > 0 && find_swap(words, rate, swap);) {
      apply(swap, words);
      edits_ = rows_.fill(words);
      // The tool subtracts the gain. What is left may exceed the new rate by a rounding error, which lets one
      // more move pass that gains nothing: kept for identical scores.
      const double gain = rate - error_rate(edits_);
      rate -= gain;
    }
  }

 private:
  double error_rate(std::size_t edits) const {
    return static_cast<double>(edits) / static_cast<double>(reference_length_);
  }

  // The best swap that brings the error rate below `rate`, if there is one.
  bool find_swap(std::span<const std::int32_t> words, double rate, Swap& best) {
    collect(words);
    std::sort(swaps_.begin(), swaps_.end(), [&](const Swap& a, const Swap& b) {
      if (a.most_gain() != b.most_gain()) return a.most_gain() > b.most_gain();
      return compare(words, a, b) > 0;
    });
    bool found = false;
    std::size_t fewest = 0;
    for (const Swap& swap : swaps_) {
      const std::size_t least = edits_ - std::min(edits_, swap.most_gain());
      // Neither this swap nor those that follow can be better.
      if (error_rate(least) >= rate) break;
      if (found && (least > fewest || (least == fewest && compare(words, swap, best) <= 0))) break;
      const std::size_t edits = distance_after(words, swap);
      if (error_rate(edits) >= rate) continue;
      if (found && (edits > fewest || (edits == fewest && compare(words, swap, best) <= 0))) continue;
      found = true;
      fewest = edits;
      best = swap;
    }
    return found;
  }

  // Finds the longest phrase from each place of the hypothesis and each other place of the reference.
  void collect(std::span<const std::int32_t> words) {
    swaps_.clear();
    lengths_.assign(reference_length_ + 1, 0);
    for (std::size_t i = words.size(); i-- > 0;) {
      for (std::size_t j = 0; j < reference_length_; ++j) {
        lengths_[j] = rows_.stands_at(words[i], j) ? lengths_[j + 1] + 1 : 0;  // j + 1 is still of row i + 1
        if (lengths_[j] > 0 && i != j)
          swaps_.push_back(Swap::move(i, lengths_[j], std::min(j, words.size() - lengths_[j])));
      }
    }
  }

  // The order of the texts after two swaps: negative, zero or positive.
  static std::int32_t compare(std::span<const std::int32_t> words, const Swap& a, const Swap& b) {
    const std::size_t last = std::max(a.last, b.last);
    for (std::size_t place = std::min(a.first, b.first); place < last; ++place) {
      const std::int32_t difference = words[a.source(place)] - words[b.source(place)];
      if (difference != 0) return difference;
    }
    return 0;
  }

  std::size_t distance_after(std::span<const std::int32_t> words, const Swap& swap) {
    return rows_.distance_from(swap.first, words.subspan(swap.middle, swap.last - swap.middle),
                               words.subspan(swap.first, swap.middle - swap.first), words.subspan(swap.last));
  }

  static void apply(const Swap& swap, std::vector<std::int32_t>& words) {
    const auto at = [&](std::size_t place) { return words.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(swap.first), at(swap.middle), at(swap.last));
  }

  BitRows rows_;
  std::size_t reference_length_ = 0, edits_ = 0;
  std::vector<Swap> swaps_;
  std::vector<std::size_t> lengths_;
};

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
    const auto before = [&](std::int32_t a, std::int32_t b) {
      return a != b && std::ranges::lexicographical_compare(letters(a), letters(b));
    };
    sorted_.assign(hypothesis.begin(), hypothesis.end());
    std::sort(sorted_.begin(), sorted_.end(), before);
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    words_.clear();
    for (const std::int32_t word : hypothesis) {
      const auto place = std::lower_bound(sorted_.begin(), sorted_.end(), word, before);
      words_.push_back(static_cast<std::int32_t>(place - sorted_.begin()) + 1);
    }
  }

  // Words are alike that are equal, or that share a letter and differ in few.
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

  // What did not stay in its place and stands somewhere to its right, as long a phrase as there is at the
  // first such place, costs the mean length of its words. Of the other words, moved left, none costs
  // anything.
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
  std::vector<std::int32_t> sorted_, words_, moved_, ours_, theirs_;
};

// A row for every reference: character edits, shift costs, characters of the hypothesis. Text i of `letters`
// spells word i; words are alike if at most `threshold` characters differ.
inline void character_statistics(const Column& hypotheses, const GroupedColumn& references,
                                 const Column& letters, std::size_t threshold, std::size_t threads,
                                 std::span<double> rows) {
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, counter = CharacterEdits(letters, threshold)](std::size_t i) mutable {
      for (std::size_t r = references.begin(i); r < references.end(i); ++r)
        counter.count(hypotheses[i], references.column[r], rows.subspan(3 * r, 3));
    };
  });
}

}  // namespace tertium
