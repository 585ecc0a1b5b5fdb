// sacreBLEU's edit distance for TER: only cells within a beam around the pseudo-diagonal are reached, so the
// distance of very different sequences may be more than Levenshtein's. O(|hypothesis| x beam).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/base/interrupts.hpp"

namespace tertium {

enum class Edit : std::uint8_t { none, keep, substitute, remove, insert };
inline constexpr std::string_view kEditNames[] = {"none", "match", "substitution", "deletion", "insertion"};

// The rows of the table between a hypothesis of `rows` words and a reference of `columns` words.
class Beam {
 public:
  Beam(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        ratio_(rows == 0 ? 1.0 : static_cast<double>(columns) / static_cast<double>(rows)),
        width_(kWidth < ratio_ / 2 ? std::ceil(ratio_ / 2 + kWidth) : kWidth) {}

  // Row i reaches columns [first(i), last(i)); row 0 reaches all.
  std::size_t first(std::size_t i) const {
    return i == 0 ? 0 : static_cast<std::size_t>(std::max(0.0, diagonal(i) - width_));
  }
  std::size_t last(std::size_t i) const {
    if (i == 0 || i == rows_) return columns_ + 1;
    return static_cast<std::size_t>(std::min(static_cast<double>(columns_ + 1), diagonal(i) + width_));
  }

  bool reaches(std::size_t i, std::size_t j) const { return first(i) <= j && j < last(i); }

  // The minimum cost of a path through a cell outside the beam: at (i, j), |i - j| before it and the
  // difference of the remaining lengths after it. A smaller distance, and its path, are the same with and
  // without the beam.
  std::size_t cost_of_leaving() const {
    if (columns_ + 1 < static_cast<std::size_t>(kWidth)) return rows_ + columns_ + 1;  // there is no outside
    std::size_t least = rows_ + columns_ + 1;
    for (std::size_t i = 1; i <= rows_; ++i) {
      if (first(i) > 0) least = std::min(least, through(i, first(i) - 1));
      if (last(i) <= columns_) least = std::min(least, through(i, last(i)));
    }
    return least;
  }

 private:
  static constexpr double kWidth = 25;  // Tercom's, kept for identical scores

  double diagonal(std::size_t i) const { return std::floor(static_cast<double>(i) * ratio_); }
  static std::size_t gap(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }
  std::size_t through(std::size_t i, std::size_t j) const { return gap(i, j) + gap(rows_ - i, columns_ - j); }

  std::size_t rows_, columns_;
  double ratio_, width_;
};

// Keeps its table between calls; one per thread.
class BeamDistance {
 public:
  // Fills the table; row i holds the beam's columns only.
  std::size_t distance(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    const Beam beam(hypothesis.size(), reference.size());
    costs_.resize(reference.size() + 1);
    for (std::size_t j = 0; j < costs_.size(); ++j) costs_[j] = static_cast<std::uint32_t>(j);
    edits_.clear();
    begins_.assign(1, 0);
    firsts_.assign(1, 0);
    for (std::size_t i = 1; i <= hypothesis.size(); ++i) fill_row(beam, i, hypothesis[i - 1], reference);
    return costs_.back();
  }

  // How the path reaches cell (i, j) of the last table; row 0 only inserts.
  Edit edit(std::size_t i, std::size_t j) const {
    return i == 0 ? Edit::insert : edits_[begins_[i - 1] + j - firsts_[i]];
  }

 private:
  static constexpr std::uint32_t kUnreached = UINT32_MAX / 2;

  // costs_ holds row i-1 on entry and row i on return; cells outside the beam are unreached.
  void fill_row(const Beam& beam, std::size_t i, std::int32_t word, std::span<const std::int32_t> reference) {
    const std::size_t first = beam.first(i);
    const std::size_t last = beam.last(i);
    interrupt_check_.tick(costs_.size());
    std::uint32_t diagonal = first == 0 ? kUnreached : costs_[first - 1];
    std::uint32_t left = kUnreached;
    std::fill(costs_.begin(), costs_.begin() + static_cast<std::ptrdiff_t>(first), kUnreached);
    for (std::size_t j = first; j < last; ++j) {
      const std::uint32_t up = costs_[j];
      const bool same = j > 0 && word == reference[j - 1];
      const auto [cost, edit] = cheapest(j == 0 ? kUnreached : diagonal + (same ? 0 : 1), same, up, left);
      diagonal = up;
      costs_[j] = left = cost;
      edits_.push_back(edit);
    }
    std::fill(costs_.begin() + static_cast<std::ptrdiff_t>(last), costs_.end(), kUnreached);
    firsts_.push_back(first);
    begins_.push_back(edits_.size());
  }

  struct Cell {
    std::uint32_t cost;
    Edit edit;
  };
  // Ties go to keeping or substituting, then to removing, then to inserting.
  static Cell cheapest(std::uint32_t across, bool same, std::uint32_t up, std::uint32_t left) {
    Cell cell{kUnreached, Edit::none};
    if (across < cell.cost) cell = {across, same ? Edit::keep : Edit::substitute};
    if (up + 1 < cell.cost) cell = {up + 1, Edit::remove};
    if (left + 1 < cell.cost) cell = {left + 1, Edit::insert};
    return cell;
  }

  InterruptCheck interrupt_check_;
  std::vector<std::uint32_t> costs_;
  std::vector<Edit> edits_;
  std::vector<std::size_t> begins_, firsts_;
};

}  // namespace tertium
