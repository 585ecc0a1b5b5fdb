// The edits of translation edit rate (Snover et al. 2006): a greedy search for block shifts of the hypothesis
// that lower its edit distance from the reference, with the limits, ties and beam of sacreBLEU's TER. At most
// a thousand candidates are measured, O(|h| |r| / 64) each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/edits/beam_distance.hpp"
#include "tertium/edits/bit_rows.hpp"
#include "tertium/edits/lane_distances.hpp"

namespace tertium {

// The number of edits, shifts included. Keeps its tables between calls; one per thread.
class TranslationEdits {
 public:
  // The result of the search: its shifts in order, and the remaining edits from left to right.
  struct Trace {
    std::vector<std::int64_t> moves;  // kMoveWidth numbers each: start, length, landing
    std::vector<std::int32_t> edits;  // by their number in Edit
  };
  static constexpr std::size_t kMoveWidth = 3;

  Trace trace(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    Trace made;
    if (reference.empty()) {
      made.edits.assign(hypothesis.size(), static_cast<std::int32_t>(Edit::remove));
      return made;
    }
    trace_ = &made;
    distance(hypothesis, reference);
    trace_ = nullptr;
    std::ranges::reverse(made.edits);  // the path is read from its end
    return made;
  }

  std::size_t distance(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    if (reference.empty()) return hypothesis.size();
    rows_.name_words(reference);
    words_.resize(hypothesis.size());
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = rows_.number(hypothesis[i]);
    // The rows of the hypothesis, and the places of each different word of the reference.
    const std::size_t table = std::max(hypothesis.size(), reference.size()) * ((reference.size() + 63) / 64);
    narrow_from_ = table > kLargestTable || !takes_shortcuts()
                       ? 0
                       : Beam(hypothesis.size(), reference.size()).cost_of_leaving();
    if (narrow_from_ > 0) rows_.index();
    std::size_t shifts = 0;
    n_checked_ = 0;
    std::size_t edits = fill(0);
    for (Shift best; edits > 0 && find_shift(edits, best); ++shifts) {
      edits = fill(apply(best));
    }
    return shifts + edits;
  }

 private:
  // Limits of Tercom and sacreBLEU, kept for identical scores.
  static constexpr std::size_t kLongestShift = 10;
  static constexpr std::size_t kFarthestShift = 50;
  static constexpr std::size_t kMaxCandidates = 1000;
  static constexpr std::size_t kLargestTable = std::size_t{1}
                                               << 20;  // in 64-bit words, 8 MB; larger tables use the beam

  // Moves words_[start, start + length) to just before the word that is now words_[target].
  struct Shift {
    std::size_t edits = 0, start = 0, length = 0, target = 0;
    bool is_exact = false;  // measured in the beam
    bool beats(const Shift& other) const {
      if (edits != other.edits) return edits < other.edits;
      if (length != other.length) return length > other.length;
      if (start != other.start) return start < other.start;
      return target < other.target;
    }
  };

  // Fills the table for words_, of which the first `same` are unchanged, and reads the alignment off its
  // path.
  std::size_t fill(std::size_t same) {
    if (narrow_from_ == 0) return fill_beam();
    const std::size_t edits = rows_.fill(words_, same);
    const auto edit_at = [&](std::size_t i, std::size_t j) { return rows_.edit(i, j, words_[i - 1]); };
    if (edits < narrow_from_) {
      align(edit_at);
      return edits;
    }
    // A path inside the beam is also the beam's result: no path that the beam prefers becomes cheaper.
    const Beam beam(words_.size(), rows_.length());
    bool inside = true;
    const std::size_t left = align([&](std::size_t i, std::size_t j) {
      inside = inside && beam.reaches(i, j);
      return edit_at(i, j);
    });
    return inside && beam.reaches(left, 0) ? edits : fill_beam();
  }
  std::size_t fill_beam() {
    const std::size_t edits = beam_.distance(words_, rows_.reference());
    align([&](std::size_t i, std::size_t j) { return beam_.edit(i, j); });
    return edits;
  }

  // aligned_[j] is one past the hypothesis word aligned with reference word j; next_*_error_[k] is the first
  // word from k on that is not kept. Entries written for a word while the path stays at it are overwritten
  // when the path leaves it. Returns how many hypothesis words remain when the reference is used up.
  template <typename EditAt>
  std::size_t align(const EditAt& edit_at) {
    std::size_t i = words_.size();
    std::size_t j = rows_.reference().size();
    aligned_.resize(j);
    next_hypothesis_error_.resize(i + 1);
    next_reference_error_.resize(j + 1);
    next_hypothesis_error_[i] = i;
    next_reference_error_[j] = j;
    if (trace_ != nullptr) trace_->edits.clear();
    while (i > 0 && j > 0) {
      const Edit edit = edit_at(i, j);
      if (trace_ != nullptr) trace_->edits.push_back(static_cast<std::int32_t>(edit));
      const bool keeps = edit == Edit::keep;
      aligned_[j - 1] = i;
      next_hypothesis_error_[i - 1] = keeps ? next_hypothesis_error_[i] : i - 1;
      next_reference_error_[j - 1] = keeps ? next_reference_error_[j] : j - 1;
      i -= edit != Edit::insert;
      j -= edit != Edit::remove;
    }
    if (trace_ != nullptr) {
      trace_->edits.insert(trace_->edits.end(), i, static_cast<std::int32_t>(Edit::remove));
      trace_->edits.insert(trace_->edits.end(), j, static_cast<std::int32_t>(Edit::insert));
    }
    for (; j > 0; --j) {
      aligned_[j - 1] = 0;
      next_reference_error_[j - 1] = j - 1;
    }
    for (std::size_t k = 0; k < i; ++k) next_hypothesis_error_[k] = k;
    return i;
  }

  // Finds the next shift. Returns false if no shift helps, or if the limit of candidates is reached on the
  // way.
  bool find_shift(std::size_t edits, Shift& best) {
    candidates_.clear();
    if (!collect() || candidates_.empty()) return false;
    measure();
    while (true) {
      Shift& first =
          *std::ranges::min_element(candidates_, [](const auto& a, const auto& b) { return a.beats(b); });
      if (first.edits >= edits) return false;  // the beam can only add edits
      best = first;
      if (first.edits < narrow_from_ || first.is_exact) return true;
      join(cut(first));
      first.edits = beam_.distance(shifted_, rows_.reference());
      first.is_exact = true;
    }
  }

  // Collects the shifts to try; false if there are too many.
  bool collect() {
    const auto reference = rows_.reference();
    bool goes_on = true;
    for (std::size_t start = 0; start < words_.size() && goes_on; ++start) {
      const std::size_t from = start > kFarthestShift ? start - kFarthestShift : 0;
      const std::size_t to = std::min(reference.size(), start + kFarthestShift + 1);
      const auto visit = [&](std::size_t goal) {
        if (goes_on && goal >= from && goal < to) goes_on = collect_blocks(start, goal);
      };
      if (narrow_from_ > 0) {
        rows_.each_place(words_[start], visit);
        continue;
      }
      interrupt_check_.tick(2 * kFarthestShift);
      for (std::size_t goal = from; goal < to; ++goal)
        if (words_[start] == reference[goal]) visit(goal);
    }
    return goes_on;
  }

  // Collects the blocks that begin at `start` in the hypothesis and at `goal` in the reference, and have an
  // error on both sides.
  bool collect_blocks(std::size_t start, std::size_t goal) {
    const auto reference = rows_.reference();
    const std::size_t longest = std::min({kLongestShift, words_.size() - start, reference.size() - goal});
    const std::size_t error =
        std::max(next_hypothesis_error_[start] - start, next_reference_error_[goal] - goal);
    if (error >= longest || words_[start + error] != reference[goal + error]) return true;
    for (std::size_t length = 1; length <= longest; ++length) {
      if (words_[start + length - 1] != reference[goal + length - 1]) break;
      if (length <= error) continue;
      if (start < aligned_[goal] && aligned_[goal] <= start + length) continue;  // it would land in itself
      collect_targets(start, goal, length);
      if (n_checked_ >= kMaxCandidates) return false;
    }
    return true;
  }

  void collect_targets(std::size_t start, std::size_t goal, std::size_t length) {
    std::size_t previous = words_.size() + 1;
    for (std::size_t at = goal; at <= goal + length;
         ++at) {  // before the goal, then behind each of its words
      const std::size_t target = at == 0 ? 0 : aligned_[at - 1];
      if (target == previous) continue;
      previous = target;
      ++n_checked_;
      candidates_.push_back({.start = start, .length = length, .target = target});
    }
  }

  // Computes how many edits each candidate leaves, ignoring the beam.
  void measure() {
    if (narrow_from_ == 0) return;
    if (rows_.length() <= 64) return measure_lanes();
    for (Shift& shift : candidates_) {
      const Parts parts = cut(shift);
      shift.edits = rows_.distance_from(parts.prefix, parts.first, parts.second, parts.rest);
    }
  }

  void measure_lanes() {
    lanes_.fill(words_, rows_);
    constexpr std::size_t n_lanes = LaneDistances::kLanes;
    for (std::size_t first = 0; first < candidates_.size(); first += n_lanes) {
      const std::size_t count = std::min(n_lanes, candidates_.size() - first);
      std::array<Swap, n_lanes> swaps;
      for (std::size_t lane = 0; lane < count; ++lane) swaps[lane] = swap_of(candidates_[first + lane]);
      interrupt_check_.tick(n_lanes * (words_.size() - swaps[0].first));
      const auto distances = lanes_.measure(std::span(swaps).first(count));
      for (std::size_t lane = 0; lane < count; ++lane) candidates_[first + lane].edits = distances[lane];
    }
  }

  Swap swap_of(const Shift& shift) const {
    const std::size_t behind = shift.start + shift.length;
    if (shift.target < shift.start) return {shift.target, shift.start, behind};
    // A target inside the block moves the block to the right by `target - start` words, at most to the end.
    const std::size_t end =
        shift.target > behind ? shift.target : std::min(shift.target + shift.length, words_.size());
    return {shift.start, behind, end};
  }

  // The three parts of the hypothesis that follow the words before the shift.
  struct Parts {
    std::size_t prefix;
    std::span<const std::int32_t> first, second, rest;
  };
  Parts cut(const Shift& shift) const {
    const std::span<const std::int32_t> words = words_;
    const auto [first, middle, last] = swap_of(shift);
    return {first, words.subspan(middle, last - middle), words.subspan(first, middle - first),
            words.subspan(last)};
  }

  void join(const Parts& parts) {
    shifted_.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(parts.prefix));
    for (const auto& part : {parts.first, parts.second, parts.rest})
      shifted_.insert(shifted_.end(), part.begin(), part.end());
  }

  // Returns the number of words before the first one that moved.
  std::size_t apply(const Shift& shift) {
    const Parts parts = cut(shift);
    if (trace_ != nullptr) {
      const std::size_t passed = shift.target < shift.start ? 0 : parts.first.size();
      // The block is removed and inserted again after this many words.
      const std::size_t landing = parts.prefix + passed;
      for (const std::size_t number : {shift.start, shift.length, landing})
        trace_->moves.push_back(static_cast<std::int64_t>(number));
    }
    join(parts);
    words_.swap(shifted_);
    return parts.prefix;
  }

  InterruptCheck interrupt_check_;
  BitRows rows_;
  LaneDistances lanes_;
  BeamDistance beam_;
  std::vector<std::int32_t> words_, shifted_;
  std::vector<Shift> candidates_;
  std::vector<std::size_t> aligned_;
  std::vector<std::size_t> next_hypothesis_error_, next_reference_error_;
  std::size_t narrow_from_ = 0;  // from this distance on, sacreBLEU's beam may matter; 0: no short cuts
  std::size_t n_checked_ = 0;
  Trace* trace_ = nullptr;
};

}  // namespace tertium
