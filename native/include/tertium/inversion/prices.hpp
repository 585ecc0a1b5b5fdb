// Prices of substitutions and of the outsides of blocks, computed once per search because the innermost loops
// need the same ones again and again. O(|a| |b|).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/costs.hpp"

namespace tertium {

// A range of target lengths; high is 0 if it is empty.
struct Lengths {
  std::size_t low = static_cast<std::size_t>(-1);
  std::size_t high = 0;
  Lengths joined(const Lengths& other) const {
    return {std::min(low, other.low), std::max(high, other.high)};
  }
};

template <typename Cell>
class BlockPrices {
 public:
  using Number = typename CellTraits<Cell>::Number;
  using Ids = std::span<const std::int32_t>;

  // `common`: number of words that a and b have in common; `stride`: number of cells that a row of lanes may
  // read.
  void prepare(Ids a, Ids b, const Prices<Number>& prices, std::size_t common, Number budget,
               std::size_t stride) {
    price_changes(a, b, prices, 2 * stride);
    price_outsides(a.size(), b.size(), prices, common, budget);
  }

  // The costs of turning a[i] into b[j], b[j + 1], ...
  const Cell* changes(std::size_t i, std::size_t j) const { return &changes_[i * stride_ + j]; }
  // The cost of the outside of a block of m by n words if it has no word in common.
  Number outside(std::size_t m, std::size_t n) const { return outsides_[m * columns_ + n]; }
  // The target lengths n that are useful with source length m.
  const Lengths& lengths(std::size_t m) const { return lengths_[m]; }

 private:
  void price_changes(Ids a, Ids b, const Prices<Number>& prices, std::size_t stride) {
    stride_ = stride;
    changes_.assign(a.size() * stride, CellTraits<Cell>::none);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        changes_[i * stride + j] = a[i] == b[j] ? Cell{0} : static_cast<Cell>(prices.substitution);
  }

  void price_outsides(std::size_t n_a, std::size_t n_b, const Prices<Number>& prices, std::size_t common,
                      Number budget) {
    const Number best_gain = prices.exchange() * static_cast<Number>(common);
    columns_ = n_b + 1;
    outsides_.resize((n_a + 1) * columns_);
    lengths_.assign(n_a + 1, {});
    for (std::size_t m = 1; m <= n_a; ++m)
      for (std::size_t n = 1; n <= n_b; ++n) {
        const Number outside = prices.bag(n_a - m, n_b - n, 0);
        outsides_[m * columns_ + n] = outside;
        const Number inside = prices.bag(m, n, std::min(m, n));
        const Number matched = prices.bag(n_a - m, n_b - n, std::min(n_a - m, n_b - n));
        const Number least = inside + std::max<Number>(matched, outside - best_gain) + prices.inversion;
        if (least <= budget) lengths_[m] = lengths_[m].joined({n, n});
      }
  }

  std::size_t stride_ = 0;
  std::size_t columns_ = 0;
  std::vector<Cell> changes_;
  std::vector<Number> outsides_;
  std::vector<Lengths> lengths_;
};

}  // namespace tertium
