// One step of the bit-vector edit distance of Myers (1999, "A fast bit-vector algorithm for approximate
// string matching based on dynamic programming", J. ACM 46), for the distance between whole sequences as in
// Hyyrö (2003).
//
// D(i, j) is the distance between the first i symbols of one sequence (the pattern, one bit each) and the
// first j of the other (the text). A column j is kept as differences between neighbouring cells, and a step
// moves 64 cells from column j - 1 to column j in constant time. The letters are those of the paper.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"

namespace tertium {

// Vertical differences of 64 cells: bit i of Pv is set where D(i, j) - D(i-1, j) is +1, of Mv where it is -1.
template <typename Bits>
struct MyersColumn {
  Bits Pv, Mv;
  bool operator==(const MyersColumn&) const = default;
};

// The horizontal difference D(i, j) - D(i, j-1) at the edge between two blocks of 64 cells: not_Ph is 0 where
// it is +1, Mh is 1 where it is -1. The default is for the first block, which has +1 above it, because
// D(0, j) = j.
template <typename Bits>
struct MyersCarry {
  Bits not_Ph{}, Mh{};
  bool operator==(const MyersCarry&) const = default;
};

// The result of a step: Ph and Mh are set where D(i, j) - D(i, j-1) is +1 and -1, D0 where D(i, j) is
// D(i-1, j-1).
template <typename Bits>
struct MyersStep {
  Bits D0, Ph, Mh;
};

// Advances a block of cells by a text symbol that equals the pattern symbols at `places`. `carry` comes from
// the previous block and is updated for the next. Bits is a number of 64 bits, or a vector of them for
// independent texts. The results are arguments, because GCC returns a struct of vectors through memory. The
// step computes the complement of Ph, which makes its longest chain of operations a quarter shorter.
template <typename Bits>
TERTIUM_INLINE void myers_step(const Bits& places, MyersColumn<Bits>& column, MyersCarry<Bits>& carry,
                               Bits& D0, Bits& Ph, Bits& Mh) {
  const Bits Pv = column.Pv, Mv = column.Mv;
  const Bits Xv = places | Mv;
  const Bits Eq = places | carry.Mh;
  const Bits Xh = (((Eq & Pv) + Pv) ^ Pv) | Eq;
  D0 = Xh | Xv;
  const Bits not_Ph = (Xh | Pv) & ~Mv;
  Ph = ~not_Ph;
  Mh = Pv & Xh;
  const Bits shifted_not_Ph = (not_Ph << 1) | carry.not_Ph;
  const Bits shifted_Mh = (Mh << 1) | carry.Mh;
  column.Pv = shifted_Mh | (shifted_not_Ph & ~Xv);
  column.Mv = Xv & ~shifted_not_Ph;
  carry.not_Ph = not_Ph >> 63;
  carry.Mh = Mh >> 63;
}

template <typename Bits>
TERTIUM_INLINE MyersStep<Bits> myers_step(const Bits& places, MyersColumn<Bits>& column,
                                          MyersCarry<Bits>& carry) {
  MyersStep<Bits> step;
  myers_step(places, column, carry, step.D0, step.Ph, step.Mh);
  return step;
}

// D(n, j) - D(0, j): the sum of the differences in the first n cells of a column.
TERTIUM_INLINE std::size_t sum_differences(std::span<const MyersColumn<std::uint64_t>> column,
                                           std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t w = 0; 64 * w < n; ++w) {
    const std::uint64_t cells = ~std::uint64_t{0} >> (n - 64 * w < 64 ? 64 - (n - 64 * w) : 0);
    sum += static_cast<std::size_t>(std::popcount(column[w].Pv & cells));
    sum -= static_cast<std::size_t>(std::popcount(column[w].Mv & cells));
  }
  return sum;  // modulo 2^64, as a difference may be negative
}

}  // namespace tertium
