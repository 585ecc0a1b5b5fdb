// The tables of the inversion distance: bands of costs for every source block, kept while they are of use.
// They are what takes memory, so each stretch is charged against the caller's limit before it is taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/bitsets.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

// A search that would need more memory, or more steps, than it may have.
struct SearchTooLarge : std::runtime_error {
  SearchTooLarge() : std::runtime_error("the search needs more memory or steps than it may have") {}
};

// As many cells as a vector register of the baseline instruction set holds.
template <typename Cell>
inline constexpr std::size_t kLanes = 16 / sizeof(Cell);

template <typename Cell>
std::size_t whole_registers(std::size_t cells) {
  return (cells + kLanes<Cell> - 1) / kLanes<Cell> * kLanes<Cell>;
}

// Hands out stretches of cells that stay where they are until the next clear().
template <typename Cell>
class CellArena {
 public:
  void clear() {
    if (blocks_.size() > kKeptBlocks) blocks_.resize(kKeptBlocks);
    block_ = 0;
    used_ = 0;
    large_.clear();
  }

  Cell* take(std::size_t count) {
    if (count > kBlock) return large_.emplace_back(std::make_unique_for_overwrite<Cell[]>(count)).get();
    if (used_ + count > kBlock) {
      ++block_;
      used_ = 0;
    }
    if (block_ >= blocks_.size()) blocks_.push_back(std::make_unique_for_overwrite<Cell[]>(kBlock));
    Cell* const taken = blocks_[block_].get() + used_;
    used_ += count;
    return taken;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  static constexpr std::size_t kKeptBlocks = 64;
  std::vector<std::unique_ptr<Cell[]>> blocks_;
  std::vector<std::unique_ptr<Cell[]>> large_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

// A block b[start, .) of the target and what it costs together with its source block.
template <typename Cell>
struct Part {
  std::uint32_t start;
  Cell cost;
};

// Costs of the blocks a[i0, i1) x b[j0, j0 + n) for n in [low, high]: a row of j0 for each n.
template <typename Cell>
struct Band {
  const Cell* cells = nullptr;  // null: no block is alive
  std::uint32_t low = 1;
  std::uint32_t high = 0;
  const Part<Cell>* parts = nullptr;          // the blocks that are alive, by their ends in the target
  const std::uint32_t* ends = nullptr;        // those that end at j are parts[ends[j] .. ends[j + 1])
  Cell least_left = CellTraits<Cell>::none;   // of its left parts of inversions
  Cell least_right = CellTraits<Cell>::none;  // of its right parts

  std::span<const Part<Cell>> ending_at(std::size_t j) const {
    return {parts + ends[j], parts + ends[j + 1]};
  }
};

// Costs of a[i0, i1) x b[j0, j1) for j1 in [low, high], the left parts of inversions among them; then
// kLanes empty cells for whoever reads whole registers.
template <typename Cell>
struct LeftRow {
  const Cell* cells;
  std::uint32_t low;
  std::uint32_t high;
  Cell least;
};

// The right parts a[i0, i1) x b[start, j1) of inversions for one j1, cheapest first.
template <typename Cell>
using RightRow = std::span<const Part<Cell>>;

// An array whose elements are written before they are read, so that it need not be filled first: of the
// largest tables most is never touched, and then takes neither time nor memory.
template <typename T>
class RawArray {
 public:
  void reserve(std::size_t size) {
    if (size <= size_) return;
    values_.reset();  // before the new one is made: both may not fit
    values_ = std::make_unique_for_overwrite<T[]>(size);
    size_ = size;
  }
  void release() {
    values_.reset();
    size_ = 0;
  }
  T& operator[](std::size_t i) { return values_[i]; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_ = 0;
};

// The bands of every source block [i0, i1), and which of their cells can be parts of an inversion.
template <typename Cell>
class BlockTables {
 public:
  enum Side : std::size_t { kLefts, kRights };

  // Source blocks of at most `longest` of n words, targets of at most m words; `other_bytes` counts
  // what the search needs beside these tables.
  void prepare(std::size_t n, std::size_t m, std::size_t longest, std::size_t other_bytes,
               std::size_t max_bytes) {
    release();
    columns_ = m + 1;
    stride_ = whole_registers<Cell>(columns_) + kLanes<Cell>;
    words_ = bitsets::words_for(columns_);
    max_bytes_ = max_bytes;
    first_.resize(n + 2);
    first_[0] = 0;
    for (std::size_t i = 0; i <= n; ++i) first_[i + 1] = first_[i] + std::min(longest, n - i) + 1;
    const std::size_t blocks = first_[n + 1];
    bytes_ = other_bytes;
    charge(blocks * (columns_ * (sizeof(LeftRow<Cell>) + sizeof(RightRow<Cell>)) +
                     2 * stride_ * sizeof(Cell) + sizeof(Band<Cell>)));
    lefts_.reserve(blocks * columns_);
    rights_.reserve(blocks * columns_);
    leasts_.reserve(blocks * 2 * stride_);
    bands_.assign(blocks, {});
    empty_.assign(stride_, 0);
    nothing_.assign(stride_ + kLanes<Cell>, CellTraits<Cell>::none);
    std::fill(empty_.begin() + static_cast<std::ptrdiff_t>(columns_), empty_.end(), CellTraits<Cell>::none);
    empty_parts_.clear();
    empty_ends_.clear();
    for (std::uint32_t j = 0; j <= columns_; ++j) {
      empty_parts_.push_back({j, Cell{0}});
      empty_ends_.push_back(j);
    }
    for (std::size_t i = 0; i <= n; ++i)
      band(i, i) = {empty_.data(), 0, 0, empty_parts_.data(), empty_ends_.data()};
  }
  std::size_t columns() const { return columns_; }
  std::size_t stride() const { return stride_; }
  std::size_t words() const { return words_; }

  const Band<Cell>& band(std::size_t i0, std::size_t i1) const { return bands_[block(i0, i1)]; }
  Band<Cell>& band(std::size_t i0, std::size_t i1) { return bands_[block(i0, i1)]; }
  // The costs for target parts of n words, `none` where none is alive.
  const Cell* row(std::size_t i0, std::size_t i1, std::size_t n) const {
    const Band<Cell>& band = bands_[block(i0, i1)];
    return n < band.low || n > band.high ? nothing_.data() : band.cells + (n - band.low) * stride_;
  }
  Cell at(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) const {
    return row(i0, i1, j1 - j0)[j0];
  }
  const Cell* nothing() const { return nothing_.data(); }

  // What the cheapest left part that begins, or right part that ends, at each place of the target costs;
  // to be read only where the band has such a part.
  Cell* leasts(std::size_t i0, std::size_t i1, Side side) {
    return &leasts_[(block(i0, i1) * 2 + side) * stride_];
  }
  RightRow<Cell>& right_row(std::size_t i0, std::size_t i1, std::size_t j1) {
    return rights_[block(i0, i1) * columns_ + j1];
  }
  LeftRow<Cell>& left_row(std::size_t i0, std::size_t i1, std::size_t j0) {
    return lefts_[block(i0, i1) * columns_ + j0];
  }

  // Copies the costs of a left row whose bounds are set out of its band; returns the least.
  Cell keep_left_row(std::size_t i0, std::size_t i1, std::size_t j0) {
    auto& row = left_row(i0, i1, j0);
    const std::size_t count = row.high - row.low + 1;
    Cell* const cells = take(count + kLanes<Cell>);
    row.least = CellTraits<Cell>::none;
    for (std::size_t k = 0; k < count; ++k) {
      cells[k] = at(i0, i1, j0, row.low + k);
      row.least = std::min(row.least, cells[k]);
    }
    std::fill_n(cells + count, kLanes<Cell>, CellTraits<Cell>::none);
    row.cells = cells;
    return row.least;
  }

  Cell* take(std::size_t cells) {
    charge(cells * sizeof(Cell));
    return arena_.take(cells);
  }
  Part<Cell>* take_parts(std::size_t count) {
    charge(count * sizeof(Part<Cell>));
    return parts_.take(count);
  }
  std::uint32_t* take_ends() {
    charge((columns_ + 1) * sizeof(std::uint32_t));
    return ends_.take(columns_ + 1);
  }
  // Counts memory against the budget; of all threads only one may use much of it.
  void charge(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > max_bytes_) throw SearchTooLarge();
    if (bytes_ > kMuch && !turn_.owns_lock()) wait_for_turn();
  }
  // Gives back what only long segments need.
  void release() {
    arena_.clear();
    parts_.clear();
    ends_.clear();
    if (!turn_.owns_lock()) return;
    lefts_.release();
    rights_.release();
    leasts_.release();
    turn_ = {};
  }

 private:
  static constexpr std::size_t kMuch = std::size_t{1} << 26;

  static std::timed_mutex& large_search() {
    static std::timed_mutex turn;
    return turn;
  }
  // Others may take minutes, so whoever waits can be interrupted too.
  void wait_for_turn() {
    turn_ = std::unique_lock(large_search(), std::defer_lock);
    while (!turn_.try_lock_for(interrupts::kInterval))
      if (interrupts::must_stop_waiting()) throw Interrupted();
  }
  std::size_t block(std::size_t i0, std::size_t i1) const { return first_[i0] + (i1 - i0); }

  std::size_t columns_ = 0;
  std::size_t stride_ = 0;
  std::size_t words_ = 0;
  std::size_t max_bytes_ = 0;
  std::size_t bytes_ = 0;
  std::unique_lock<std::timed_mutex> turn_;
  std::vector<std::size_t> first_;  // number of the first block that begins at i0
  std::vector<Band<Cell>> bands_;
  RawArray<LeftRow<Cell>> lefts_;
  RawArray<RightRow<Cell>> rights_;
  RawArray<Cell> leasts_;
  CellArena<Cell> arena_;
  CellArena<Part<Cell>> parts_;
  CellArena<std::uint32_t> ends_;
  std::vector<Cell> empty_;  // the band of empty blocks, which cost nothing
  std::vector<Part<Cell>> empty_parts_;
  std::vector<std::uint32_t> empty_ends_;
  std::vector<Cell> nothing_;  // a row without a block
};

}  // namespace tertium
