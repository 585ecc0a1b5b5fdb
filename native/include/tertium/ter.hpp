// The edits of translation edit rate (Snover et al. 2006): a greedy search for block shifts of the hypothesis
// that lower its edit distance from the reference, with the limits, ties and beam of sacreBLEU's TER.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tertium/beam_distance.hpp"
#include "tertium/ngrams.hpp"

namespace tertium {

// Rows of the table of edit distances between a hypothesis and one reference, as bit vectors (Myers 1999;
// Hyyrö 2003) over the reference. Rows can be continued from any row kept. O(|reference| / 64) a row.
class BitRows {
 public:
  using Bits = std::uint64_t;

  // Words by dense numbers: a reference's from 1, 0 for those it lacks. Returns the reference's.
  void index(std::span<const std::int32_t> reference) {
    length_ = reference.size();
    words_ = (length_ + 63) / 64;
    names_.clear();
    masks_.assign(words_, 0);
    reference_.resize(length_);
    for (std::size_t j = 0; j < length_; ++j) {
      const auto name = static_cast<std::size_t>(names_.name(static_cast<std::uint32_t>(reference[j]))) + 1;
      if ((name + 1) * words_ > masks_.size()) masks_.resize((name + 1) * words_, 0);
      masks_[name * words_ + j / 64] |= Bits{1} << (j % 64);
      reference_[j] = static_cast<std::int32_t>(name);
    }
  }
  std::span<const std::int32_t> reference() const { return reference_; }
  std::int32_t number(std::int32_t word) const { return names_.find(static_cast<std::uint32_t>(word)) + 1; }
  bool stands_at(std::int32_t number, std::size_t j) const {
    return (masks_[static_cast<std::size_t>(number) * words_ + j / 64] >> (j % 64)) & 1;
  }

  // Fills and keeps the rows of this hypothesis; returns its distance.
  std::size_t fill(std::span<const std::int32_t> hypothesis) {
    kept_.resize((hypothesis.size() + 1) * words_);
    paths_.resize(hypothesis.size() * words_);
    scores_.resize(hypothesis.size() + 1);
    std::fill_n(kept_.begin(), words_, Vertical{~Bits{0}, 0});
    scores_[0] = length_;
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      std::copy_n(&kept_[i * words_], words_, &kept_[(i + 1) * words_]);
      scores_[i + 1] = scores_[i] + step(words_, hypothesis[i], &kept_[(i + 1) * words_],
                                         [&](std::size_t w, Path path) { paths_[i * words_ + w] = path; });
    }
    return scores_.back();
  }

  // How the path reaches cell (i, j) of the rows kept; ties as in BeamDistance.
  Edit edit(std::size_t i, std::size_t j, std::int32_t word) const {
    if (i == 0) return Edit::insert;
    if (j == 0) return Edit::remove;
    if (stands_at(word, j - 1)) return Edit::keep;
    const Path& path = paths_[(i - 1) * words_ + (j - 1) / 64];
    if (((path.level >> ((j - 1) % 64)) & 1) == 0) return Edit::substitute;
    return ((path.rising >> ((j - 1) % 64)) & 1) != 0 ? Edit::remove : Edit::insert;
  }

  // The distance of a hypothesis that has `prefix` words in common with the one kept, then these parts.
  template <typename... Parts>
  std::size_t distance_from(std::size_t prefix, const Parts&... parts) {
    scratch_.resize(words_);
    std::copy_n(&kept_[prefix * words_], words_, scratch_.data());
    std::size_t score = scores_[prefix];
    if (words_ == 1) {
      Vertical row = scratch_[0];
      const std::integral_constant<std::size_t, 1> one;
      (run(one, parts, &row, score), ...);
    } else {
      (run(words_, parts, scratch_.data(), score), ...);
    }
    return score;
  }

 private:
  struct Vertical {
    Bits plus, minus;  // where D(i, j) - D(i, j-1) is 1, and where it is -1
  };
  struct Path {
    Bits level, rising;  // where D(i, j) = D(i-1, j-1), and where D(i, j) = D(i-1, j) + 1
  };

  template <typename Words>
  void run(Words words, std::span<const std::int32_t> part, Vertical* row, std::size_t& score) const {
    for (const std::int32_t word : part) score += step(words, word, row, [](std::size_t, Path) {});
  }

  // Moves the row on by one hypothesis word; returns the change of its last cell (modulo 2^64).
  template <typename Words, typename Record>
  std::size_t step(Words words, std::int32_t word, Vertical* row, const Record& record) const {
    const Bits* masks = &masks_[static_cast<std::size_t>(word) * words];
    const Bits last = Bits{1} << ((length_ - 1) % 64);
    Bits plus_carry = 1;
    Bits minus_carry = 0;
    std::size_t change = 0;
    for (std::size_t w = 0; w < words; ++w) {
      auto& [vertical_plus, vertical_minus] = row[w];
      const Bits equal = masks[w] | minus_carry;
      const Bits level = (((equal & vertical_plus) + vertical_plus) ^ vertical_plus) | equal | vertical_minus;
      const Bits plus = vertical_minus | ~(level | vertical_plus);
      const Bits minus = level & vertical_plus;
      record(w, Path{level, plus});
      if (w + 1 == words)
        change = static_cast<std::size_t>((plus & last) != 0) - static_cast<std::size_t>((minus & last) != 0);
      const Bits plus_shifted = (plus << 1) | plus_carry;
      const Bits minus_shifted = (minus << 1) | minus_carry;
      plus_carry = plus >> 63;
      minus_carry = minus >> 63;
      vertical_plus = minus_shifted | ~(level | plus_shifted);
      vertical_minus = plus_shifted & level;
    }
    return change;
  }

  DenseNames names_;
  std::size_t length_ = 0, words_ = 0;
  std::vector<Bits> masks_;
  std::vector<std::int32_t> reference_;
  std::vector<Vertical> kept_, scratch_;
  std::vector<Path> paths_;
  std::vector<std::size_t> scores_;
};

// The number of edits, shifts included. Keeps its tables between calls; one per thread.
class TranslationEdits {
 public:
  std::size_t distance(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    if (reference.empty()) return hypothesis.size();
    rows_.index(reference);
    words_.resize(hypothesis.size());
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = rows_.number(hypothesis[i]);
    const std::size_t table = hypothesis.size() * ((reference.size() + 63) / 64);
    narrow_from_ = table > kLargestTable ? 0 : Beam(hypothesis.size(), reference.size()).cost_of_leaving();
    std::size_t shifts = 0;
    n_checked_ = 0;
    std::size_t edits = fill();
    for (Shift best; edits > 0 && find_shift(edits, best); ++shifts) {
      apply(best);
      edits = fill();
    }
    return shifts + edits;
  }

 private:
  // Limits of Tercom and sacreBLEU, kept for identical scores.
  static constexpr std::size_t kLongestShift = 10;
  static constexpr std::size_t kFarthestShift = 50;
  static constexpr std::size_t kMostCandidates = 1000;
  static constexpr std::size_t kLargestTable = std::size_t{1} << 20;  // in 64-bit words: beyond it, the beam

  // words_[start, start + length) moves so that it stands before what is now words_[target].
  struct Shift {
    std::size_t edits = 0, start = 0, length = 0, target = 0;
    bool beats(const Shift& other) const {
      if (edits != other.edits) return edits < other.edits;
      if (length != other.length) return length > other.length;
      if (start != other.start) return start < other.start;
      return target < other.target;
    }
  };

  // Fills the table for words_ and reads the alignment off its path.
  std::size_t fill() {
    bool narrow = narrow_from_ == 0;
    std::size_t edits = narrow ? 0 : rows_.fill(words_);
    narrow = narrow || edits >= narrow_from_;
    if (narrow) edits = beam_.distance(words_, rows_.reference());
    align([&](std::size_t i, std::size_t j) {
      return narrow ? beam_.edit(i, j) : rows_.edit(i, j, i == 0 ? 0 : words_[i - 1]);
    });
    return edits;
  }

  // aligned_[j] is one past the hypothesis word that reference word j goes with; *_errors_ are running sums.
  template <typename EditAt>
  void align(const EditAt& edit_at) {
    std::size_t i = words_.size();
    std::size_t j = rows_.reference().size();
    aligned_.resize(j);
    hypothesis_errors_.assign(i + 1, 0);
    reference_errors_.assign(j + 1, 0);
    while (i > 0 || j > 0) {
      const Edit edit = edit_at(i, j);
      if (edit != Edit::remove) {
        aligned_[j - 1] = i;
        reference_errors_[j] = edit != Edit::keep;
      }
      if (edit != Edit::insert) hypothesis_errors_[i] = edit != Edit::keep;
      i -= edit != Edit::insert;
      j -= edit != Edit::remove;
    }
    for (i = 1; i < hypothesis_errors_.size(); ++i) hypothesis_errors_[i] += hypothesis_errors_[i - 1];
    for (j = 1; j < reference_errors_.size(); ++j) reference_errors_[j] += reference_errors_[j - 1];
  }

  // The shift to make next. None if no shift helps, or if the limit of candidates is reached on the way.
  bool find_shift(std::size_t edits, Shift& best) {
    best = Shift{edits, 0, 0, 0};
    const auto reference = rows_.reference();
    for (std::size_t start = 0; start < words_.size(); ++start) {
      const std::size_t from = start > kFarthestShift ? start - kFarthestShift : 0;
      const std::size_t to = std::min(reference.size(), start + kFarthestShift + 1);
      for (std::size_t goal = from; goal < to; ++goal)
        if (rows_.stands_at(words_[start], goal) && !try_blocks(start, goal, best)) return false;
    }
    return best.edits < edits;
  }

  // Tries the blocks that stand at `start` in the hypothesis and at `goal` in the reference.
  bool try_blocks(std::size_t start, std::size_t goal, Shift& best) {
    const auto reference = rows_.reference();
    const std::size_t longest = std::min({kLongestShift, words_.size() - start, reference.size() - goal});
    for (std::size_t length = 1; length <= longest; ++length) {
      if (words_[start + length - 1] != reference[goal + length - 1]) break;
      if (hypothesis_errors_[start + length] == hypothesis_errors_[start]) continue;
      if (reference_errors_[goal + length] == reference_errors_[goal]) continue;
      if (start < aligned_[goal] && aligned_[goal] <= start + length) continue;  // it would land in itself
      try_targets(start, goal, length, best);
      if (n_checked_ >= kMostCandidates) return false;
    }
    return true;
  }

  void try_targets(std::size_t start, std::size_t goal, std::size_t length, Shift& best) {
    std::size_t previous = words_.size() + 1;
    for (std::size_t at = goal; at <= goal + length;
         ++at) {  // before the goal, then behind each of its words
      const std::size_t target = at == 0 ? 0 : aligned_[at - 1];
      if (target == previous) continue;
      previous = target;
      ++n_checked_;
      const Shift shift{distance_after(start, length, target), start, length, target};
      if (shift.beats(best)) best = shift;
    }
  }

  // The three parts of the hypothesis that follow the words before the shift.
  struct Parts {
    std::size_t prefix;
    std::span<const std::int32_t> first, second, rest;
  };
  Parts cut(std::size_t start, std::size_t length, std::size_t target) const {
    const std::span<const std::int32_t> words = words_;
    const auto block = words.subspan(start, length);
    if (target < start)
      return {target, block, words.subspan(target, start - target), words.subspan(start + length)};
    // A target inside the block moves it on by as much.
    const std::size_t end = target > start + length ? target : std::min(target + length, words.size());
    return {start, words.subspan(start + length, end - start - length), block, words.subspan(end)};
  }

  std::size_t distance_after(std::size_t start, std::size_t length, std::size_t target) {
    const Parts parts = cut(start, length, target);
    const std::size_t edits =
        narrow_from_ == 0 ? 0 : rows_.distance_from(parts.prefix, parts.first, parts.second, parts.rest);
    if (edits < narrow_from_) return edits;
    join(parts);
    return beam_.distance(shifted_, rows_.reference());
  }

  void join(const Parts& parts) {
    shifted_.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(parts.prefix));
    for (const auto& part : {parts.first, parts.second, parts.rest})
      shifted_.insert(shifted_.end(), part.begin(), part.end());
  }

  void apply(const Shift& shift) {
    join(cut(shift.start, shift.length, shift.target));
    words_.swap(shifted_);
  }

  BitRows rows_;
  BeamDistance beam_;
  std::vector<std::int32_t> words_, shifted_;
  std::vector<std::size_t> aligned_;
  std::vector<std::uint32_t> hypothesis_errors_, reference_errors_;
  std::size_t narrow_from_ = 0;  // from this distance on, sacreBLEU's beam may matter
  std::size_t n_checked_ = 0;
};

}  // namespace tertium
