// The costs of the edits of the inversion distance, the cheapest way to turn one bag of words into another,
// and the cells that hold costs. Costs that a common scale makes integers are added as integers: exactly, and
// with four times as many per register.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tertium/base/simd.hpp"

namespace tertium {

struct InversionCosts {
  double insertion = 1;
  double deletion = 1;
  double substitution = 1;
  double inversion = 1;
};

// The costs in the numbers that the search adds: integers where a common scale makes them so.
template <typename Number>
struct Prices {
  Number insertion;
  Number deletion;
  Number substitution;
  Number inversion;

  // Replacing one word by another, in the cheaper of two ways.
  Number exchange() const { return std::min<Number>(substitution, insertion + deletion); }

  Number unmatched(std::size_t sources, std::size_t targets) const {
    return static_cast<Number>(sources) * deletion + static_cast<Number>(targets) * insertion;
  }

  // A lower bound for any derivation of `sources` words into `targets` words with `common` in common.
  Number bag(std::size_t sources, std::size_t targets, std::size_t common) const {
    const std::size_t paired = std::min(sources, targets);
    return exchange() * static_cast<Number>(paired - common) + unmatched(sources - paired, targets - paired);
  }

  Number smallest_positive() const {
    Number smallest = std::numeric_limits<Number>::max();
    for (const Number price : {insertion, deletion, substitution, inversion})
      if (price > 0) smallest = std::min(smallest, price);
    return smallest;
  }
};

// The smallest scale that makes every cost a whole number below 10,000; 0 if none up to 1,000 does.
// Dividing a sum of such numbers by the scale rounds once, where adding the costs rounds at every step.
inline int whole_scale(const InversionCosts& costs) {
  const auto whole = [](double cost, int scale) {
    const double scaled = std::nearbyint(cost * scale);
    return scaled < 10'000 && scaled / scale == cost;
  };
  for (int scale = 1; scale <= 1'000; ++scale)
    if (whole(costs.insertion, scale) && whole(costs.deletion, scale) && whole(costs.substitution, scale) &&
        whole(costs.inversion, scale))
      return scale;
  return 0;
}

// Cells hold a cost up to the budget, or `none`; the sum of two cells and a price fits into a cell.
template <typename Cell>
struct CellTraits;
template <>
struct CellTraits<std::int16_t> {
  using Number = std::int32_t;
  using Flag = std::int16_t;  // as wide as a cell, so that loops over both fill whole registers
  static constexpr std::int16_t none = 10'000;
};
template <>
struct CellTraits<double> {
  using Number = double;
  using Flag = std::int64_t;
  static constexpr double none = std::numeric_limits<double>::infinity();
};

// Cells in registers of 16 bytes, which every processor has.
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
