// CharacTER's search (Wang et al. 2016) for the phrases to move, with the choices of CharacTER.py. The tool
// computes the distance after every candidate move. Here the candidates are ordered by a bound, most
// distances are never computed, and for the others only the changed part is. Worst case O(moves x candidates
// x |h| |r| / 64) time and O(|h| |r| / 64) memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/edits/bit_rows.hpp"
#include "tertium/edits/lane_distances.hpp"
#include "tertium/edits/swapped_rows.hpp"

namespace tertium {

// The distances of both ends of a text from both ends of a reference. They bound how much a swap of two
// blocks can change the distance of the text, which saves most distance computations. Rows are read on
// demand, and answers are cached. O(|text| x |reference| / 64) to fill, O(|reference|) for each new question.
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

// Moves phrases of a hypothesis as long as that lowers its word error rate. Each step makes the move that
// lowers it most; ties go to the move whose words come last in alphabetical order. A phrase is the longest
// common one that begins at a given position of the hypothesis and a different position of the reference.
// Order has a function compare(a, b) of two different words: negative if a comes first in alphabetical order,
// otherwise positive. Keeps its tables between calls.
template <typename Order>
class PhraseMover {
 public:
  // `words` are numbered from 1 to `n_words`, and `matches` says where they occur in the reference. On return
  // `words` are in their new order.
  void reorder(std::vector<std::int32_t>& words, std::size_t n_words, std::size_t reference_length,
               std::span<const BitRows::Match> matches, const Order& order) {
    order_ = &order;
    length_ = reference_length;
    is_bounded_ = takes_shortcuts();
    is_long_ = is_bounded_ && length_ > kShort && length_ + words.size() <= EndDistances::kMaxWords;
    rows_.index(length_, n_words, matches);
    fewest_ = is_bounded_ ? fewest_edits(words, n_words, matches) : 0;
    std::size_t edits = rows_.fill(words);
    if (is_long_ && edits > 0) ends_.index(length_, n_words, matches);
    double rate = error_rate(edits);
    // `rate` differs from the rate of `edits` by rounding errors only, which are far smaller than one edit.
    for (Swap swap; edits > 0 && find_swap(words, edits, edits + (error_rate(edits) < rate), swap);) {
      apply(swap, words);
      edits = rows_.fill(words, swap.first);
      // The tool subtracts the gain. The difference may exceed the new rate by a rounding error, which allows
      // one more move without any gain: kept for identical scores.
      const double gain = rate - error_rate(edits);
      rate -= gain;
    }
  }

 private:
  struct Candidate {
    Swap swap;
    std::size_t edits;            // lower bound for the edits after the swap
    bool is_bounded_well = true;  // the more expensive bound was computed, too
  };

  double error_rate(std::size_t edits) const {
    return static_cast<double>(edits) / static_cast<double>(length_);
  }

  // No order of the words has fewer edits than the longer text has words that are left without a partner.
  std::size_t fewest_edits(std::span<const std::int32_t> words, std::size_t n_words,
                           std::span<const BitRows::Match> matches) {
    counts_.assign(n_words + 1, 0);
    for (const std::int32_t word : words) ++counts_[static_cast<std::size_t>(word)];
    std::size_t n_pairs = 0;
    for (const auto& match : matches) n_pairs += counts_[static_cast<std::size_t>(match.word)]-- > 0;
    return std::max(words.size(), length_) - std::min({n_pairs, words.size(), length_});
  }

  // Finds the best swap that leaves fewer than `limit` edits; returns false if there is none.
  bool find_swap(std::span<const std::int32_t> words, std::size_t edits, std::size_t limit, Swap& best) {
    leader_.reset();
    candidates_.clear();
    if (fewest_ >= limit) return false;
    collect(words, edits, limit);
    if (is_bounded_ && length_ <= kShort)
      choose_by_lanes(words, limit);
    else
      choose(words, limit);
    if (leader_) best = leader_->swap;
    return leader_.has_value();
  }

  // Finds the longest phrase for each position of the hypothesis and each different position of the
  // reference.
  void collect(std::span<const std::int32_t> words, std::size_t edits, std::size_t limit) {
    if (is_long_) {
      ends_.fill(words);
      swapped_.fill(words, rows_);
    }
    const bool must_gain = is_bounded_ && edits >= limit;  // see reorder()
    phrases_.resize(length_);
    for (std::size_t i = words.size(); i-- > 0;) {
      rows_.each_place(words[i], [&](std::size_t j) {
        const bool goes_on = i + 1 < words.size() && j + 1 < length_ && rows_.stands_at(words[i + 1], j + 1);
        phrases_[j] = goes_on ? phrases_[j + 1] + 1 : 1;  // j + 1 is still of i + 1
        if (i == j) return;
        // A target past the end means the end.
        const auto swap = Swap::move(i, phrases_[j], std::min(j, words.size() - phrases_[j]));
        const Candidate candidate{swap, least_edits(swap, edits), !is_long_};
        if (candidate.edits >= limit || (must_gain && changes_nothing(words, swap))) return;
        candidates_.push_back(candidate);
      });
      if (candidates_.size() > kMaxCandidates) choose(words, limit);
    }
  }

  // Measures the candidates, most promising first, until no other can be better than the leader.
  void choose(std::span<const std::int32_t> words, std::size_t limit) {
    const auto follows = [&](const Candidate& a, const Candidate& b) { return beats(b, a, words); };
    std::ranges::make_heap(candidates_, follows);
    while (!candidates_.empty()) {
      std::ranges::pop_heap(candidates_, follows);
      const Candidate candidate = candidates_.back();
      candidates_.pop_back();
      if (leader_ && !beats(candidate, *leader_, words)) break;
      const std::size_t least =
          candidate.is_bounded_well ? 0 : ends_.least_by_insertion(candidate.swap, words, rows_);
      if (least > candidate.edits) {
        if (least >= limit) continue;
        candidates_.push_back({candidate.swap, least});
        std::ranges::push_heap(candidates_, follows);
        continue;
      }
      const Candidate measured{candidate.swap, distance_after(words, candidate.swap)};
      lead(measured, words, limit);
    }
    candidates_.clear();
  }

  // Measures the candidates of a short reference eight at a time, which takes less time than ordering them.
  void choose_by_lanes(std::span<const std::int32_t> words, std::size_t limit) {
    std::array<Swap, LaneDistances::kLanes> swaps;
    std::size_t count = 0;
    const auto measure = [&] {
      interrupt_check_.tick(swaps.size() * words.size());
      const auto distances = lanes_.measure(std::span(swaps).first(count));
      for (std::size_t lane = 0; lane < count; ++lane) lead({swaps[lane], distances[lane]}, words, limit);
      count = 0;
    };
    if (!candidates_.empty()) lanes_.fill(words, rows_);
    for (const Candidate& candidate : candidates_) {
      if (leader_ && !beats(candidate, *leader_, words)) continue;
      swaps[count++] = candidate.swap;
      if (count == swaps.size()) measure();
    }
    if (count > 0) measure();
    candidates_.clear();
  }

  void lead(const Candidate& measured, std::span<const std::int32_t> words, std::size_t limit) {
    if (measured.edits < limit && (!leader_ || beats(measured, *leader_, words))) leader_ = measured;
  }

  bool beats(const Candidate& a, const Candidate& b, std::span<const std::int32_t> words) {
    return a.edits != b.edits ? a.edits < b.edits : compare(words, a.swap, b.swap) > 0;
  }

  // Lower bound for the edits after a swap. The tighter bound pays where a measurement is slow.
  std::size_t least_edits(const Swap& swap, std::size_t edits) {
    if (!is_bounded_) return 0;
    if (is_long_) return ends_.least_by_removal(swap, rows_);
    const std::size_t most = 2 * std::min(swap.middle - swap.first, swap.last - swap.middle);
    return std::max(fewest_, edits - std::min(edits, most));
  }

  // Compares the texts after two swaps: negative, zero or positive. Words that come from the same position in
  // both are skipped.
  int compare(std::span<const std::int32_t> words, const Swap& a, const Swap& b) {
    const std::size_t last = std::max(a.last, b.last);
    for (std::size_t place = std::min(a.first, b.first); place < last;) {
      const auto one = a.piece_at(place);
      const auto other = b.piece_at(place);
      const std::size_t length = std::min({one.end, other.end, last}) - place;
      if (one.source != other.source) {
        interrupt_check_.tick(length);
        for (std::size_t k = 0; k < length; ++k) {
          const std::int32_t ours = words[one.source + k], theirs = words[other.source + k];
          if (ours != theirs) return order_->compare(ours, theirs);
        }
      }
      place += length;
    }
    return 0;
  }

  bool changes_nothing(std::span<const std::int32_t> words, const Swap& swap) {
    return compare(words, swap, Swap{swap.first, swap.first, swap.first}) == 0;
  }

  std::size_t distance_after(std::span<const std::int32_t> words, const Swap& swap) {
    if (is_long_)
      return static_cast<std::size_t>(ends_.distance(swap.last, swapped_.row_after(swap), swap.last, rows_));
    return rows_.distance_from(swap.first, words.subspan(swap.middle, swap.last - swap.middle),
                               words.subspan(swap.first, swap.middle - swap.first), words.subspan(swap.last));
  }

  static void apply(const Swap& swap, std::vector<std::int32_t>& words) {
    const auto at = [&](std::size_t place) { return words.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(swap.first), at(swap.middle), at(swap.last));
  }

  static constexpr std::size_t kShort = 64;                            // a row is a single number
  static constexpr std::size_t kMaxCandidates = std::size_t{1} << 20;  // bounds their memory to 40 MB
  InterruptCheck interrupt_check_;
  const Order* order_ = nullptr;
  BitRows rows_;
  EndDistances ends_;
  LaneDistances lanes_;
  SwappedRows swapped_;
  std::size_t length_ = 0;
  std::size_t fewest_ = 0;  // edits after any moves
  std::vector<std::int32_t> counts_;
  bool is_bounded_ = true;  // bounds leave candidates out
  bool is_long_ = false;
  std::optional<Candidate> leader_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> phrases_;  // the lengths, by place in the reference
};

}  // namespace tertium
