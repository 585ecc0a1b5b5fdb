// The tables of the inversion distance: bands of costs for every source block, kept as long as they are
// needed. They take most of the memory, so each allocation is charged against the caller's limit first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

// Thrown by a search that would exceed its limit of memory or steps.
struct SearchTooLarge : std::runtime_error {
  SearchTooLarge() : std::runtime_error("the search needs more memory or steps than it may have") {}
};

template <typename Cell>
std::size_t whole_registers(std::size_t cells) {
  return (cells + kLanes<Cell> - 1) / kLanes<Cell> * kLanes<Cell>;
}

// Allocates runs of cells that stay valid until the next clear().
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
  static constexpr std::size_t kBlock = std::size_t{1} << 16;  // cells
  static constexpr std::size_t kKeptBlocks = 64;  // 8 MB of 16-bit cells that a thread may keep between pairs
  std::vector<std::unique_ptr<Cell[]>> blocks_;
  std::vector<std::unique_ptr<Cell[]>> large_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

// A range of target lengths; high is 0 if it is empty.
struct Lengths {
  std::size_t low = static_cast<std::size_t>(-1);
  std::size_t high = 0;
  Lengths joined(const Lengths& other) const {
    return {std::min(low, other.low), std::max(high, other.high)};
  }
};

// Costs of the blocks a[i0, i1) x b[j0, j0 + n) for n in [low, high]: a row of j0 for each n.
template <typename Cell>
struct Band {
  const Cell* cells = nullptr;  // null: no block is alive
  std::uint32_t low = 1;
  std::uint32_t high = 0;
};

// The bands of every source block [i0, i1).
template <typename Cell>
class BlockTables {
 public:
  // Source blocks of at most `longest` of n words, targets of at most m words; `other_bytes` counts
  // what the search needs beside these tables.
  void prepare(std::size_t n, std::size_t m, std::size_t longest, std::size_t other_bytes,
               std::size_t max_bytes) {
    release();
    columns_ = m + 1;
    stride_ = whole_registers<Cell>(columns_) + kLanes<Cell>;
    max_bytes_ = max_bytes;
    first_.resize(n + 2);
    first_[0] = 0;
    for (std::size_t i = 0; i <= n; ++i) first_[i + 1] = first_[i] + std::min(longest, n - i) + 1;
    const std::size_t blocks = first_[n + 1];
    bytes_ = other_bytes;
    charge(blocks * sizeof(Band<Cell>));
    bands_.assign(blocks, {});
    empty_.assign(stride_, 0);
    nothing_.assign(stride_ + kLanes<Cell>, CellTraits<Cell>::none);
    std::fill(empty_.begin() + static_cast<std::ptrdiff_t>(columns_), empty_.end(), CellTraits<Cell>::none);
    for (std::size_t i = 0; i <= n; ++i) band(i, i) = {empty_.data(), 0, 0};
  }
  std::size_t columns() const { return columns_; }
  std::size_t stride() const { return stride_; }

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

  Cell* take(std::size_t cells) {
    charge(cells * sizeof(Cell));
    return arena_.take(cells);
  }
  // Charges memory against the budget. Only one thread at a time may use more than kMuch.
  void charge(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > max_bytes_) throw SearchTooLarge();
    if (bytes_ > kMuch && !turn_.owns_lock()) wait_for_turn();
  }
  // Frees memory that only long segments need.
  void release() {
    arena_.clear();
    turn_ = {};
  }

 private:
  // 64 MB: nearly all pairs stay below, and many threads above would exhaust the memory of a machine.
  static constexpr std::size_t kMuch = std::size_t{1} << 26;

  static std::timed_mutex& large_search() {
    static std::timed_mutex turn;
    return turn;
  }
  // The other thread may take minutes, so waiting can be interrupted.
  void wait_for_turn() {
    turn_ = std::unique_lock(large_search(), std::defer_lock);
    while (!turn_.try_lock_for(interrupts::kInterval))
      if (interrupts::must_stop_waiting()) throw Interrupted();
  }
  std::size_t block(std::size_t i0, std::size_t i1) const { return first_[i0] + (i1 - i0); }

  std::size_t columns_ = 0;
  std::size_t stride_ = 0;
  std::size_t max_bytes_ = 0;
  std::size_t bytes_ = 0;
  std::unique_lock<std::timed_mutex> turn_;
  std::vector<std::size_t> first_;  // number of the first block that begins at i0
  std::vector<Band<Cell>> bands_;
  CellArena<Cell> arena_;
  std::vector<Cell> empty_;    // the band of empty blocks, which cost nothing
  std::vector<Cell> nothing_;  // a row without a block
};

// A budget of steps for a search, counted in registers of cells and blocks visited, so that the same pair
// stops at the same place on every machine. A core of 2024 does one or two hundred million steps per second.
class StepBudget {
 public:
  StepBudget() = default;
  explicit StepBudget(std::uint64_t steps) : left_(steps) {}

  void spend(std::uint64_t steps) {
    if (steps > left_) throw SearchTooLarge();
    left_ -= steps;
  }

 private:
  std::uint64_t left_ = UINT64_MAX;
};

}  // namespace tertium
