// CharacTER's search (Wang et al. 2016) for the phrases to move, with the choices of CharacTER.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/bit_rows.hpp"

namespace tertium {

// Two neighbouring blocks that change places: [first, middle) and [middle, last).
struct Swap {
  std::size_t first = 0, middle = 0, last = 0;

  // Moves the `length` words at `start` so that they stand at `target` afterwards.
  static Swap move(std::size_t start, std::size_t length, std::size_t target) {
    if (target < start) return {target, start, start + length};
    return {start, start + length, target + length};
  }
  bool first_is_shorter() const { return middle - first < last - middle; }
  // Where the word comes from that stands at `place` after the swap.
  std::size_t source(std::size_t place) const {
    if (place < first || place >= last) return place;
    const std::size_t there = place + (middle - first);
    return there < last ? there : there - (last - first);
  }
};

// The distances of both ends of a text from both ends of a reference, from which follows what the text gains
// or loses at most by a swap.
class EndDistances {
 public:
  template <typename Matches>
  void index(std::size_t length, std::size_t n_words, const Matches& matches) {
    length_ = length;
    backward_.index(length, n_words,
                    [&](std::size_t word, std::size_t j) { return matches(word, length - 1 - j); });
  }

  // `forward` has kept the rows of these words.
  void fill(std::span<const std::int32_t> words, const BitRows& forward) {
    reversed_.assign(words.rbegin(), words.rend());
    backward_.fill(reversed_);
    begins_.resize((words.size() + 1) * (length_ + 1));
    ends_.resize(begins_.size());
    for (std::size_t i = 0; i <= words.size(); ++i) {
      forward.read(i, row(begins_, i));
      backward_.read(words.size() - i, row(ends_, i));
      std::ranges::reverse(row(ends_, i));
    }
  }

  // No swap leaves fewer edits than these: to put a block in changes the distance by one for each of its
  // words at most, and so does to take it out.
  std::size_t least_edits(const Swap& swap, std::span<const std::int32_t> words, const BitRows& forward) {
    const bool first = swap.first_is_shorter();
    const std::size_t begin = first ? swap.first : swap.middle;
    const std::size_t end = first ? swap.middle : swap.last;
    std::int32_t edits = without(begin, end);
    if (end - begin == 1)
      edits = std::max(edits, with(words[begin], first ? swap.last : swap.first, forward));
    return static_cast<std::size_t>(std::max(edits - static_cast<std::int32_t>(end - begin), 0));
  }

 private:
  std::span<std::int32_t> row(std::vector<std::int32_t>& table, std::size_t i) const {
    return std::span(table).subspan(i * (length_ + 1), length_ + 1);
  }

  // The distance of the text without the words [begin, end).
  std::int32_t without(std::size_t begin, std::size_t end) {
    const auto before = row(begins_, begin);
    const auto after = row(ends_, end);
    std::int32_t least = before[0] + after[0];
    for (std::size_t j = 1; j <= length_; ++j) least = std::min(least, before[j] + after[j]);
    return least;
  }

  // The distance of the text with one more word at `place`; one more edit is always enough.
  std::int32_t with(std::int32_t word, std::size_t place, const BitRows& forward) {
    const auto before = row(begins_, place);
    const auto after = row(ends_, place);
    std::int32_t least = before[0] + after[0] + 1;
    for (std::size_t j = 0; j < length_; ++j) {
      least = std::min(least, before[j + 1] + after[j + 1] + 1);
      least = std::min(least, before[j] + after[j + 1] + (forward.stands_at(word, j) ? 0 : 1));
    }
    return least;
  }

  BitRows backward_;
  std::size_t length_ = 0;
  std::vector<std::int32_t> reversed_;
  std::vector<std::int32_t> begins_;  // row i, column j: from the text's [0, i) to the reference's [0, j)
  std::vector<std::int32_t> ends_;    // row i, column j: from the text's [i, end) to the reference's [j, end)
};

// Moves phrases of a hypothesis as long as that lowers its word error rate, each time by the move that lowers
// it most, among equals by the one whose words come last in alphabetical order. A phrase is the longest that
// begins at a place of the hypothesis and at another of the reference. For each move, O(|r|) a phrase for a
// bound and O(|h| x |r| / 64) for those that may be best. Keeps its tables between calls.
class PhraseMover {
 public:
  // `words` are numbered from 1 in alphabetical order and stand in the reference where matches(word - 1, j)
  // says. On return they are in their new order.
  template <typename Matches>
  void reorder(std::vector<std::int32_t>& words, std::size_t n_words, std::size_t reference_length,
               const Matches& matches) {
    length_ = reference_length;
    rows_.index(length_, n_words, matches);
    std::size_t edits = rows_.fill(words);
    if (is_long() && edits > 0) ends_.index(length_, n_words, matches);
    double rate = error_rate(edits);
    for (Swap swap; edits > 0 && find_swap(words, edits, rate, swap);) {
      apply(swap, words);
      edits = rows_.fill(words);
      // The tool subtracts the gain. What is left may exceed the new rate by a rounding error, which lets one
      // more move pass that gains nothing: kept for identical scores.
      const double gain = rate - error_rate(edits);
      rate -= gain;
    }
  }

 private:
  struct Candidate {
    Swap swap;
    std::size_t edits;  // the least that it can leave
  };

  double error_rate(std::size_t edits) const {
    return static_cast<double>(edits) / static_cast<double>(length_);
  }

  // The best swap that brings the error rate below `rate`, if there is one.
  bool find_swap(std::span<const std::int32_t> words, std::size_t edits, double rate, Swap& best) {
    collect(words, edits, rate);
    const auto beats = [&](const Candidate& a, const Candidate& b) {
      return a.edits != b.edits ? a.edits < b.edits : compare(words, a.swap, b.swap) > 0;
    };
    std::sort(candidates_.begin(), candidates_.end(), beats);
    bool found = false;
    Candidate leader{};
    for (const Candidate& candidate : candidates_) {
      if (found && !beats(candidate, leader)) break;  // nor can those that follow
      const Candidate measured{candidate.swap, distance_after(words, candidate.swap)};
      if (error_rate(measured.edits) >= rate || (found && !beats(measured, leader))) continue;
      found = true;
      leader = measured;
    }
    best = leader.swap;
    return found;
  }

  // Finds the longest phrase from each place of the hypothesis and each other place of the reference.
  void collect(std::span<const std::int32_t> words, std::size_t edits, double rate) {
    if (is_long()) ends_.fill(words, rows_);
    candidates_.clear();
    phrases_.resize(length_);
    for (std::size_t i = words.size(); i-- > 0;) {
      rows_.each_place(words[i], [&](std::size_t j) {
        const bool goes_on = i + 1 < words.size() && j + 1 < length_ && rows_.stands_at(words[i + 1], j + 1);
        phrases_[j] = goes_on ? phrases_[j + 1] + 1 : 1;  // j + 1 is still of i + 1
        if (i == j) return;
        // Past the end means at the end.
        const auto swap = Swap::move(i, phrases_[j], std::min(j, words.size() - phrases_[j]));
        const std::size_t least = least_edits(swap, words, edits);
        if (error_rate(least) < rate) candidates_.push_back({swap, least});
      });
    }
  }

  // The tighter bound pays where a measurement takes long.
  bool is_long() const { return length_ > 64; }
  std::size_t least_edits(const Swap& swap, std::span<const std::int32_t> words, std::size_t edits) {
    if (is_long()) return ends_.least_edits(swap, words, rows_);
    return edits - std::min(edits, 2 * std::min(swap.middle - swap.first, swap.last - swap.middle));
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
  EndDistances ends_;
  std::size_t length_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> phrases_;  // the lengths, by place in the reference
};

}  // namespace tertium
