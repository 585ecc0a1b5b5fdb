// The search behind the inversion edit distance (Leusch, Ueffing & Ney 2003, Eq. 2): exact below a budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/inversion/bounds.hpp"
#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/drafts.hpp"
#include "tertium/inversion/ended_blocks.hpp"
#include "tertium/inversion/lanes.hpp"
#include "tertium/inversion/prices.hpp"
#include "tertium/inversion/problem.hpp"
#include "tertium/inversion/rest.hpp"
#include "tertium/inversion/steps.hpp"
#include "tertium/inversion/tables.hpp"

namespace tertium {

// A derivation is a sequence of matches, substitutions, insertions, deletions and inversions; an
// inversion has a left part a[i0, i) x b[j, j1) and a right part a[i, i1) x b[j0, j), sequences
// again. Equal in cost to the recursion over all splits, with these facts to keep it small:
//
// - A part lies below an inversion, so it is of use only if its cost + the bag bound of everything
//   outside it + one inversion is within the budget. The same holds for every prefix of it.
// - Insertions and deletions at the outer border of an inversion may as well stand beside it; those
//   between its parts may stand behind them. So a part begins with a match, a substitution or an
//   inversion, a left part does not end with an insertion, a right part not with a deletion.
// - A part that costs as much as dropping its words on both sides is not worth an inversion, and an
//   inversion must be cheaper than the best sequence without it.
// - Outside every inversion, rest(i, j) is the cost of a[i..) x b[j..), final when source blocks are
//   visited with falling i0, and `before` bounds what precedes.
//
// At worst O(I^3 J^3 / lanes); on sentences far less.
template <typename Cell>
class InversionSearch {
 public:
  using Number = typename CellTraits<Cell>::Number;
  using Ids = std::span<const std::int32_t>;
  static constexpr Cell none = CellTraits<Cell>::none;

  using Problem = InversionProblem<Number>;
  using Limits = InversionLimits<Number>;
  struct Jump {  // an inversion a[i, .) x b[j, end) for use inside a part
    std::uint32_t i, j, end;
    Cell cost;
  };

  // The cost of the cheapest derivation if that is within the budget, else of the cheapest one seen.
  Number run(const Problem& problem, const Limits& limits) {
    prepare(problem, limits);
    for (std::size_t i0 = a_.size(); i0-- > 0;) {
      open(i0);
      for (std::size_t i1 = i0 + 1; i1 <= std::min(a_.size(), i0 + limits.longest); ++i1) {
        pace_.spend(columns_ * columns_);
        outside_.take(i1 - 1);
        const Number room = room_of(i1 - i0);
        join_parts(i0, i1, room);
        follow_jumps(i0, i1, room);
        fill_band(i0, i1);
      }
      rest_.close(i0);
    }
    return rest_.rest(0, 0);
  }

  void release() { tables_.release(); }

  // What the next runs may do together; a run that would do more throws SearchTooLarge.
  void allow(std::uint64_t steps) { steps_ = StepBudget(steps); }

  const BlockTables<Cell>& tables() const { return tables_; }
  std::span<const Jump> jumps(std::size_t i1) const { return jumps_[i1]; }
  const RestTable<Number>& outside_inversions() const { return rest_; }

 private:
  using Tables = BlockTables<Cell>;
  using Flag = typename CellTraits<Cell>::Flag;
  void prepare(const Problem& problem, const Limits& limits) {
    a_ = problem.a;
    b_ = problem.b;
    prices_ = problem.prices;
    levenshtein_ = problem.levenshtein;
    budget_ = limits.budget;
    columns_ = b_.size() + 1;
    tables_.prepare(a_.size(), b_.size(), limits.longest, other_bytes(a_.size(), columns_), limits.max_bytes);
    outside_.prepare(a_, b_, problem.n_names, tables_.stride());
    joined_.prepare(columns_, tables_.words());
    inverted_.prepare(columns_, tables_.stride());
    jumped_.prepare(columns_, tables_.stride());
    gains_.resize(tables_.stride());
    filled_.resize(columns_ * tables_.stride());
    flags_.resize(columns_ * tables_.stride());
    ended_.clear();
    left_starts_.assign(tables_.words(), 0);
    jumps_.resize(std::max(jumps_.size(), a_.size() + 1));
    for (auto& jumps : jumps_) jumps.clear();
    rest_.prepare(a_, b_, prices_, problem.before);
    outside_.open();
    block_prices_.prepare(a_, b_, prices_, outside_.common(), budget_, tables_.stride());
  }

  // The tables below that grow with the product of the lengths, a little rounded up.
  static std::size_t other_bytes(std::size_t n, std::size_t columns) {
    const std::size_t stride = columns + 2 * kLanes<Cell>;
    return columns * stride * (4 * sizeof(Cell) + sizeof(Flag)) + n * 2 * stride * sizeof(Cell) +
           (n + 1) * columns * (3 * sizeof(Number) + sizeof(typename RestTable<Number>::Leap));
  }

  void open(std::size_t i0) {
    rest_.open(i0);
    outside_.open();
    with_lefts_.clear();
  }

  // What a block of m source words below an inversion may cost at most: whatever its target part, the
  // unmatched words of a outside have to go.
  Number room_of(std::size_t m) const {
    const auto unmatched = static_cast<Number>(a_.size() - m - outside_.common());
    return budget_ - prices_.inversion - unmatched * std::min(prices_.deletion, prices_.exchange());
  }

  // Inversions of a[i0, i1): a left part a[i0, i) x b[j, j1) and a right part a[i, i1) x b[j0, j).
  void join_parts(std::size_t i0, std::size_t i1, Number room) {
    for (const std::size_t i : with_lefts_) {
      const Cell least_right = tables_.band(i, i1).least_right;
      if (least_right == none || tables_.band(i0, i).least_left + least_right > room) continue;
      const Cell* lefts = tables_.leasts(i0, i, Tables::kLefts);
      const Cell* rights = tables_.leasts(i, i1, Tables::kRights);
      steps_.spend(tables_.stride() / kLanes<Cell>);
      visit_cheap(lefts, rights, tables_.stride(), static_cast<Cell>(room),
                  [&](std::size_t j) { join_at(i0, i, i1, j, room); });
    }
    joined_.drain([&](std::size_t j0, std::size_t j1, Cell cost) {
      const Number inverted = cost + prices_.inversion;
      rest_.offer(i0, i1, j0, j1, inverted, budget_);
      if (inverted <= budget_) inverted_.lower(j1 - j0, j0, static_cast<Cell>(inverted));
    });
  }

  // Those whose parts meet at (i, j).
  void join_at(std::size_t i0, std::size_t i, std::size_t i1, std::size_t j, Number room) {
    const auto left = tables_.left_row(i0, i, j);
    for (const Part<Cell>& right : tables_.right_row(i, i1, j)) {
      if (left.least + right.cost > room) break;
      steps_.spend(1 + (left.high - left.low) / kLanes<Cell>);
      joined_.lower(right.start, left.low, left.high, left.cells, right.cost);
    }
  }

  // Sequences a[i0, i1) x b[j0, j1) that end in an inversion a[i, i1) x b[j, j1) found before.
  void follow_jumps(std::size_t i0, std::size_t i1, Number room) {
    for (const Jump& jump : jumps_[i1]) {
      const auto& band = tables_.band(i0, jump.i);
      if (band.cells == nullptr) continue;
      steps_.spend(1 + band.ending_at(jump.j).size());
      const Number left = room - jump.cost;
      for (const Part<Cell>& part : band.ending_at(jump.j))
        if (part.cost <= left)
          jumped_.lower(jump.end - part.start, part.start, static_cast<Cell>(part.cost + jump.cost));
    }
  }

  // Fills the rows that something leads to, and keeps those between the first and the last of use.
  void fill_band(std::size_t i0, std::size_t i1) {
    const Lengths allowed = block_prices_.lengths(i1 - i0);
    const auto& above = tables_.band(i0, i1 - 1);
    Lengths reached = inverted_.lengths().joined(jumped_.lengths());
    if (above.cells != nullptr) reached = reached.joined({above.low, above.high + 1});
    Lengths kept;
    if (reached.high > 0) outside_.sum_up();
    const Cell* shorter = tables_.nothing();
    for (std::size_t n = std::max(reached.low, allowed.low); n <= allowed.high; ++n) {
      if (n > reached.high && shorter == tables_.nothing()) break;
      Cell* const row = &filled_[n * tables_.stride()];
      const bool alive = fill_row(i0, i1, n, shorter, row) != 0;
      if (alive) kept = kept.joined({n, n});
      shorter = alive ? row : tables_.nothing();
    }
    if (kept.high > 0) keep_band(i0, i1, kept);
    inverted_.clear();
    jumped_.clear();
  }

  void keep_band(std::size_t i0, std::size_t i1, const Lengths& kept) {
    const std::size_t count = (kept.high - kept.low + 1) * tables_.stride();
    Cell* const cells = tables_.take(count);
    std::copy_n(&filled_[kept.low * tables_.stride()], count, cells);
    tables_.band(i0, i1) = {cells, u32(kept.low), u32(kept.high)};
    for (std::size_t n = kept.low; n <= kept.high; ++n) mark_parts(i0, i1, n);
    keep_lefts(i0, i1);
    ended_.keep(tables_, i0, i1);
  }

  // The blocks a[i0, i1) x b[j0, j0 + n) for every j0; returns the flags that occur.
  Flag fill_row(std::size_t i0, std::size_t i1, std::size_t n, const Cell* shorter, Cell* out) {
    const std::size_t count = columns_ - n;
    const std::size_t registers = (count + kLanes<Cell> - 1) / kLanes<Cell>;
    outside_.gains(n, static_cast<Cell>(prices_.exchange()), registers * kLanes<Cell>, gains_.data());
    const LaneInputs<Cell> inputs{
        .above = tables_.row(i0, i1 - 1, n),
        .diagonal = tables_.row(i0, i1 - 1, n - 1),
        .shorter = shorter,
        .within = tables_.row(i0 + 1, i1, n),
        .changes = block_prices_.changes(i1 - 1, n - 1),
        .jumped = jumped_.row(n),
        .inverted = inverted_.row(n),
        .gains = gains_.data(),
        .room = static_cast<Cell>(budget_ - prices_.inversion - block_prices_.outside(i1 - i0, n)),
        .worth = static_cast<Cell>(prices_.unmatched(i1 - i0, n) - prices_.inversion),
        .alone =
            static_cast<Cell>(prices_.unmatched(i1 - i0, n) - prices_.inversion - (levenshtein_ - budget_)),
        .inversion = static_cast<Cell>(prices_.inversion),
        .deletion = static_cast<Cell>(prices_.deletion),
        .insertion = static_cast<Cell>(prices_.insertion),
    };
    steps_.spend(registers);
    Flag* uses = &flags_[n * tables_.stride()];
    const Flag all = fill_lanes(inputs, registers, out, uses);
    std::fill(out + count, out + tables_.stride(), none);
    std::fill(uses + count, uses + tables_.stride(), Flag{0});
    return all;
  }

  // Notes which blocks of a row are parts of inversions, and which are inversions.
  void mark_parts(std::size_t i0, std::size_t i1, std::size_t n) {
    const Flag* uses = &flags_[n * tables_.stride()];
    constexpr std::size_t at_once = sizeof(bitsets::Word) / sizeof(Flag);
    for (std::size_t start = 0; start + n < columns_; start += at_once) {
      bitsets::Word some;
      std::memcpy(&some, uses + start, sizeof(some));
      if (some == 0) continue;
      for (std::size_t j0 = start; j0 < start + at_once; ++j0)
        if (uses[j0] != 0) mark_part(i0, i1, j0, j0 + n, uses[j0]);
    }
  }

  void mark_part(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1, Flag use) {
    const Cell cost = tables_.at(i0, i1, j0, j1);
    ended_.add(u32(j0), u32(j1), cost, (use & kRightPart) != 0);
    if (use & kInversion) {
      tables_.charge(2 * sizeof(Jump));  // a vector grows by doubling
      jumps_[i1].push_back({u32(i0), u32(j0), u32(j1), cost});
    }
    if (use & kLeftPart) {
      auto& row = tables_.left_row(i0, i1, j0);
      if (!bitsets::contains(left_starts_.data(), j0)) row.low = u32(j1);
      row.high = u32(j1);
      bitsets::insert(left_starts_.data(), j0);
    }
  }

  void keep_lefts(std::size_t i0, std::size_t i1) {
    auto& band = tables_.band(i0, i1);
    Cell* const leasts = tables_.leasts(i0, i1, Tables::kLefts);
    std::fill_n(leasts, tables_.stride(), none);
    bitsets::visit(left_starts_.data(), tables_.words(), [&](std::size_t j0) {
      leasts[j0] = tables_.keep_left_row(i0, i1, j0);
      band.least_left = std::min(band.least_left, leasts[j0]);
    });
    std::fill(left_starts_.begin(), left_starts_.end(), 0);
    if (band.least_left != none) with_lefts_.push_back(i1);
  }

  static std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

  Pace pace_;
  StepBudget steps_;
  Ids a_;
  Ids b_;
  Prices<Number> prices_{};
  Number levenshtein_{};
  Number budget_{};
  std::size_t columns_ = 0;
  Tables tables_;
  OutsideBag<Cell> outside_;
  BlockPrices<Cell> block_prices_;
  RestTable<Number> rest_;
  RowDraft<Cell> joined_;     // inversions of the current source block, without their own price
  BandDraft<Cell> inverted_;  // the same with it
  BandDraft<Cell> jumped_;    // sequences that end in an inversion
  std::vector<Cell> gains_;
  std::vector<Cell> filled_;  // the current source block's band, and below what its cells can be used for
  std::vector<Flag> flags_;
  EndedBlocks<Cell> ended_;                 // of the current source block
  std::vector<bitsets::Word> left_starts_;  // the same: starts of left parts
  std::vector<std::vector<Jump>> jumps_;    // by their end in the source
  std::vector<std::size_t> with_lefts_;     // ends of source blocks that begin at i0 and have left parts
};

}  // namespace tertium
