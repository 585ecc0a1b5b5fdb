// Edit distances between one reference and many rearrangements of one hypothesis, as TER and CharacTER try
// them. The rearrangements share most of their words, so the index of the reference and the rows of the
// unchanged beginning are kept. O(|reference| / 64) per word by bit vectors (see myers.hpp).
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
#include "tertium/edits/myers.hpp"

namespace tertium {

// Rows of the table of edit distances between a hypothesis and one reference, as bit vectors over the
// reference. Computation can continue from any row kept. O(|reference| / 64) per row.
class BitRows {
 public:
  using Bits = std::uint64_t;

  // A row of the table is a column of Myers' algorithm: the reference is the pattern, the hypothesis the
  // text.
  using Block = MyersColumn<Bits>;
  using Carry = MyersCarry<Bits>;

  // Assigns ids from 1 to the reference's words; 0 stands for all other words.
  void name_words(std::span<const std::int32_t> reference) {
    length_ = reference.size();
    ids_.clear();
    reference_.resize(length_);
    for (std::size_t j = 0; j < length_; ++j)
      reference_[j] = ids_.intern(static_cast<std::uint32_t>(reference[j])) + 1;
  }
  // Indexes the reference given to name_words(): the positions of each of its words as bits.
  void index() {
    words_ = (length_ + 63) / 64;
    masks_.assign((static_cast<std::size_t>(ids_.size()) + 1) * words_, 0);
    for (std::size_t j = 0; j < length_; ++j)
      masks_[static_cast<std::size_t>(reference_[j]) * words_ + j / 64] |= Bits{1} << (j % 64);
  }
  // A word of the hypothesis, with an id from 1, that is equal or similar to the reference's word at `place`.
  struct Match {
    std::int32_t word;
    std::size_t place;
  };
  // Indexes a reference of this length by the positions of words with ids from 1 to `n_words`.
  void index(std::size_t length, std::size_t n_words, std::span<const Match> matches) {
    length_ = length;
    words_ = (length_ + 63) / 64;
    masks_.assign((n_words + 1) * words_, 0);
    for (const auto& [word, place] : matches)
      masks_[static_cast<std::size_t>(word) * words_ + place / 64] |= Bits{1} << (place % 64);
  }
  std::span<const std::int32_t> reference() const { return reference_; }
  std::int32_t number(std::int32_t word) const { return ids_.find(static_cast<std::uint32_t>(word)) + 1; }
  bool stands_at(std::int32_t number, std::size_t j) const {
    return (masks_[static_cast<std::size_t>(number) * words_ + j / 64] >> (j % 64)) & 1;
  }

  // Calls visit(j) for each position of the word, from left to right.
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
    std::fill_n(kept_.begin(), words_, Block{~Bits{0}, 0});
    scores_[0] = length_;
    scratch_.resize(words_);
    if (Block row; words_ == 1)
      fill_rows(kOne, hypothesis, same, &row);
    else
      fill_rows(words_, hypothesis, same, scratch_.data());
    return scores_.back();
  }

  // Accessors of the kept rows: the blocks of row i, and the carry into block w between row i and the next.
  std::size_t n_blocks() const { return words_; }
  std::size_t length() const { return length_; }
  std::size_t kept_distance(std::size_t i) const { return scores_[i]; }
  std::span<const Block> kept(std::size_t i) const { return std::span(kept_).subspan(i * words_, words_); }
  Carry carry_into(std::size_t w, std::size_t i) const {
    if (w == 0) return {};
    const Path& path = paths_[i * words_ + w - 1];
    return {~path.Ph >> 63, (path.D0 & kept_[i * words_ + w - 1].Pv) >> 63};
  }
  Bits places(std::int32_t number, std::size_t w) const {
    return masks_[static_cast<std::size_t>(number) * words_ + w];
  }

  // Writes the row of the first i words of a text: their distance from each prefix of the reference.
  // Distances are written eight at a time, so the row must have space for row_size() of them.
  std::size_t row_size() const { return 1 + (length_ + 7) / 8 * 8; }
  void read(std::size_t i, std::span<const Block> blocks, std::span<std::int16_t> row) const {
    auto last = static_cast<std::int16_t>(i);
    row[0] = last;
    for (std::size_t j = 0; j < length_; j += 8) {
      auto eight = kRunningSums[(blocks[j / 64].Pv >> (j % 64)) & 255];
      const auto minus = kRunningSums[(blocks[j / 64].Mv >> (j % 64)) & 255];
      for (std::size_t k = 0; k < 8; ++k) eight[k] = static_cast<std::int16_t>(eight[k] - minus[k] + last);
      std::ranges::copy(eight, &row[j + 1]);
      last = eight[7];
    }
  }

  // The edit by which the path reaches cell (i, j) of the kept rows; i and j are positive. Ties are broken as
  // in BeamDistance.
  Edit edit(std::size_t i, std::size_t j, std::int32_t word) const {
    if (stands_at(word, j - 1)) return Edit::keep;
    const Path& path = paths_[(i - 1) * words_ + (j - 1) / 64];
    if (((path.D0 >> ((j - 1) % 64)) & 1) == 0) return Edit::substitute;
    return ((path.Ph >> ((j - 1) % 64)) & 1) != 0 ? Edit::remove : Edit::insert;
  }

  // The distance of a hypothesis that has `prefix` words in common with the one kept, then these parts.
  template <typename... Parts>
  std::size_t distance_from(std::size_t prefix, const Parts&... parts) {
    scratch_.resize(words_);
    std::copy_n(&kept_[prefix * words_], words_, scratch_.data());
    std::size_t score = scores_[prefix];
    if (words_ == 1) {
      Block row = scratch_[0];
      (run(kOne, parts, &row, score), ...);
    } else {
      (run(words_, parts, scratch_.data(), score), ...);
    }
    return score;
  }

 private:
  static constexpr std::integral_constant<std::size_t, 1> kOne{};  // most references have one block of words
  struct Path {
    Bits D0, Ph;  // see MyersStep
  };

  template <typename Words>
  void fill_rows(Words words, std::span<const std::int32_t> hypothesis, std::size_t from, Block* row) {
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
  void run(Words words, std::span<const std::int32_t> part, Block* row, std::size_t& score) {
    interrupt_check_.tick(part.size() * words);
    for (const std::int32_t word : part) score += step(words, word, row, [](std::size_t, Path) {});
  }

  // Advances the row by one hypothesis word; returns the change of its last cell (modulo 2^64).
  template <typename Words, typename Record>
  std::size_t step(Words words, std::int32_t word, Block* row, const Record& record) const {
    const Bits* masks = &masks_[static_cast<std::size_t>(word) * words];
    const Bits last = Bits{1} << ((length_ - 1) % 64);
    Carry carry;
    std::size_t change = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const auto made = myers_step(masks[w], row[w], carry);
      record(w, Path{made.D0, made.Ph});
      if (w + 1 == words)
        change =
            static_cast<std::size_t>((made.Ph & last) != 0) - static_cast<std::size_t>((made.Mh & last) != 0);
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

  InterruptCheck interrupt_check_;
  DenseIds ids_;
  std::size_t length_ = 0, words_ = 0;
  std::vector<Bits> masks_;
  std::vector<std::int32_t> reference_;
  std::vector<Block> kept_, scratch_;
  std::vector<Path> paths_;
  std::vector<std::size_t> scores_;
};

}  // namespace tertium
