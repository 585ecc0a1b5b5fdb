// The innermost loop of the inversion distance: one row of blocks, a lane for each start in the target.
// Written without branches, so that compilers turn it into vector code for the baseline instruction set.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tertium/base/simd.hpp"
#include "tertium/inversion/block_tables.hpp"
#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/outside_bounds.hpp"

namespace tertium {

// Lane j is the block a[i0, i1) x b[j, j + n). Its neighbours are in the same lane of other rows, except
// b[j + 1, j + n), which is the next lane of `shorter`.
template <typename Cell>
struct LaneInputs {
  const Cell* above;         // a[i0, i1 - 1) x b[j, j + n)
  const Cell* diagonal;      // a[i0, i1 - 1) x b[j, j + n - 1)
  const Cell* shorter;       // a[i0, i1) x b[j, j + n - 1)
  const Cell* within;        // a[i0 + 1, i1) x b[j, j + n)
  const Cell* changes;       // turning a[i1 - 1] into b[j + n - 1]
  const Cell* jumped;        // the best sequence that ends in an inversion
  const Cell* inverted;      // the best inversion of the whole block
  const Cell* lost;          // words in common that b[0, j) takes into the block,
  const Cell* lost_end;      // that b[0, j + n) does,
  const Cell* lost_besides;  // and exceptions to both
  const Cell* before_a;      // in fine cells: lower bounds for the cost before the block, by walks along
  const Cell* before_b;      // a and along b, and for the cost after it
  const Cell* behind_a;
  const Cell* behind_b;
  FineCells<Cell> fine;
  Cell budget;  // of the block and its outside
  Cell room;    // maximum cost of the block if the outside has no word in common
  Cell gain;    // saving per word in common
  Cell common;  // words in common outside a block whose target part is empty
  Cell worth;   // maximum cost of a part that is worth an inversion, plus one step
  Cell alone;   // the same if there is no other inversion
  Cell inversion;
  Cell deletion;
  Cell insertion;
};

// The possible uses of a block.
enum BlockUse { kAlive = 1, kLeftPart = 2, kRightPart = 4, kInversion = 8 };

// Writes each lane's cost (`none` if the block is useless) and its uses; returns all uses that occur.
template <typename Cell, typename Flag = typename CellTraits<Cell>::Flag>
TERTIUM_INLINE Flag fill_each_lane(const LaneInputs<Cell>& from, std::size_t registers, Cell* __restrict out,
                                   Flag* __restrict uses) {
  const LaneInputs<Cell> in = from;  // a copy that no store can alias
  Flag all = 0;
  for (std::size_t j = 0; j < registers * kLanes<Cell>; ++j) {
    const auto deleted = static_cast<Cell>(in.above[j] + in.deletion);
    const auto inserted = static_cast<Cell>(in.shorter[j] + in.insertion);
    const auto changed = static_cast<Cell>(in.diagonal[j] + in.changes[j]);
    const Cell straight = std::min(std::min(deleted, inserted), std::min(changed, in.jumped[j]));
    const Cell cost = std::min(straight, in.inverted[j]);
    const auto lost = static_cast<Cell>(static_cast<Cell>(in.lost_end[j] - in.lost[j]) + in.lost_besides[j]);
    const auto gains = static_cast<Cell>(in.gain * static_cast<Cell>(in.common - lost));
    const auto limit = static_cast<Cell>(in.room + gains);
    const Cell outside = in.fine.whole(std::max(static_cast<Cell>(in.before_a[j] + in.behind_a[j]),
                                                static_cast<Cell>(in.before_b[j] + in.behind_b[j])));
    const auto after_insertion = static_cast<Cell>(in.shorter[j + 1] + in.insertion);
    const auto after_deletion = static_cast<Cell>(in.within[j] + in.deletion);
    const Cell most = std::min(limit, static_cast<Cell>(in.budget - outside));
    const Cell other = std::min(after_insertion, after_deletion);
    const Cell most_as_part = std::max(in.alone, static_cast<Cell>(limit - in.inversion));
    // The conditions are separate, each as wide as a cell, so that compilers can vectorise them.
    Flag use = cost <= most ? Flag{kAlive} : Flag{0};
    use = cost < other ? use : Flag{0};
    Flag part = cost <= most_as_part ? Flag{kLeftPart | kRightPart} : Flag{0};
    part = cost < in.worth ? part : Flag{0};
    part = static_cast<Flag>(part & (cost < inserted ? Flag{kLeftPart | kRightPart} : Flag{kRightPart}));
    part = static_cast<Flag>(part & (cost < deleted ? Flag{kLeftPart | kRightPart} : Flag{kLeftPart}));
    const Flag inversion = in.inverted[j] < straight ? Flag{kInversion} : Flag{0};
    use = use == 0 ? Flag{0} : static_cast<Flag>(use | part | inversion);
    out[j] = use == 0 ? CellTraits<Cell>::none : cost;
    uses[j] = use;
    all = static_cast<Flag>(all | use);
  }
  return all;
}

template <typename Cell, typename Flag = typename CellTraits<Cell>::Flag>
Flag fill_lanes(const LaneInputs<Cell>& from, std::size_t registers, Cell* __restrict out,
                Flag* __restrict uses) {
  return simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { return fill_each_lane(from, registers, out, uses); });
}

}  // namespace tertium
