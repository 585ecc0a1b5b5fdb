// Edit distances of many rearrangements of one hypothesis from one reference, as the searches of TER and
// CharacTER try them. All share the reference and most of their words, so its index and the rows of the
// unchanged beginning are kept. O(|reference| / 64) a word, by bit vectors (Myers 1999; Hyyrö 2003).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tertium/base/dense_ids.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/edits/beam_distance.hpp"

namespace tertium {

// Rows of the table of edit distances between a hypothesis and one reference, as bit vectors (Myers 1999;
// Hyyrö 2003) over the reference. Rows can be continued from any row kept. O(|reference| / 64) a row.
class BitRows {
 public:
  using Bits = std::uint64_t;

  // 64 columns of a row: where D(i, j) - D(i, j-1) is 1, and where it is -1.
  struct Vertical {
    Bits plus, minus;
    bool operator==(const Vertical&) const = default;
  };
  // What a block of 64 columns hands to the next: whether D(i, j) - D(i-1, j) at its end is 1, or -1.
  struct Carry {
    Bits plus = 1, minus = 0;
    bool operator==(const Carry&) const = default;
  };
  // How the columns of a block come out of the row before: where D(i, j) = D(i-1, j-1), where D(i, j) is
  // D(i-1, j) + 1, and where it is D(i-1, j) - 1.
  struct Step {
    Bits level, rising, falling;
  };

  // Moves a block on by a word that stands at these places of it.
  static Step advance(Bits places, Vertical& block, Carry& carry) {
    const Bits equal = places | carry.minus;
    const Bits level = (((equal & block.plus) + block.plus) ^ block.plus) | equal | block.minus;
    const Bits rising = block.minus | ~(level | block.plus);
    const Bits falling = level & block.plus;
    const Bits plus_shifted = (rising << 1) | carry.plus;
    const Bits minus_shifted = (falling << 1) | carry.minus;
    carry = {rising >> 63, falling >> 63};
    block = {minus_shifted | ~(level | plus_shifted), plus_shifted & level};
    return {level, rising, falling};
  }

  // Numbers the reference's words from 1; 0 is any word that it lacks.
  void name_words(std::span<const std::int32_t> reference) {
    length_ = reference.size();
    ids_.clear();
    reference_.resize(length_);
    for (std::size_t j = 0; j < length_; ++j)
      reference_[j] = ids_.intern(static_cast<std::uint32_t>(reference[j])) + 1;
  }
  // Makes rows possible over the reference that was named: a bit for each of its words and places.
  void index() {
    words_ = (length_ + 63) / 64;
    masks_.assign((static_cast<std::size_t>(ids_.size()) + 1) * words_, 0);
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
        interrupt_check_.tick(kMatchCost);
        if (matches(word, j)) masks_[(word + 1) * words_ + j / 64] |= Bits{1} << (j % 64);
      }
  }
  std::span<const std::int32_t> reference() const { return reference_; }
  std::int32_t number(std::int32_t word) const { return ids_.find(static_cast<std::uint32_t>(word)) + 1; }
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

  // Fills and keeps the rows of this hypothesis; returns its distance. Its first `same` words are those of
  // the hypothesis kept before.
  std::size_t fill(std::span<const std::int32_t> hypothesis, std::size_t same = 0) {
    kept_.resize((hypothesis.size() + 1) * words_);
    paths_.resize(hypothesis.size() * words_);
    scores_.resize(hypothesis.size() + 1);
    std::fill_n(kept_.begin(), words_, Vertical{~Bits{0}, 0});
    scores_[0] = length_;
    scratch_.resize(words_);
    if (Vertical row; words_ == 1)
      fill_rows(kOne, hypothesis, same, &row);
    else
      fill_rows(words_, hypothesis, same, scratch_.data());
    return scores_.back();
  }

  // Of the rows kept: the blocks of row i, and what came into block w on the way from row i to the next.
  std::size_t n_blocks() const { return words_; }
  std::size_t length() const { return length_; }
  std::size_t kept_distance(std::size_t i) const { return scores_[i]; }
  std::span<const Vertical> kept(std::size_t i) const { return std::span(kept_).subspan(i * words_, words_); }
  Carry carry_into(std::size_t w, std::size_t i) const {
    if (w == 0) return {};
    const Path& path = paths_[i * words_ + w - 1];
    return {path.rising >> 63, (path.level & kept_[i * words_ + w - 1].plus) >> 63};
  }
  Bits places(std::int32_t number, std::size_t w) const {
    return masks_[static_cast<std::size_t>(number) * words_ + w];
  }

  // Writes the row of the first i words of a text: their distance from each beginning of the reference. Eight
  // are written at a time, so the row must have room for row_size() of them.
  std::size_t row_size() const { return 1 + (length_ + 7) / 8 * 8; }
  void read(std::size_t i, std::span<const Vertical> blocks, std::span<std::int16_t> row) const {
    auto last = static_cast<std::int16_t>(i);
    row[0] = last;
    for (std::size_t j = 0; j < length_; j += 8) {
      auto eight = kRunningSums[(blocks[j / 64].plus >> (j % 64)) & 255];
      const auto minus = kRunningSums[(blocks[j / 64].minus >> (j % 64)) & 255];
      for (std::size_t k = 0; k < 8; ++k) eight[k] = static_cast<std::int16_t>(eight[k] - minus[k] + last);
      std::ranges::copy(eight, &row[j + 1]);
      last = eight[7];
    }
  }

  // How the path reaches cell (i, j) of the rows kept, neither of them 0; ties as in BeamDistance.
  Edit edit(std::size_t i, std::size_t j, std::int32_t word) const {
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
      (run(kOne, parts, &row, score), ...);
    } else {
      (run(words_, parts, scratch_.data(), score), ...);
    }
    return score;
  }

 private:
  static constexpr std::integral_constant<std::size_t, 1> kOne{};  // most references have one block of words
  struct Path {
    Bits level, rising;  // where D(i, j) = D(i-1, j-1), and where D(i, j) = D(i-1, j) + 1
  };

  template <typename Words>
  void fill_rows(Words words, std::span<const std::int32_t> hypothesis, std::size_t from, Vertical* row) {
    interrupt_check_.tick((hypothesis.size() - from) * words);
    std::copy_n(&kept_[from * words], words, row);
    std::size_t score = scores_[from];
    for (std::size_t i = from; i < hypothesis.size(); ++i) {
      score +=
          step(words, hypothesis[i], row, [&](std::size_t w, Path path) { paths_[i * words + w] = path; });
      std::copy_n(row, words, &kept_[(i + 1) * words]);
      scores_[i + 1] = score;
    }
  }

  template <typename Words>
  void run(Words words, std::span<const std::int32_t> part, Vertical* row, std::size_t& score) {
    interrupt_check_.tick(part.size() * words);
    for (const std::int32_t word : part) score += step(words, word, row, [](std::size_t, Path) {});
  }

  // Moves the row on by one hypothesis word; returns the change of its last cell (modulo 2^64).
  template <typename Words, typename Record>
  std::size_t step(Words words, std::int32_t word, Vertical* row, const Record& record) const {
    const Bits* masks = &masks_[static_cast<std::size_t>(word) * words];
    const Bits last = Bits{1} << ((length_ - 1) % 64);
    Carry carry;
    std::size_t change = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const Step made = advance(masks[w], row[w], carry);
      record(w, Path{made.level, made.rising});
      if (w + 1 == words)
        change = static_cast<std::size_t>((made.rising & last) != 0) -
                 static_cast<std::size_t>((made.falling & last) != 0);
    }
    return change;
  }

  // How many of the bits 0 to k of a byte are set, for each k.
  static constexpr auto kRunningSums = [] {
    std::array<std::array<std::int16_t, 8>, 256> sums{};
    for (std::size_t byte = 0; byte < sums.size(); ++byte)
      for (std::size_t k = 0; k < 8; ++k)
        sums[byte][k] = static_cast<std::int16_t>(std::popcount(byte & ((std::size_t{2} << k) - 1)));
    return sums;
  }();

  static constexpr std::size_t kMatchCost = 64;  // comparing two spellings, in units of a Pace
  InterruptCheck interrupt_check_;
  DenseIds ids_;
  std::size_t length_ = 0, words_ = 0;
  std::vector<Bits> masks_;
  std::vector<std::int32_t> reference_;
  std::vector<Vertical> kept_, scratch_;
  std::vector<Path> paths_;
  std::vector<std::size_t> scores_;
};

}  // namespace tertium
