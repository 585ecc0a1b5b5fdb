// The input of a search for the inversion distance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/inversion/costs.hpp"
#include "tertium/inversion/walks.hpp"

namespace tertium {

// Words are numbered from 0 to n_names - 1; `before` has a lower bound for every pair of prefixes.
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

}  // namespace tertium
