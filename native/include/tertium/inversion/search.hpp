// The search behind the inversion edit distance (Leusch, Ueffing & Ney 2003, Eq. 2): exact below a budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/inversion/bag_bounds.hpp"
#include "tertium/inversion/block_rows.hpp"
#include "tertium/inversion/block_tables.hpp"
#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/inversion_parts.hpp"
#include "tertium/inversion/order_bounds.hpp"
#include "tertium/inversion/outside_bounds.hpp"

namespace tertium {

// The input of a search. Words are numbered from 0 to n_names - 1; `before` has a lower bound for every pair
// of prefixes.
template <typename Number>
struct InversionProblem {
  std::span<const std::int32_t> a;
  std::span<const std::int32_t> b;
  std::size_t n_names;
  Prices<Number> prices;
  std::span<const Number> before;
  Number levenshtein;
  const PairWalks<Number>* walks;  // bounds that know of order; null: none
};

template <typename Number>
struct InversionLimits {
  Number budget;        // more expensive derivations are ignored
  std::size_t longest;  // source words of a block
  std::size_t max_bytes;
  double trust = 1;  // above 1 the bounds of the chains are exaggerated: much faster, and no longer exact
};

// The part of a derivation outside every inversion, by Levenshtein's recursion with the inversions found as
// additional steps. O(|a| |b|), and one step per inversion.
//
// rest(i, j): the cheapest derivation of a[i..) x b[j..), filled with falling i. Inversions are offered as
// they are found; when all that begin at i are known, the row is closed.
template <typename Number>
class RestTable {
 public:
  using Ids = std::span<const std::int32_t>;
  struct Leap {  // the end of an inversion; (0, 0) is none
    std::uint32_t i = 0, j = 0;
  };

  // `before` has a lower bound for every pair of prefixes.
  void prepare(Ids a, Ids b, const Prices<Number>& prices, std::span<const Number> before) {
    a_ = a;
    b_ = b;
    prices_ = prices;
    before_ = before;
    columns_ = b.size() + 1;
    leaps_.assign((a.size() + 1) * columns_, Leap{});
    rest_.resize((a.size() + 1) * columns_);
    for (std::size_t j = 0; j < columns_; ++j) at(a.size(), j) = prices.unmatched(0, b.size() - j);
  }

  Number rest(std::size_t i, std::size_t j) const { return rest_[i * columns_ + j]; }
  Leap leap(std::size_t i, std::size_t j) const { return leaps_[i * columns_ + j]; }

  void open(std::size_t i) {
    for (std::size_t j = 0; j < columns_; ++j) at(i, j) = at(i + 1, j) + prices_.deletion;
  }

  // An inversion of a[i0, i1) x b[j0, j1), with rising i1. Of equally cheap ones the first with the nearest
  // end counts, in whichever order those with the same i1 are offered.
  void offer(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1, Number cost, Number budget) {
    const Number whole = cost + at(i1, j1);
    if (before_[i0 * columns_ + j0] + whole > budget || whole > at(i0, j0)) return;
    Leap& leap = leaps_[i0 * columns_ + j0];
    if (whole == at(i0, j0) && (leap.i != i1 || leap.j < j1)) return;
    at(i0, j0) = whole;
    leap = {static_cast<std::uint32_t>(i1), static_cast<std::uint32_t>(j1)};
  }

  // The other edits may still be cheaper.
  void close(std::size_t i) {
    for (std::size_t j = columns_; j-- > 0;) {
      Number least = at(i + 1, j) + prices_.deletion;
      if (j < b_.size()) {
        const Number change = a_[i] == b_[j] ? Number{0} : prices_.substitution;
        least = std::min({least, at(i + 1, j + 1) + change, at(i, j + 1) + prices_.insertion});
      }
      if (least > at(i, j)) continue;
      at(i, j) = least;
      leaps_[i * columns_ + j] = {};
    }
  }

 private:
  Number& at(std::size_t i, std::size_t j) { return rest_[i * columns_ + j]; }

  Ids a_;
  Ids b_;
  Prices<Number> prices_{};
  std::span<const Number> before_;
  std::size_t columns_ = 0;
  std::vector<Number> rest_;
  std::vector<Leap> leaps_;
};

// A derivation is a sequence of matches, substitutions, insertions, deletions and inversions. An inversion
// has a left part a[i0, i) x b[j, j1) and a right part a[i, i1) x b[j0, j), which are sequences again. The
// cost equals that of the recursion over all splits; these facts keep the search small:
//
// - A part is inside an inversion, so it is useful only if its cost + the bag bound of everything outside it
//   + one inversion is within the budget. The same holds for each of its prefixes, and for the bounds of
//   order_bounds.hpp without the inversion.
// - Insertions and deletions at the outer border of an inversion can equally be moved outside it, and those
//   between its parts to after them. So a part begins with a match, a substitution or an inversion, a left
//   part does not end with an insertion, a right part not with a deletion.
// - A part that costs as much as dropping its words on both sides is not worth an inversion, and an inversion
//   must be cheaper than the best sequence without it.
// - Outside every inversion, rest(i, j) is the cost of a[i..) x b[j..), final when source blocks are visited
//   with falling i0, and `before` bounds the cost of the part before it.
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
  using Inversion = FoundInversion<Cell>;

  // The cost of the cheapest derivation if that is within the budget, otherwise of the cheapest one seen.
  Number run(const Problem& problem, const Limits& limits) {
    prepare(problem, limits);
    for (std::size_t i0 = a_.size(); i0-- > 0;) {
      open(i0);
      for (std::size_t i1 = i0 + 1; i1 <= std::min(a_.size(), i0 + limits.longest); ++i1) {
        interrupt_check_.tick(columns_ * columns_);
        outside_.take(i1 - 1);
        joined_.take(i1, [&](std::size_t j0, std::size_t j1, Cell cost) {
          rest_.offer(i0, i1, j0, j1, cost, budget_);
          inverted_.lower(i1, j1 - j0, j0, cost);
        });
        fill_band(i0, i1);
      }
      close(i0);
    }
    return rest_.rest(0, 0);
  }

  void release() {
    tables_.release();
    joined_.release();
    inverted_.release();
    jumped_.release();
    inversions_.release();
    rights_.release();
  }

  // Limits the total number of steps of the next runs; a run that would exceed it throws SearchTooLarge.
  void allow(std::uint64_t steps) { steps_ = StepBudget(steps); }
  void spend(std::uint64_t steps) { steps_.spend(steps); }

  // The size of the tables that grow with the product of the lengths, slightly rounded up.
  static std::size_t least_bytes(std::size_t n, std::size_t columns, std::size_t longest) {
    const std::size_t stride = columns + 2 * kLanes<Cell>;
    const std::size_t drafts = 2 * (longest + 1) * columns * stride * sizeof(Cell);
    const std::size_t rows = (n + 1) * 10 * stride * sizeof(Cell);
    const std::size_t leap = sizeof(typename RestTable<Number>::Leap);
    return columns * stride * (3 * sizeof(Cell) + sizeof(Flag)) + drafts + rows +
           (n + 1) * columns * (9 * sizeof(Number) + leap + 2 * sizeof(std::uint32_t));
  }

  const BlockTables<Cell>& tables() const { return tables_; }
  // The inversions that begin at (i, j).
  std::span<const Inversion> inversions(std::size_t i, std::size_t j) const { return inversions_.at(i, j); }
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
    longest_ = limits.longest;
    tables_.prepare(a_.size(), b_.size(), longest_, least_bytes(a_.size(), columns_, longest_),
                    limits.max_bytes);
    outside_.prepare(a_, b_, problem.n_names, tables_.stride());
    outsides_.prepare(problem.walks, limits.trust, columns_, 2 * tables_.stride());
    joined_.prepare(longest_ + 1, columns_, tables_.stride());
    lefts_.prepare(columns_, tables_.stride());
    inverted_.prepare(1, columns_, tables_.stride());
    jumped_.prepare(longest_ + 1, columns_, tables_.stride());
    inversions_.prepare(a_.size(), columns_);
    rights_.prepare(a_.size(), columns_);
    filled_.resize(columns_ * tables_.stride());
    flags_.resize(columns_ * tables_.stride());
    rest_.prepare(a_, b_, prices_, problem.before);
    outside_.open();
    block_prices_.prepare(a_, b_, prices_, outside_.common(), budget_, tables_.stride());
  }

  void open(std::size_t i0) {
    rest_.open(i0);
    outside_.open();
  }

  void close(std::size_t i0) {
    rest_.close(i0);
    inversions_.close(i0);
    inversions_.sort(i0);
    rights_.close(i0);
  }

  // Fills the reachable rows, and keeps those between the first and the last useful one.
  void fill_band(std::size_t i0, std::size_t i1) {
    const Lengths allowed = block_prices_.lengths(i1 - i0);
    const auto& above = tables_.band(i0, i1 - 1);
    Lengths reached = inverted_.lengths(i1).joined(jumped_.lengths(i1));
    if (above.cells != nullptr) reached = reached.joined({above.low, above.high + 1});
    Lengths kept;
    const std::size_t first = std::max(reached.low, allowed.low);
    if (first <= allowed.high) outside_.sum_up(first);
    const Cell* shorter = tables_.nothing();
    for (std::size_t n = first; n <= allowed.high; outside_.lengthen(++n)) {
      if (n > reached.high && shorter == tables_.nothing()) break;
      Cell* const row = &filled_[n * tables_.stride()];
      const bool alive = fill_row(i0, i1, n, shorter, row) != 0;
      if (alive) kept = kept.joined({n, n});
      shorter = alive ? row : tables_.nothing();
    }
    if (kept.high > 0) keep_band(i0, i1, kept);
    inverted_.clear(i1);
    jumped_.clear(i1);
  }

  void keep_band(std::size_t i0, std::size_t i1, const Lengths& kept) {
    const std::size_t count = (kept.high - kept.low + 1) * tables_.stride();
    Cell* const cells = tables_.take(count);
    std::copy_n(&filled_[kept.low * tables_.stride()], count, cells);
    tables_.band(i0, i1) = {cells, u32(kept.low), u32(kept.high)};
    for (std::size_t n = kept.low; n <= kept.high; ++n) mark_parts(i0, i1, n);
    join_parts(i0, i1);
  }

  // Computes the blocks a[i0, i1) x b[j0, j0 + n) for every j0; returns the flags that occur.
  Flag fill_row(std::size_t i0, std::size_t i1, std::size_t n, const Cell* shorter, Cell* out) {
    const std::size_t count = columns_ - n;
    const std::size_t registers = (count + kLanes<Cell> - 1) / kLanes<Cell>;
    const LaneInputs<Cell> inputs{
        .above = tables_.row(i0, i1 - 1, n),
        .diagonal = tables_.row(i0, i1 - 1, n - 1),
        .shorter = shorter,
        .within = tables_.row(i0 + 1, i1, n),
        .changes = block_prices_.changes(i1 - 1, n - 1),
        .jumped = jumped_.row(i1, n),
        .inverted = inverted_.row(i1, n),
        .lost = outside_.lost(),
        .lost_end = outside_.lost() + n,
        .lost_besides = outside_.lost_besides(),
        .before_a = outsides_.along_a.before_from(i0),
        .before_b = outsides_.along_b.before_from(i0),
        .behind_a = outsides_.along_a.behind_from(i1) + n,
        .behind_b = outsides_.along_b.behind_from(i1) + n,
        .fine = outsides_.fine(),
        .budget = static_cast<Cell>(budget_),
        .room = static_cast<Cell>(budget_ - prices_.inversion - block_prices_.outside(i1 - i0, n)),
        .gain = static_cast<Cell>(prices_.exchange()),
        .common = static_cast<Cell>(outside_.common()),
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

  // Records the uses of each block of a row.
  void mark_parts(std::size_t i0, std::size_t i1, std::size_t n) {
    const Flag* uses = &flags_[n * tables_.stride()];
    constexpr std::size_t at_once = kLanes<Cell>;
    for (std::size_t start = 0; start + n < columns_; start += at_once) {
      std::uint64_t some[2];
      std::memcpy(&some, uses + start, sizeof(some));
      if ((some[0] | some[1]) == 0) continue;
      for (std::size_t j0 = start; j0 < start + at_once; ++j0)
        if (uses[j0] != 0) mark_part(i0, i1, j0, j0 + n, filled_[n * tables_.stride() + j0], uses[j0]);
    }
  }

  void mark_part(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1, Cell cost, Flag use) {
    if ((use & (kInversion | kRightPart)) != 0)
      tables_.charge(4 * sizeof(Inversion));  // vectors grow by doubling
    if ((use & kInversion) != 0)
      inversions_.add(j0, {{u32(i1), u32(j1), cost},
                           outsides_.fine().fine(cost) + outsides_.along_a.behind_from(i1)[j1]});
    if ((use & kRightPart) != 0) rights_.add(j1, {u32(i1), u32(j0), cost});
    if ((use & kLeftPart) != 0) lefts_.add(j0, j1, cost);
    join_inversions(i0, i1, j0, j1, cost);
  }

  // Finds the sequences of a block a[i0, i) x b[j0, j) followed by an inversion found before.
  void join_inversions(std::size_t i0, std::size_t i, std::size_t j0, std::size_t j, Cell cost) {
    const auto inversions = inversions_.at(i, j);
    if (inversions.empty()) return;
    steps_.spend(inversions.size());
    const Number limit = outsides_.fine().fine(budget_ - cost);
    const Number most = limit - outsides_.along_a.before_from(i0)[j0];
    for (const Inversion& next : inversions) {
      if (next.key > most) break;
      if (next.i - i0 > longest_) continue;
      if (outsides_.fine().fine(next.cost) + outsides_.bound(i0, next.i, j0, next.j) > limit) continue;
      jumped_.lower(next.i, next.j - j0, j0, static_cast<Cell>(cost + next.cost));
    }
  }

  // Finds the inversions whose left part is a block a[i0, i) x b[j, j1); the right part is some
  // a[i, i1) x b[j0, j).
  void join_parts(std::size_t i0, std::size_t i) {
    for (const auto& row : lefts_.rows()) {
      const auto rights = rights_.at(i, row.j);
      steps_.spend(rights.size() * (row.last - row.first + 1));
      for (std::size_t place = row.first; place <= row.last; ++place)
        joined_.join(lefts_.costs(row.j), place, rights, outsides_,
                     {i0, longest_, static_cast<Cell>(prices_.inversion), static_cast<Cell>(budget_)});
    }
    lefts_.clear();
  }

  static std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

  InterruptCheck interrupt_check_;
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
  OutsideCosts<Cell> outsides_;
  std::size_t longest_ = 0;
  LeftParts<Cell> lefts_;
  JoinedParts<Cell> joined_;
  PendingBlocks<Cell> inverted_;            // inversions
  PendingBlocks<Cell> jumped_;              // sequences that end in an inversion
  BlocksByStart<Inversion> inversions_;     // those that are of use inside a part
  BlocksByStart<FoundBlock<Cell>> rights_;  // right parts of inversions
  std::vector<Cell> filled_;  // the current source block's band, and below what its cells can be used for
  std::vector<Flag> flags_;
};

}  // namespace tertium
