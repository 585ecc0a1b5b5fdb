// The inversion edit distance (Leusch, Ueffing & Ney 2003) between sequences of ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion_search.hpp"
#include "tertium/levenshtein.hpp"

namespace tertium {

template <typename Cell>
class InversionSolver {
 public:
  using Number = typename CellTraits<Cell>::Number;
  using Ids = std::span<const std::int32_t>;

  // a, b: dense names
  Number distance(Ids a, Ids b, std::size_t n_names, const Prices<Number>& prices, std::size_t max_bytes) {
    bound(a, b, n_names, prices);
    Number most = levenshtein_.back();
    const Number least = bag_.back();
    if (most <= least + prices.inversion) return most;
    for (Number budget = least + prices.inversion; budget < most; budget += prices.smallest_positive()) {
      ++passes;
      const Number found = search_.run({a, b, n_names, prices, before_}, {budget, a.size(), max_bytes});
      if (found <= budget) return found;
    }
    return most;
  }
  std::size_t passes = 0;
  InversionSearch<Cell> search_;

 private:
  void bound(Ids a, Ids b, std::size_t n_names, const Prices<Number>& prices) {
    const std::size_t columns = b.size() + 1;
    levenshtein_.resize((a.size() + 1) * columns);
    bag_.resize(levenshtein_.size());
    before_.resize(levenshtein_.size());
    left_.assign(n_names, 0);
    for (std::size_t i = 0; i <= a.size(); ++i) {
      if (i > 0) ++left_[static_cast<std::size_t>(a[i - 1])];
      seen_.assign(n_names, 0);
      std::size_t common = 0;
      for (std::size_t j = 0; j <= b.size(); ++j) {
        if (j > 0) common += ++seen_[static_cast<std::size_t>(b[j - 1])] <= left_[static_cast<std::size_t>(b[j - 1])];
        Number cost = i == 0 && j == 0 ? Number{0} : std::numeric_limits<Number>::max();
        const std::size_t at = i * columns + j;
        if (i > 0) cost = std::min<Number>(cost, levenshtein_[at - columns] + prices.deletion);
        if (j > 0) cost = std::min<Number>(cost, levenshtein_[at - 1] + prices.insertion);
        if (i > 0 && j > 0)
          cost = std::min<Number>(cost, levenshtein_[at - columns - 1] + (a[i - 1] == b[j - 1] ? 0 : prices.substitution));
        levenshtein_[at] = cost;
        bag_[at] = prices.bag(i, j, common);
        before_[at] = std::min<Number>(cost, bag_[at] + prices.inversion);
      }
    }
  }
  std::vector<Number> levenshtein_, bag_, before_;
  std::vector<std::size_t> left_, seen_;
};

}  // namespace tertium
