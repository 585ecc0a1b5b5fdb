// CharacTER's search (Wang et al. 2016) for the phrases to move, with the choices of CharacTER.py. The tool
// measures every candidate move; here a bound puts them in order and most are never measured. At worst
// O(moves x candidates x |h| |r| / 64).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/edits/bit_rows.hpp"
#include "tertium/edits/end_distances.hpp"

namespace tertium {

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
  std::int32_t compare(std::span<const std::int32_t> words, const Swap& a, const Swap& b) {
    const std::size_t last = std::max(a.last, b.last);
    pace_.spend(last - std::min(a.first, b.first));
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

  Pace pace_;
  BitRows rows_;
  EndDistances ends_;
  std::size_t length_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> phrases_;  // the lengths, by place in the reference
};

}  // namespace tertium
