// An upper bound for the gain when two blocks of a text change places, which saves CharacTER's search most of
// its distance computations. O(|text| x |reference| / 64) to fill, O(|reference|) for each new question.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/edits/bit_rows.hpp"
#include "tertium/edits/swapped_rows.hpp"

namespace tertium {

// The distances of both ends of a text from both ends of a reference. They bound how much a swap can change
// the distance of the text. Rows are read on demand, and answers are cached.
class EndDistances {
 public:
  // Maximum number of words in both texts together, because sums of two distances are stored in 16 bits.
  static constexpr std::size_t kMaxWords = std::numeric_limits<std::int16_t>::max();

  void index(std::size_t length, std::size_t n_words, std::span<const BitRows::Match> matches) {
    length_ = length;
    mirrored_.assign(matches.begin(), matches.end());
    for (auto& match : mirrored_) match.place = length - 1 - match.place;
    backward_.index(length, n_words, mirrored_);
    before_.resize(backward_.row_size());
    after_.resize(backward_.row_size());
  }

  void fill(std::span<const std::int32_t> words) {
    reversed_.assign(words.rbegin(), words.rend());
    edits_ = static_cast<std::int32_t>(backward_.fill(reversed_));
    removals_.assign(words.size() + 1, {});  // an empty block may begin behind the text
    insertions_.assign(2 * (words.size() + 1), {});
  }

  // The following two functions return lower bounds for the edits after a swap: inserting a block changes the
  // distance by at most one per word, and so does removing it. `forward` has kept the rows of the text.
  std::size_t least_by_removal(const Swap& swap, const BitRows& forward) {
    const auto [begin, end] = shorter_block(swap);
    const auto find = [&, begin = begin, end = end] {
      return distance(begin, forward.kept(begin), end, forward);
    };
    return floor(removals_[begin].recall(end, find), end - begin);
  }
  std::size_t least_by_insertion(const Swap& swap, std::span<const std::int32_t> words,
                                 const BitRows& forward) {
    const auto [begin, end] = shorter_block(swap);
    if (end - begin != 1) return 0;
    // Words come to a place from the left or from the right: in exact matching, one word from each side.
    const bool from_left = begin == swap.first;
    const std::size_t place = from_left ? swap.last : swap.first;
    const std::int32_t word = words[begin];
    return floor(insertions_[2 * place + from_left].recall(static_cast<std::size_t>(word),
                                                           [&] { return with(word, place, forward); }),
                 1);
  }

  // The distance of a text whose first `n_before` words have this row, and which continues with the words of
  // the filled text from word `end` on.
  std::int32_t distance(std::size_t n_before, std::span<const BitRows::Block> row, std::size_t end,
                        const BitRows& forward) {
    read(n_before, row, end, forward);
    return least_sum(length_);
  }

 private:
  // Caches the answer to the last question.
  struct Memory {
    std::size_t question = 0;  // matches no question: no block ends at 0, and words are numbered from 1
    std::int32_t answer = 0;

    template <typename Find>
    std::int32_t recall(std::size_t asked, const Find& find) {
      if (asked != question) *this = {asked, find()};
      return answer;
    }
  };

  static std::pair<std::size_t, std::size_t> shorter_block(const Swap& swap) {
    if (swap.middle - swap.first < swap.last - swap.middle) return {swap.first, swap.middle};
    return {swap.middle, swap.last};
  }
  static std::size_t floor(std::int32_t edits, std::size_t n_changed) {
    return static_cast<std::size_t>(std::max(edits - static_cast<std::int32_t>(n_changed), 0));
  }

  // Reads two rows: before_[j] is the distance from the first j words of the reference, and after_[k] that of
  // the text's words from `end` on from the last k words of the reference.
  void read(std::size_t n_before, std::span<const BitRows::Block> row, std::size_t end,
            const BitRows& forward) {
    const std::size_t n_after = reversed_.size() - end;
    interrupt_check_.tick(length_ / 4);
    forward.read(n_before, row, before_);
    backward_.read(n_after, backward_.kept(n_after), after_);
  }

  // The distance of the text with one more word at `place`: the word is an insertion, or a substitution for a
  // word of the reference, or a match.
  std::int32_t with(std::int32_t word, std::size_t place, const BitRows& forward) {
    read(place, forward.kept(place), place, forward);
    std::int32_t least = std::min(edits_, least_sum(length_ - 1)) + 1;
    forward.each_place(word, [&](std::size_t j) {
      least = std::min<std::int32_t>(least, before_[j] + after_[length_ - 1 - j]);
    });
    return least;
  }

  // The minimum distance over all ways to cut a reference of this length in two.
  std::int32_t least_sum(std::size_t length) const {
    std::int16_t least = std::numeric_limits<std::int16_t>::max();
    for (std::size_t j = 0; j <= length; ++j)
      least = std::min(least, static_cast<std::int16_t>(before_[j] + after_[length - j]));
    return least;
  }

  InterruptCheck interrupt_check_;
  BitRows backward_;
  std::size_t length_ = 0;
  std::int32_t edits_ = 0;
  std::vector<std::int32_t> reversed_;
  std::vector<BitRows::Match> mirrored_;
  std::vector<std::int16_t> before_, after_;
  std::vector<Memory> removals_;    // by the block's first word
  std::vector<Memory> insertions_;  // by place and side
};

}  // namespace tertium
