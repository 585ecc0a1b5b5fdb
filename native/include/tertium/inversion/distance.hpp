// The inversion edit distance (Leusch, Ueffing & Ney 2003) between sequences of ids: Levenshtein's edits,
// and swaps of neighbouring blocks, which may be nested but never cross. Exact for any costs; at worst
// O(I^3 J^3), on sentences far less (see search.hpp). Bounds come first, and a search only if they leave a
// gap: a quick one for a good derivation, then an exact one for anything cheaper.
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
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/inversion/derivation.hpp"
#include "tertium/inversion/search.hpp"

namespace tertium {

struct InversionOptions {
  InversionCosts costs;
  std::size_t max_bytes = 0;             // of one search
  std::uint64_t max_steps = UINT64_MAX;  // of all searches of one pair
  bool bound_beyond = false;             // beyond that, return an upper bound instead of an error
};

enum class Exactness { exact, bound, refused };

struct InversionOutcome {
  double cost;
  Exactness exactness;
};

// Solves pairs whose costs add up exactly in one type of cell.
template <typename Cell>
class InversionSolver {
 public:
  using Search = InversionSearch<Cell>;
  using Number = typename Search::Number;
  using Ids = typename Search::Ids;

  struct Solution {
    Number cost;
    Exactness exactness;
  };

  // The solution is between a lower bound and Levenshtein's distance. A derivation with an inversion costs at
  // least the bag bound plus the inversion, so if the bounds are close no search is needed.
  Solution solve(Ids a, Ids b, std::size_t n_names, const Prices<Number>& prices,
                 const InversionOptions& options) {
    problem_ = {a, b, n_names, prices, {}, 0, nullptr};
    best_ = bound_pair();
    if (!takes_shortcuts()) return search_all();
    if (best_ <= least_ + prices.inversion) return {best_, Exactness::exact};
    limits_ = {0, a.size(), options.max_bytes};
    search_.allow(options.max_steps);
    try {
      prepare_search(options.max_bytes);
      if (search_nearby()) return {best_, Exactness::exact};
      draft();
      if (largest_useful(best_) >= least_) search(largest_useful(best_), 1);
      return {best_, Exactness::exact};
    } catch (const SearchTooLarge&) {
      if (!options.bound_beyond) return {best_, Exactness::refused};
      search_short_blocks(options.max_steps);
      return {best_, Exactness::bound};
    }
  }

  // The steps of the last solution, from new tables: those of an exact search only hold cheaper derivations.
  std::vector<DerivationStep> trace(const Solution& solution, std::size_t max_bytes) {
    search_.allow(UINT64_MAX);
    const bool inverts = solution.cost < problem_.levenshtein || !takes_shortcuts();
    const Number budget = takes_shortcuts() ? at_most(solution.cost) : largest_budget();
    search_.run(problem_, {budget, inverts ? problem_.a.size() : 0, max_bytes});
    return InversionTrace(search_, problem_).steps();
  }

  void release() { search_.release(); }

 private:
  static std::int32_t at_most(std::int32_t cost) { return cost; }
  static double at_most(double cost) { return cost * (1 + 1e-12); }  // sums may round either way
  static std::int32_t largest_useful(std::int32_t most) { return most - 1; }
  static double largest_useful(double most) { return at_most(most); }
  // The least cost that a search up to `budget` has not ruled out.
  static std::int32_t next_after(std::int32_t budget) { return budget + 1; }
  static double next_after(double budget) { return budget; }
  // The smallest price that is at least this many parts.
  static std::int32_t whole(std::int32_t parts) { return (parts + kParts<Number> - 1) / kParts<Number>; }
  static double whole(double cost) { return cost * (1 - 1e-9); }

  // One search with nothing that leaves out blocks, for tests.
  Solution search_all() {
    before_.assign((problem_.a.size() + 1) * row_.size(), 0);
    problem_.before = before_;
    limits_ = {largest_budget(), problem_.a.size(), SIZE_MAX};
    search_.allow(UINT64_MAX);
    return {search_.run(problem_, limits_), Exactness::exact};
  }
  // No derivation is so expensive, nor is a block, its outside without common words and an inversion.
  Number largest_budget() const {
    return problem_.prices.unmatched(problem_.a.size(), problem_.b.size()) + problem_.prices.inversion;
  }

  // Lowers the cheapest cost seen if possible; returns whether it is within the budget.
  bool search(Number budget, double trust) {
    limits_.budget = budget;
    limits_.trust = trust;
    best_ = std::min(best_, search_.run(problem_, limits_));
    return best_ <= budget;
  }

  // An exact search for the least costs that the bounds allow: quick, and often enough on short sentences.
  bool search_nearby() {
    const auto& prices = problem_.prices;
    const Number budget = least_ + std::max<Number>(0, prices.exchange() - prices.smallest_positive());
    if (budget >= largest_useful(best_)) return false;
    if (search(budget, 1)) return true;
    least_ = next_after(budget);
    return false;
  }

  // The numbers here and in bound_order() decide only how long a pair takes; benchmarks/bench_invwer.py times
  // sentences with them.
  //
  // Searches with exaggerated lower bounds: they visit far less, and on sentences nearly always find the best
  // derivation, so that the exact search only has to show that nothing is cheaper.
  void draft() {
    const double unit = static_cast<double>(problem_.prices.exchange());
    const double gap = static_cast<double>(best_ - least_);
    if (least_ <= 0 || gap < 2 * unit) return;
    bool found = false;
    for (double share = 0.35; !found && share < 1;
         share += 0.15) {  // on sentences the answer is in this range
      const Number budget = least_ + static_cast<Number>(share * gap);
      if (budget > largest_useful(best_)) break;
      found = draft(budget, 1.25 * unit);
    }
    Number known;
    do {  // wider drafts cost little compared with an exact search that has far to go, and may shorten it
      known = best_;
      const double slack = 0.15 * static_cast<double>(largest_useful(best_) - least_);
      if (slack < 1.5 * unit) return;
      draft(largest_useful(best_), slack);
    } while (best_ < known);
  }

  // Exaggerates the bounds until that of the whole pair is `slack` below the budget.
  bool draft(Number budget, double slack) {
    const double bound = static_cast<double>(chains_.best()) / static_cast<double>(kParts<Number>);
    if (bound <= 0) return false;
    return search(budget, std::max(1.0, (static_cast<double>(budget) - slack) / bound));
  }

  // Searches inversions of fewer and fewer words until their tables and steps fit: each of them can only
  // lower the bound.
  void search_short_blocks(std::uint64_t max_steps) {
    if (problem_.before.empty()) return;
    while ((limits_.longest /= 2) > 0) try {
        search_.allow(max_steps);
        search(largest_useful(best_), 1);
        return;
      } catch (const SearchTooLarge&) {
      }
  }

  // Levenshtein's distance and the bag bound of the whole pair, in the memory of one row.
  Number bound_pair() {
    row_.resize(problem_.b.size() + 1);
    copies_.assign(problem_.n_names, 0);
    for (std::size_t i = 0; i <= problem_.a.size(); ++i) next_row(i);
    bound_row(problem_.a.size(), nullptr);
    return problem_.levenshtein = row_.back();
  }

  // Computes the bounds that only a search needs; throws at once if the search could never fit.
  void prepare_search(std::size_t max_bytes) {
    bound_prefixes(max_bytes);
    least_ += problem_.prices.inversion;
    if (Search::least_bytes(problem_.a.size(), row_.size(), problem_.a.size()) > max_bytes)
      throw SearchTooLarge();
    bound_order();
  }

  // Raises the lower bound by the order of words, until it shows that nothing is cheaper than Levenshtein's
  // distance.
  void bound_order() {
    chains_.prepare(problem_.a, problem_.b, problem_.prices);
    const double most = static_cast<double>(kParts<Number>) * static_cast<double>(best_);
    double step_size = 1;
    // With smaller and smaller steps. Their number trades their own time against that of the search, which
    // grows faster.
    // At least 12 rounds, more for long sentences.
    const std::size_t rounds = std::max<std::size_t>(12, (problem_.a.size() + problem_.b.size()) / 3);
    for (std::size_t round = 0; round < rounds && least_ <= largest_useful(best_);
         ++round, step_size *= 0.96) {
      search_.spend(problem_.a.size() * row_.size() / kLanes<Cell>);
      interrupt_check_.tick(problem_.a.size() * row_.size());
      if (!chains_.raise((static_cast<double>(chains_.best()) + most) / 2, step_size)) break;
      least_ = std::max(least_, whole(chains_.best()));
    }
    if (least_ > largest_useful(best_)) return;
    walks_.read(chains_, problem_.a, problem_.b);
    problem_.walks = &walks_;
  }

  // A prefix pair costs its Levenshtein distance, or at least its bag bound and an inversion.
  void bound_prefixes(std::size_t max_bytes) {
    const std::size_t cells = (problem_.a.size() + 1) * row_.size();
    if (cells > max_bytes / sizeof(Number)) throw SearchTooLarge();
    before_.resize(cells);
    copies_.assign(problem_.n_names, 0);
    for (std::size_t i = 0; i <= problem_.a.size(); ++i) {
      next_row(i);
      bound_row(i, &before_[i * row_.size()]);
    }
    problem_.before = before_;
  }

  // row_[j]: Levenshtein distance of a[0, i) and b[0, j); copies_: the words of a[0, i).
  void next_row(std::size_t i) {
    if (i > 0) ++copies_[static_cast<std::size_t>(problem_.a[i - 1])];
    interrupt_check_.tick(row_.size());
    const auto& prices = problem_.prices;
    Number diagonal = row_[0];
    row_[0] = prices.unmatched(i, 0);
    for (std::size_t j = 1; j < row_.size(); ++j) {
      Number cost = row_[j - 1] + prices.insertion;
      if (i > 0) {
        const Number change = problem_.a[i - 1] == problem_.b[j - 1] ? Number{0} : prices.substitution;
        cost = std::min({cost, row_[j] + prices.deletion, diagonal + change});
      }
      diagonal = row_[j];
      row_[j] = cost;
    }
  }

  void bound_row(std::size_t i, Number* out) {
    seen_.assign(copies_.size(), 0);
    std::size_t common = 0;
    for (std::size_t j = 0; j < row_.size(); ++j) {
      if (j > 0) {
        const auto word = static_cast<std::size_t>(problem_.b[j - 1]);
        common += ++seen_[word] <= copies_[word];
      }
      least_ = problem_.prices.bag(i, j, common);
      if (out != nullptr) out[j] = std::min<Number>(row_[j], least_ + problem_.prices.inversion);
    }
  }

  InterruptCheck interrupt_check_;
  Search search_;
  typename Search::Problem problem_{};
  typename Search::Limits limits_{};
  Number least_{};  // the lower bound of the whole pair
  Number best_{};   // the cheapest derivation seen
  ChainPair<Number> chains_;
  PairWalks<Number> walks_;
  std::vector<Number> before_;
  std::vector<Number> row_;
  std::vector<std::size_t> copies_;
  std::vector<std::size_t> seen_;
};

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
