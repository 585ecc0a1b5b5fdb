// One pair's inversion edit distance (Leusch, Ueffing & Ney 2003): bounds first, a search only where they
// leave room, with a budget that rises until the answer lies within it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/inversion/search.hpp"
#include "tertium/inversion/trace.hpp"

namespace tertium {

struct InversionOptions {
  InversionCosts costs;
  std::size_t max_bytes = 0;             // of one search
  std::uint64_t max_steps = UINT64_MAX;  // of all searches of one pair
  bool bound_beyond = false;             // beyond that: an upper bound instead of nothing
};

enum class Exactness { exact, bound, refused };

struct InversionOutcome {
  double cost;
  Exactness exactness;
};

// Solves pairs whose costs add up in one kind of cell.
template <typename Cell>
class InversionSolver {
 public:
  using Search = InversionSearch<Cell>;
  using Number = typename Search::Number;
  using Ids = typename Search::Ids;

  struct Solution {
    Number cost;
    Exactness exactness;
    bool searched;  // the search's tables hold its derivation
  };

  // Between the bag's lower and Levenshtein's upper bound; a derivation with an inversion costs at least
  // the lower one and the inversion, so nearby bounds need no search. Otherwise the assumed answer
  // rises from halfway between them, since a small budget prunes more than repeated searches cost.
  Solution solve(Ids a, Ids b, std::size_t n_names, const Prices<Number>& prices,
                 const InversionOptions& options) {
    problem_ = {a, b, n_names, prices, {}, 0};
    const Number most = bound_pair();
    if (most <= least_ + prices.inversion) return {most, Exactness::exact, false};
    const Number last = largest_useful(most);
    const Number first = least_ + prices.inversion;
    const Number step = std::max<Number>(prices.smallest_positive(), (most - least_) / 8);
    typename Search::Limits limits{first + (last - first) / 2, a.size(), options.max_bytes};
    Number found = most;  // the cheapest derivation seen
    search_.allow(options.max_steps);
    try {
      bound_prefixes(options.max_bytes);
      for (;; limits.budget += step) {
        limits.budget = std::min({limits.budget, last, largest_useful(found)});
        found = search_.run(problem_, limits);
        if (found < most && (found <= limits.budget || is_next(limits.budget, found)))
          return {found, Exactness::exact, true};
        if (limits.budget >= last) return {most, Exactness::exact, false};
      }
    } catch (const SearchTooLarge&) {
      if (!options.bound_beyond) return {most, Exactness::refused, false};
      return {std::min(found, search_short_blocks(limits, options.max_steps)), Exactness::bound, false};
    }
  }

  // Steps of the solution just found, from the search's tables or, without inversions, from new ones.
  std::vector<DerivationStep> trace(const Solution& solution, std::size_t max_bytes) {
    search_.allow(UINT64_MAX);
    if (!solution.searched) search_.run(problem_, {0, 0, max_bytes});
    return InversionTrace(search_, problem_).steps();
  }

  void release() { search_.release(); }

 private:
  static std::int32_t largest_useful(std::int32_t most) { return most - 1; }
  static double largest_useful(double most) { return most * (1 + 1e-12); }  // sums may round either way
  // Whether no cost lies between a budget that was too small and what was found beyond it.
  static bool is_next(std::int32_t budget, std::int32_t found) { return found == budget + 1; }
  static bool is_next(double, double) { return false; }

  // Inversions of ever fewer words until their tables and steps fit: any of them only lowers the bound.
  Number search_short_blocks(typename Search::Limits limits, std::uint64_t max_steps) {
    if (problem_.before.empty()) return problem_.levenshtein;
    while ((limits.longest /= 2) > 0) try {
        search_.allow(max_steps);
        return search_.run(problem_, limits);
      } catch (const SearchTooLarge&) {
      }
    return problem_.levenshtein;
  }

  // Levenshtein's distance and the bag bound of the whole pair, in the memory of one row.
  Number bound_pair() {
    row_.resize(problem_.b.size() + 1);
    copies_.assign(problem_.n_names, 0);
    for (std::size_t i = 0; i <= problem_.a.size(); ++i) next_row(i);
    bound_row(problem_.a.size(), nullptr);
    return problem_.levenshtein = row_.back();
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
    pace_.spend(row_.size());
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

  Pace pace_;
  Search search_;
  typename Search::Problem problem_{};
  Number least_{};  // the bag bound of the whole pair
  std::vector<Number> before_;
  std::vector<Number> row_;
  std::vector<std::size_t> copies_;
  std::vector<std::size_t> seen_;
};

}  // namespace tertium
