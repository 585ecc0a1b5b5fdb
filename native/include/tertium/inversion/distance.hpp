// The inversion edit distance (Leusch, Ueffing & Ney 2003) between sequences of ids: Levenshtein's edits,
// and swaps of neighbouring blocks, which may be nested but never cross. Exact for any costs; at worst
// O(I^3 J^3), on sentences far less (see search.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/inversion/solver.hpp"

namespace tertium {

// Keeps its tables between calls; one per thread.
class InversionDistance {
 public:
  using Ids = std::span<const std::int32_t>;
  using Steps = std::vector<DerivationStep>;

  explicit InversionDistance(const InversionOptions& options)
      : options_(options), scale_(whole_scale(options.costs)) {}

  InversionOutcome distance(Ids a, Ids b) {
    InversionOutcome outcome{};
    solve(a, b, [&](auto& solver, const auto& solution, double scale) {
      outcome = {static_cast<double>(solution.cost) / scale, solution.exactness};
      solver.release();
    });
    return outcome;
  }

  // One of the cheapest derivations, from left to right in a; throws SearchTooLarge beyond the memory budget.
  Steps derivation(Ids a, Ids b) {
    Steps steps;
    solve(a, b, [&](auto& solver, const auto& solution, double) {
      if (solution.exactness != Exactness::exact) throw SearchTooLarge();
      steps = solver.trace(solution, options_.max_bytes);
      solver.release();
    });
    return steps;
  }

 private:
  // Numbers the words from 0 and chooses the narrowest cells in which the costs add up exactly.
  template <typename Take>
  void solve(Ids a, Ids b, const Take& take) {
    ids_.clear();
    name(a, a_);
    name(b, b_);
    const InversionCosts& costs = options_.costs;
    const double scale = scale_ > 0 ? scale_ : 1;
    const Prices<double> prices{costs.insertion * scale, costs.deletion * scale, costs.substitution * scale,
                                costs.inversion * scale};
    const bool fits =
        prices.unmatched(a.size(), b.size()) + prices.substitution + prices.inversion < kLargestSum;
    if (scale_ > 0 && fits)
      solve_with(narrow_, rounded(prices), scale, take);
    else
      solve_with(wide_, prices, scale, take);
  }

  template <typename Solver, typename Number, typename Take>
  void solve_with(Solver& solver, const Prices<Number>& prices, double scale, const Take& take) {
    take(solver, solver.solve(a_, b_, static_cast<std::size_t>(ids_.size()), prices, options_), scale);
  }

  static Prices<std::int32_t> rounded(const Prices<double>& prices) {
    const auto round = [](double price) { return static_cast<std::int32_t>(std::lround(price)); };
    return {round(prices.insertion), round(prices.deletion), round(prices.substitution),
            round(prices.inversion)};
  }

  void name(Ids words, std::vector<std::int32_t>& named) {
    named.clear();
    for (const std::int32_t word : words) named.push_back(ids_.intern(static_cast<std::uint32_t>(word)));
  }

  static constexpr double kLargestSum = 9'000;  // well below the value of an empty 16-bit cell
  InversionOptions options_;
  int scale_;
  DenseIds ids_;
  std::vector<std::int32_t> a_;
  std::vector<std::int32_t> b_;
  InversionSolver<std::int16_t> narrow_;
  InversionSolver<double> wide_;
};

// Fills a row per segment: the least cost over its references, their average length, and whether that cost is
// exact (0) or only a bound (1). Returns the index of the first segment that exceeds the limits, or the
// number of segments; the rows from that segment on are undefined.
inline std::size_t inversion_statistics(const TextPairs& pairs, const InversionOptions& options,
                                        std::size_t threads, std::span<double> rows) {
  std::atomic<std::size_t> refused{pairs.size()};
  parallel_for(pairs.size(), threads, [&] {
    return [&, measure = InversionDistance(options)](std::size_t i) mutable {
      if (i > refused.load()) return;
      double* const row = &rows[3 * i];
      row[0] = std::numeric_limits<double>::infinity();
      row[1] = average_length(pairs.references, i);
      row[2] = 0;
      for (const std::size_t r : pairs.references_of(i)) {
        const auto [cost, exactness] = measure.distance(pairs.hypothesis(i), pairs.reference(r));
        row[0] = std::min(row[0], cost);
        if (exactness == Exactness::bound) row[2] = 1;
        if (exactness != Exactness::refused) continue;
        for (std::size_t first = refused.load(); i < first && !refused.compare_exchange_weak(first, i);) {
        }
      }
    };
  });
  return refused.load();
}

}  // namespace tertium
