// Blocks found by the search of the inversion distance, kept until it needs them: the left and right parts of
// inversions, the inversions joined from these parts, and the sequences that end in an inversion.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/inversion/block_tables.hpp"
#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/outside_bounds.hpp"

namespace tertium {

// A block found by the search; its beginning is where it is kept.
template <typename Cell>
struct FoundBlock {
  std::uint32_t i;  // its end in the source
  std::uint32_t j;  // its other end in the target
  Cell cost;
};

template <typename Cell>
struct FoundInversion : FoundBlock<Cell> {
  typename CellTraits<Cell>::Number key;  // what it and all that follows it cost at least, in fine cells
};

// The blocks that may follow another block, by the place (i, j) where that one ends and they begin: an
// inversion behind a sequence, or the right part of an inversion beside its left part. All blocks that begin
// at i in the source are known before any that ends there, so they are sorted once.
template <typename Item>
class BlocksByStart {
 public:
  void prepare(std::size_t n, std::size_t columns) {
    columns_ = columns;
    first_.assign((n + 1) * (columns + 1), 0);
    items_.clear();
    added_.clear();
  }

  void add(std::size_t j, const Item& item) { added_.push_back({static_cast<std::uint32_t>(j), item}); }

  // All that begins at i was added: a counting sort by j.
  void close(std::size_t i) {
    std::uint32_t* const first = &first_[i * (columns_ + 1)];
    auto end = static_cast<std::uint32_t>(items_.size());
    items_.resize(items_.size() + added_.size());
    for (const Added& one : added_) ++first[one.j];
    for (std::size_t j = 0; j <= columns_; ++j) first[j] = end += first[j];
    for (const Added& one : added_) items_[--first[one.j]] = one.item;
    added_.clear();
  }

  // Puts the cheapest first, so that a reader can stop at the first that costs too much.
  void sort(std::size_t i) {
    const std::uint32_t* first = &first_[i * (columns_ + 1)];
    for (std::size_t j = 0; j < columns_; ++j)
      std::sort(items_.begin() + first[j], items_.begin() + first[j + 1],
                [](const Item& one, const Item& other) { return one.key < other.key; });
  }

  std::span<const Item> at(std::size_t i, std::size_t j) const {
    const std::uint32_t* first = &first_[i * (columns_ + 1) + j];
    return {items_.data() + first[0], items_.data() + first[1]};
  }

  // Frees memory that only long segments need.
  void release() {
    if (items_.capacity() > kKept) items_ = {};
    if (added_.capacity() > kKept) added_ = {};
  }

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 20;  // items that a thread may keep between pairs
  struct Added {
    std::uint32_t j;
    Item item;
  };
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> first_;  // of (i, j); the next one ends it
  std::vector<Item> items_;
  std::vector<Added> added_;  // what begins at the current i
};

// The left parts a[i0, i) x b[j, j1) of a source block: for each j, a row of costs by j1.
template <typename Cell>
class LeftParts {
 public:
  struct Row {
    std::size_t j;
    std::size_t first, last;  // registers that have a cost
  };

  void prepare(std::size_t columns, std::size_t stride) {
    stride_ = stride;
    cells_.assign(columns * stride, CellTraits<Cell>::none);
    places_.assign(columns, 0);
    rows_.clear();
  }

  void add(std::size_t j, std::size_t j1, Cell cost) {
    const std::size_t at = j1 / kLanes<Cell>;
    if (places_[j] == 0) {
      rows_.push_back({j, at, at});
      places_[j] = rows_.size();
    }
    Row& row = rows_[places_[j] - 1];
    row.first = std::min(row.first, at);
    row.last = std::max(row.last, at);
    cells_[j * stride_ + j1] = cost;
  }

  const std::vector<Row>& rows() const { return rows_; }
  const Cell* costs(std::size_t j) const { return &cells_[j * stride_]; }

  void clear() {
    for (const Row& row : rows_) {
      Cell* const cells = &cells_[row.j * stride_];
      std::fill(cells + row.first * kLanes<Cell>, cells + (row.last + 1) * kLanes<Cell>,
                CellTraits<Cell>::none);
      places_[row.j] = 0;
    }
    rows_.clear();
  }

 private:
  std::size_t stride_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::size_t> places_;  // of a row among the rows, from 1
  std::vector<Row> rows_;
};

// The cheapest inversions found before their source block is visited, for each of several neighbouring ends
// in the source: rows of j1 for each j0. All left parts of one source block that begin at the same place of
// the target are joined with a right part at once, one lane for each end in the target. The table is large
// and sparsely used, so only the cells that were touched are cleared.
template <typename Cell>
class JoinedParts {
 public:
  using Right = FoundBlock<Cell>;
  using Lanes = Register<Cell>;

  // The parameters for joining the left parts of one source block with right parts.
  struct Terms {
    std::size_t i0;
    std::size_t longest;  // source words of a block
    Cell inversion;
    Cell budget;
  };

  void prepare(std::size_t ends, std::size_t columns, std::size_t stride) {
    for (std::size_t k = 0; k < touched_.size(); ++k) empty(k);
    stride_ = stride;
    size_ = columns * stride;
    touched_.resize(ends);
    if (cells_.size() < ends * size_) cells_.assign(ends * size_, CellTraits<Cell>::none);
  }

  // Joins the left parts in register `place` of a row with all right parts that begin where they do.
  void join(const Cell* lefts, std::size_t place, std::span<const Right> rights,
            const OutsideCosts<Cell>& outsides, const Terms& terms) {
    simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { join_lanes(lefts, place, rights, outsides, terms); });
  }

  // Calls each(j0, j1, cost) for all inversions with this end, then removes them.
  template <typename Visit>
  void take(std::size_t end, const Visit& each) {
    const std::size_t k = slot(end);
    const Cell* const cells = &cells_[k * size_];
    for (const Touched& place : touched_[k]) {
      const Cell* const from = cells + place.j0 * stride_;
      for (std::size_t j1 = place.j1; j1 < place.j1 + kLanes<Cell>; ++j1)
        if (from[j1] != CellTraits<Cell>::none) each(std::size_t{place.j0}, j1, from[j1]);
    }
    empty(k);
  }

  // Frees memory that only long segments need.
  void release() {
    if (cells_.size() * sizeof(Cell) <= kKept) return;
    touched_ = {};
    cells_ = {};
  }

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 24;  // bytes that a thread may keep between pairs
  struct Touched {                                            // a register
    std::uint32_t j0, j1;
  };

  // A register of left parts, to be joined with any right part.
  struct Meeting {
    Lanes left, inversion, budget;
    const Cell *before_a, *before_b, *behind_a, *behind_b;
    std::size_t width;
    FineCells<Cell> fine;

    TERTIUM_INLINE Lanes costs(const Right& right) const { return left + Lanes::all(right.cost) + inversion; }
    // The maximum cost of an inversion within the budget.
    TERTIUM_INLINE Lanes room(const Right& right) const {
      const Lanes along_a = Lanes::load(behind_a + right.i * width) + Lanes::all(before_a[right.j]);
      const Lanes along_b = Lanes::load(behind_b + right.i * width) + Lanes::all(before_b[right.j]);
      return budget - fine.whole(simd::max(along_a, along_b));
    }
  };

  // First finds the right parts that fit, then joins them: which ones fit is unpredictable, and a
  // mispredicted branch costs more than computing the sums twice.
  TERTIUM_INLINE void join_lanes(const Cell* lefts, std::size_t place, std::span<const Right> rights,
                                 const OutsideCosts<Cell>& outsides, const Terms& terms) {
    const std::size_t j1 = place * kLanes<Cell>;
    const OutsideRows<Cell>& along_a = outsides.along_a;
    const OutsideRows<Cell>& along_b = outsides.along_b;
    const Meeting meeting{.left = Lanes::load(lefts + j1),
                          .inversion = Lanes::all(terms.inversion),
                          .budget = Lanes::all(terms.budget),
                          .before_a = along_a.before_from(terms.i0),
                          .before_b = along_b.before_from(terms.i0),
                          .behind_a = along_a.behind_from(0) + j1,
                          .behind_b = along_b.behind_from(0) + j1,
                          .width = along_a.width,
                          .fine = outsides.fine()};
    std::array<const Right*, 64> fitting;
    while (!rights.empty()) {
      const auto some = rights.first(std::min(rights.size(), fitting.size()));
      rights = rights.subspan(some.size());
      std::size_t n = 0;
      for (const Right& right : some) {
        fitting[n] = &right;
        n += simd::any(meeting.costs(right) <= meeting.room(right));
      }
      for (const Right* right : std::span(fitting).first(n))
        if (right->i - terms.i0 <= terms.longest)
          lower(*right, j1, keep_up_to<Cell>(meeting.costs(*right), meeting.room(*right)));
    }
  }

  TERTIUM_INLINE void lower(const Right& right, std::size_t j1, const Lanes& costs) {
    const std::size_t k = slot(right.i);
    Cell* const cells = &cells_[k * size_ + right.j * stride_ + j1];
    const Lanes old = Lanes::load(cells);
    if (!simd::any(old != Lanes::all(CellTraits<Cell>::none)))
      touched_[k].push_back({right.j, static_cast<std::uint32_t>(j1)});
    simd::min(old, costs).store(cells);
  }

  std::size_t slot(std::size_t end) const { return end < touched_.size() ? end : end % touched_.size(); }
  void empty(std::size_t k) {
    for (const Touched& place : touched_[k])
      std::fill_n(&cells_[k * size_ + place.j0 * stride_ + place.j1], kLanes<Cell>, CellTraits<Cell>::none);
    touched_[k].clear();
  }

  std::size_t stride_ = 0;
  std::size_t size_ = 0;  // cells for an end
  std::vector<std::vector<Touched>> touched_;
  std::vector<Cell> cells_;
};

// Costs of blocks that are found before their source block is visited. For each of several neighbouring ends
// in the source, costs by (n, j0) with n = j1 - j0, in rows of j0, as in a band. The tables are large and
// sparsely used, so only the cells that were touched are cleared.
template <typename Cell>
class PendingBlocks {
 public:
  void prepare(std::size_t ends, std::size_t columns, std::size_t stride) {
    for (Table& table : tables_) clear(table);
    stride_ = stride;
    size_ = columns * stride;
    tables_.resize(ends);
    if (cells_.size() < ends * size_) cells_.assign(ends * size_, CellTraits<Cell>::none);
    for (std::size_t k = 0; k < ends; ++k) tables_[k].cells = &cells_[k * size_];
  }

  Lengths lengths(std::size_t end) const { return at(end).lengths; }
  const Cell* row(std::size_t end, std::size_t n) const { return at(end).cells + n * stride_; }

  void lower(std::size_t end, std::size_t n, std::size_t j0, Cell cost) {
    Table& table = at(end);
    Cell& cell = table.cells[n * stride_ + j0];
    if (cell <= cost) return;
    if (cell == CellTraits<Cell>::none) {
      table.touched.push_back(static_cast<std::uint32_t>(n * stride_ + j0));
      table.lengths = table.lengths.joined({n, n});
    }
    cell = cost;
  }

  // Calls each(j0, j1, cost) for all that was lowered.
  template <typename Visit>
  void visit(std::size_t end, const Visit& each) const {
    const Table& table = at(end);
    for (const std::uint32_t place : table.touched) {
      const std::size_t j0 = place % stride_;
      each(j0, j0 + place / stride_, table.cells[place]);
    }
  }

  void clear(std::size_t end) { clear(at(end)); }

  // Frees memory that only long segments need.
  void release() {
    if (cells_.size() * sizeof(Cell) <= kKept) return;
    tables_ = {};
    cells_ = {};
  }

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 24;  // bytes that a thread may keep between pairs
  struct Table {
    Cell* cells = nullptr;
    std::vector<std::uint32_t> touched;
    Lengths lengths;
  };

  std::size_t slot(std::size_t end) const { return end < tables_.size() ? end : end % tables_.size(); }
  Table& at(std::size_t end) { return tables_[slot(end)]; }
  const Table& at(std::size_t end) const { return tables_[slot(end)]; }
  static void clear(Table& table) {
    for (const std::uint32_t place : table.touched) table.cells[place] = CellTraits<Cell>::none;
    table.touched.clear();
    table.lengths = {};
  }

  std::size_t stride_ = 0;
  std::size_t size_ = 0;  // of a table
  std::vector<Table> tables_;
  std::vector<Cell> cells_;
};

}  // namespace tertium
