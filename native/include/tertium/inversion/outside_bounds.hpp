// Bounds on the cost outside blocks that are known before the search of the inversion distance: the walks of
// order_bounds.hpp, along a and along b, as rows of cells that the innermost loops add. O(|a| |b|) memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/order_bounds.hpp"

namespace tertium {

// A bound in fine cells, `1 << shift` to a whole price; a sum of two is turned into whole prices by whole().
template <typename Cell>
struct FineCells;
template <>
struct FineCells<std::int16_t> {
  int shift = 6;

  // Lowers the resolution until costs up to `most` fit; returns false if they never do.
  bool fit(std::int32_t most) {
    constexpr std::int32_t largest = 16'000;  // the sum of two is a cell as well
    while (shift > 0 && most >> (kPartsShift - shift) >= largest) --shift;
    return most >> (kPartsShift - shift) < largest;
  }
  std::int16_t cell(std::int32_t parts) const {  // rounds down, so it stays a lower bound
    return static_cast<std::int16_t>(parts >> (kPartsShift - shift));
  }
  std::int16_t whole(std::int16_t fine) const {  // rounds up to a whole price
    return static_cast<std::int16_t>((fine + ((1 << shift) - 1)) >> shift);
  }
  TERTIUM_INLINE Register<std::int16_t> whole(const Register<std::int16_t>& fine) const {
    using Lanes = Register<std::int16_t>;
    return (fine + Lanes::all(static_cast<std::int16_t>((1 << shift) - 1))) >> shift;
  }
  std::int32_t fine(std::int32_t whole) const { return whole * (1 << shift); }
};
template <>
struct FineCells<double> {
  bool fit(double) { return true; }
  double cell(double cost) const { return cost - 1e-9 * std::abs(cost); }  // summation order may differ
  double whole(double fine) const { return fine; }
  TERTIUM_INLINE Register<double> whole(const Register<double>& fine) const { return fine; }
  double fine(double whole) const { return whole; }
};

// One walk's bounds: row i holds the cost before a block that begins at (i, j), or after one that ends there.
template <typename Cell>
struct OutsideRows {
  std::size_t width = 0;  // 0: the same row for every i
  std::vector<Cell> before, behind;
  const Cell* before_from(std::size_t i) const { return &before[i * width]; }
  const Cell* behind_from(std::size_t i) const { return &behind[i * width]; }
};

template <typename Cell>
class OutsideCosts {
 public:
  using Number = typename CellTraits<Cell>::Number;

  // `trust`: the factor applied to the bounds; above 1 they are no longer guaranteed to hold. Tables of
  // `columns` become rows of `width` cells, padded with zeros.
  void prepare(const PairWalks<Number>* walks, double trust, std::size_t columns, std::size_t width) {
    fine_ = {};
    if (walks == nullptr) return forget(width);
    if (!fine_.fit(trusted(walks->most(), trust))) return forget(width);
    write(walks->along_a, trust, columns, width, along_a);
    write(walks->along_b, trust, columns, width, along_b);
  }

  const FineCells<Cell>& fine() const { return fine_; }
  // A lower bound, in fine cells, for the cost outside a[i0, i1) x b[j0, j1).
  Number bound(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) const {
    return std::max<Number>(along_a.before_from(i0)[j0] + along_a.behind_from(i1)[j1],
                            along_b.before_from(i0)[j0] + along_b.behind_from(i1)[j1]);
  }
  OutsideRows<Cell> along_a, along_b;

 private:
  static Number trusted(Number cost, double trust) {
    return trust == 1 ? cost : static_cast<Number>(static_cast<double>(cost) * trust);
  }

  // Sets all bounds to zero: nothing is known.
  void forget(std::size_t width) {
    for (OutsideRows<Cell>* rows : {&along_a, &along_b}) {
      rows->width = 0;
      rows->before.assign(width, 0);
      rows->behind.assign(width, 0);
    }
  }

  void write(const WalkCosts<Number>& walk, double trust, std::size_t columns, std::size_t width,
             OutsideRows<Cell>& rows) {
    rows.width = width;
    write(walk.before, trust, columns, width, rows.before);
    write(walk.behind, trust, columns, width, rows.behind);
  }

  void write(std::span<const Number> from, double trust, std::size_t columns, std::size_t width,
             std::vector<Cell>& to) const {
    to.assign(from.size() / columns * width, 0);
    for (Cell* row = to.data(); !from.empty(); from = from.subspan(columns), row += width)
      for (std::size_t j = 0; j < columns; ++j) row[j] = fine_.cell(trusted(from[j], trust));
  }

  FineCells<Cell> fine_;
};

}  // namespace tertium
