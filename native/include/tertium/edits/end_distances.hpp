// How much a text may gain at most if two of its blocks change places: a bound that spares CharacTER's
// search most measurements. O(|text| x |reference|) to fill, O(|reference|) a question.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/edits/bit_rows.hpp"

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
      pace_.spend(4 * length_);
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
    pace_.spend(2 * length_);
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

  Pace pace_;
  BitRows backward_;
  std::size_t length_ = 0;
  std::vector<std::int32_t> reversed_;
  std::vector<std::int32_t> begins_;  // row i, column j: from the text's [0, i) to the reference's [0, j)
  std::vector<std::int32_t> ends_;    // row i, column j: from the text's [i, end) to the reference's [j, end)
};

}  // namespace tertium
