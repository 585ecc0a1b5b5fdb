// Cells in registers of 16 bytes, which every processor has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tertium/base/simd.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

template <typename Cell>
inline constexpr std::size_t kLanes = 16 / sizeof(Cell);
template <typename Cell>
using Register = simd::Vec<Cell, kLanes<Cell>>;

// Keeps each lane of `costs` that is at most that of `limits`; the others become `none`.
template <typename Cell>
TERTIUM_INLINE Register<Cell> keep_up_to(const Register<Cell>& costs, const Register<Cell>& limits) {
  return simd::select(costs <= limits, costs, Register<Cell>::all(CellTraits<Cell>::none));
}

}  // namespace tertium
