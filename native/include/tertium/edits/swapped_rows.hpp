// The table of edit distances after two blocks of a text have changed places. Each row is compared with the
// row of the original text behind the same word: only blocks of 64 columns that differ are computed,
// typically two of 32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/edits/bit_rows.hpp"

namespace tertium {

// Two neighbouring blocks that change places: [first, middle) and [middle, last).
struct Swap {
  std::size_t first = 0, middle = 0, last = 0;

  // Moves the `length` words at `start` to position `target`.
  static Swap move(std::size_t start, std::size_t length, std::size_t target) {
    if (target < start) return {target, start, start + length};
    return {start, start + length, target + length};
  }
  // The word at `place` after the swap comes from the original position `source`; the words at [place, end)
  // come from consecutive positions.
  struct Piece {
    std::size_t source, end;
  };
  Piece piece_at(std::size_t place) const {
    const std::size_t seam = first + (last - middle);
    if (place < first) return {place, first};
    if (place < seam) return {place + (middle - first), seam};
    if (place < last) return {place - (last - middle), last};
    return {place, std::numeric_limits<std::size_t>::max()};
  }
  std::size_t source(std::size_t place) const { return piece_at(place).source; }
};

// Evaluates one swap at a time, at worst in O(words that move x |reference| / 64). Keeps its tables between
// calls.
class SwappedRows {
 public:
  // Copies the rows kept for these words.
  void fill(std::span<const std::int32_t> words, const BitRows& rows) {
    n_rows_ = words.size() + 1;
    cells_.resize(rows.n_blocks() * n_rows_);
    blocks_.resize(rows.n_blocks());
    for (std::size_t w = 0; w < blocks_.size(); ++w)
      for (std::size_t i = 0; i < n_rows_; ++i) {
        Cell& cell = cells_[w * n_rows_ + i];
        cell.block = rows.kept(i)[w];
        if (i == words.size()) continue;
        cell.places = rows.places(words[i], w);
        cell.carry = rows.carry_into(w, i);
      }
  }

  // The row after the two swapped blocks.
  std::span<const BitRows::Block> row_after(const Swap& swap) {
    for (std::size_t w = 0; w < blocks_.size(); ++w) blocks_[w] = column(w)[swap.first].block;
    follow(swap.middle, swap.last);
    follow(swap.first, swap.middle);
    return blocks_;
  }

 private:
  // A block of a row of the original text, the positions of the next word, and the carry into the block at
  // that word.
  struct Cell {
    BitRows::Block block;
    BitRows::Bits places;
    BitRows::Carry carry;
  };
  // A carry into a block that differs from the one in the original text.
  struct Event {
    std::size_t row;
    BitRows::Carry carry;
  };

  std::span<const Cell> column(std::size_t w) const {
    return std::span(cells_).subspan(w * n_rows_, n_rows_);
  }

  // Advances all blocks, one after the other, by the words [from, to) of the original text.
  void follow(std::size_t from, std::size_t to) {
    events_.clear();
    for (std::size_t w = 0; w < blocks_.size(); ++w) {
      descend(w, from, to);
      events_.swap(next_events_);
    }
  }

  // Computes a block in those rows where it, or the carry into it, differs from the original text. A
  // different carry out of the block is an event for the next block.
  void descend(std::size_t w, std::size_t from, std::size_t to) {
    const auto cells = column(w);
    const auto next_cells =
        column(w + 1 < blocks_.size() ? w + 1 : w);  // after the last block the value is not used
    BitRows::Block block = blocks_[w];
    next_events_.clear();
    auto event = events_.begin();
    for (std::size_t i = from; i < to; ++i) {
      if (block == cells[i].block) {
        i = event == events_.end() ? to : event->row;
        block = cells[i].block;
        if (i == to) break;
      }
      interrupt_check_.tick(1);
      const bool is_event = event != events_.end() && event->row == i;
      BitRows::Carry carry = is_event ? event->carry : cells[i].carry;
      event += is_event;
      myers_step(cells[i].places, block, carry);
      if (carry != next_cells[i].carry) next_events_.push_back({i, carry});
    }
    blocks_[w] = block;
  }

  InterruptCheck interrupt_check_;
  std::size_t n_rows_ = 0;
  std::vector<Cell> cells_;                  // by block, then by row
  std::vector<BitRows::Block> blocks_;       // the current row
  std::vector<Event> events_, next_events_;  // by row
};

}  // namespace tertium
