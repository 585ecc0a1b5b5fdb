// Edit distances of many rearrangements of one hypothesis from one reference, as the searches of TER and
// CharacTER try them. All share the reference and most of their words, so its index and the rows of the
// unchanged beginning are kept. O(|reference| / 64) a word, by bit vectors (Myers 1999; Hyyrö 2003).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tertium/base/dense_names.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/edits/beam_distance.hpp"

namespace tertium {

// Rows of the table of edit distances between a hypothesis and one reference, as bit vectors (Myers 1999;
// Hyyrö 2003) over the reference. Rows can be continued from any row kept. O(|reference| / 64) a row.
class BitRows {
 public:
  using Bits = std::uint64_t;

  // Numbers the reference's words from 1; 0 is any word that it lacks.
  void name_words(std::span<const std::int32_t> reference) {
    length_ = reference.size();
    names_.clear();
    reference_.resize(length_);
    for (std::size_t j = 0; j < length_; ++j)
      reference_[j] = names_.name(static_cast<std::uint32_t>(reference[j])) + 1;
  }
  // Makes rows possible over the reference that was named: a bit for each of its words and places.
  void index() {
    words_ = (length_ + 63) / 64;
    masks_.assign((static_cast<std::size_t>(names_.size()) + 1) * words_, 0);
    for (std::size_t j = 0; j < length_; ++j)
      masks_[static_cast<std::size_t>(reference_[j]) * words_ + j / 64] |= Bits{1} << (j % 64);
  }
  // Numbers `n_words` words from 1 that stand wherever matches(word, j) says, be they equal or only alike.
  template <typename Matches>
  void index(std::size_t length, std::size_t n_words, const Matches& matches) {
    length_ = length;
    words_ = (length_ + 63) / 64;
    masks_.assign((n_words + 1) * words_, 0);
    for (std::size_t word = 0; word < n_words; ++word)
      for (std::size_t j = 0; j < length_; ++j) {
        pace_.spend(kMatchCost);
        if (matches(word, j)) masks_[(word + 1) * words_ + j / 64] |= Bits{1} << (j % 64);
      }
  }
  std::span<const std::int32_t> reference() const { return reference_; }
  std::int32_t number(std::int32_t word) const { return names_.find(static_cast<std::uint32_t>(word)) + 1; }
  bool stands_at(std::int32_t number, std::size_t j) const {
    return (masks_[static_cast<std::size_t>(number) * words_ + j / 64] >> (j % 64)) & 1;
  }

  // Calls visit(j) for each place where the word stands, from left to right.
  template <typename Visit>
  void each_place(std::int32_t number, const Visit& visit) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (Bits left = masks_[static_cast<std::size_t>(number) * words_ + w]; left != 0; left &= left - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
  }

  // Fills and keeps the rows of this hypothesis; returns its distance.
  std::size_t fill(std::span<const std::int32_t> hypothesis) {
    kept_.resize((hypothesis.size() + 1) * words_);
    paths_.resize(hypothesis.size() * words_);
    scores_.resize(hypothesis.size() + 1);
    std::fill_n(kept_.begin(), words_, Vertical{~Bits{0}, 0});
    scores_[0] = length_;
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      pace_.spend(words_);
      std::copy_n(&kept_[i * words_], words_, &kept_[(i + 1) * words_]);
      scores_[i + 1] = scores_[i] + step(words_, hypothesis[i], &kept_[(i + 1) * words_],
                                         [&](std::size_t w, Path path) { paths_[i * words_ + w] = path; });
    }
    return scores_.back();
  }

  // Row i of the rows kept, where the reference has at most 64 words, and where one of its words stands.
  Bits kept_plus(std::size_t i) const { return kept_[i].plus; }
  Bits kept_minus(std::size_t i) const { return kept_[i].minus; }
  std::size_t kept_distance(std::size_t i) const { return scores_[i]; }
  Bits places(std::int32_t number) const { return masks_[static_cast<std::size_t>(number)]; }
  std::size_t length() const { return length_; }

  // Writes row i of the rows kept: the distance of the first i words from each beginning of the reference.
  void read(std::size_t i, std::span<std::int32_t> row) const {
    row[0] = static_cast<std::int32_t>(i);
    for (std::size_t j = 0; j < length_; ++j) {
      const auto& [plus, minus] = kept_[i * words_ + j / 64];
      row[j + 1] = row[j] + static_cast<std::int32_t>((plus >> (j % 64)) & 1) -
                   static_cast<std::int32_t>((minus >> (j % 64)) & 1);
    }
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
  void run(Words words, std::span<const std::int32_t> part, Vertical* row, std::size_t& score) {
    pace_.spend(part.size() * words);
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

  static constexpr std::size_t kMatchCost = 64;  // comparing two spellings, in units of a Pace
  Pace pace_;
  DenseNames names_;
  std::size_t length_ = 0, words_ = 0;
  std::vector<Bits> masks_;
  std::vector<std::int32_t> reference_;
  std::vector<Vertical> kept_, scratch_;
  std::vector<Path> paths_;
  std::vector<std::size_t> scores_;
};

}  // namespace tertium
