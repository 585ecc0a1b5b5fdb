// One step of the bit-vector edit distance of Myers (1999, "A fast bit-vector algorithm for approximate
// string matching based on dynamic programming", J. ACM 46), for the distance between whole sequences as in
// Hyyrö (2003).
//
// D(i, j) is the distance between the first i symbols of one sequence (the pattern, one bit each) and the
// first j of the other (the text). A column j is kept as differences between neighbouring cells, and a step
// moves 64 cells from column j - 1 to column j in constant time. The letters are those of the paper.
#pragma once

#include <cstdint>

#include "tertium/base/simd.hpp"

namespace tertium {

// Vertical differences of 64 cells: bit i of Pv is set where D(i, j) - D(i-1, j) is +1, of Mv where it is -1.
template <typename Bits>
struct MyersColumn {
  Bits Pv, Mv;
  bool operator==(const MyersColumn&) const = default;
};

// The horizontal difference D(i, j) - D(i, j-1) at the edge between two blocks of 64 cells: Ph is 1 where it
// is +1, Mh where it is -1. The first block has +1 above it, because D(0, j) = j.
template <typename Bits>
struct MyersCarry {
  Bits Ph, Mh;
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
// independent texts. The results are arguments, because GCC returns a struct of vectors through memory.
template <typename Bits>
TERTIUM_INLINE void myers_step(const Bits& places, MyersColumn<Bits>& column, MyersCarry<Bits>& carry,
                               Bits& D0, Bits& Ph, Bits& Mh) {
  const Bits Pv = column.Pv, Mv = column.Mv;
  const Bits Xv = places | Mv;
  const Bits Eq = places | carry.Mh;
  const Bits Xh = (((Eq & Pv) + Pv) ^ Pv) | Eq;
  D0 = Xh | Xv;
  Ph = Mv | ~(Xh | Pv);
  Mh = Pv & Xh;
  const Bits shifted_Ph = (Ph << 1) | carry.Ph;
  const Bits shifted_Mh = (Mh << 1) | carry.Mh;
  column.Pv = shifted_Mh | ~(Xv | shifted_Ph);
  column.Mv = shifted_Ph & Xv;
  carry.Ph = Ph >> 63;
  carry.Mh = Mh >> 63;
}

template <typename Bits>
TERTIUM_INLINE MyersStep<Bits> myers_step(const Bits& places, MyersColumn<Bits>& column,
                                          MyersCarry<Bits>& carry) {
  MyersStep<Bits> step;
  myers_step(places, column, carry, step.D0, step.Ph, step.Mh);
  return step;
}

// The same for the first block.
template <typename Bits>
TERTIUM_INLINE MyersStep<Bits> myers_step(const Bits& Eq, MyersColumn<Bits>& column, const Bits& one) {
  MyersCarry<Bits> carry{one, one ^ one};
  return myers_step(Eq, column, carry);
}

}  // namespace tertium
