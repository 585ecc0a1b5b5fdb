// Reads one of the cheapest derivations off the tables of an inversion distance: from each point, it takes
// the step that gives the cost in the table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tertium/inversion/search.hpp"

namespace tertium {

enum class DerivationEdit : std::int32_t { match, substitution, deletion, insertion, inversion };
inline constexpr std::string_view kDerivationEditNames[] = {"match", "substitution", "deletion", "insertion",
                                                            "inversion"};

// An edit of a[i0, i1) x b[j0, j1). An inversion is followed by the steps of its left part
// a[i0, i) x b[j, j1) and then by those of its right part a[i, i1) x b[j0, j).
struct DerivationStep {
  DerivationEdit edit;
  std::size_t i0, i1, j0, j1;
  std::size_t i = 0, j = 0;
};

// The steps as rows of seven numbers: edit, i0, i1, j0, j1, i, j.
inline constexpr std::size_t kStepWidth = 7;
inline std::vector<std::int32_t> rows_of(std::span<const DerivationStep> steps) {
  std::vector<std::int32_t> rows;
  for (const DerivationStep& step : steps)
    for (const std::size_t number :
         {static_cast<std::size_t>(step.edit), step.i0, step.i1, step.j0, step.j1, step.i, step.j})
      rows.push_back(static_cast<std::int32_t>(number));
  return rows;
}

// Reads the tables of a search that has found the distance. Of equally cheap steps it prefers a match,
// then a substitution, a deletion, an insertion, and an inversion last.
template <typename Cell>
class InversionTrace {
 public:
  using Number = typename CellTraits<Cell>::Number;
  using Problem = typename InversionSearch<Cell>::Problem;

  InversionTrace(const InversionSearch<Cell>& search, const Problem& problem)
      : search_(search),
        rest_(search.outside_inversions()),
        a_(problem.a),
        b_(problem.b),
        prices_(problem.prices) {}

  std::vector<DerivationStep> steps() {
    for (std::size_t i = 0, j = 0; i < a_.size() || j < b_.size();) {
      const DerivationStep step = next_step(i, j);
      i = step.i1;
      j = step.j1;
      add(step);
    }
    return std::move(steps_);
  }

 private:
  void add(DerivationStep step) {
    if (step.edit == DerivationEdit::inversion) std::tie(step.i, step.j) = cheapest_split(step);
    steps_.push_back(step);
    if (step.edit != DerivationEdit::inversion) return;
    add_part(step.i0, step.i, step.j, step.j1);
    add_part(step.i, step.i1, step.j0, step.j);
  }

  // The step outside every inversion from (i, j) on.
  DerivationStep next_step(std::size_t i, std::size_t j) const {
    const auto leap = rest_.leap(i, j);
    if (leap.i > 0) return {DerivationEdit::inversion, i, leap.i, j, leap.j};
    const bool more_a = i < a_.size();
    const bool more_b = j < b_.size();
    Choice choice;
    if (more_a && more_b)
      choice.offer({change(i, j), i, i + 1, j, j + 1}, rest_.rest(i + 1, j + 1) + price(i, j));
    if (more_a)
      choice.offer({DerivationEdit::deletion, i, i + 1, j, j}, rest_.rest(i + 1, j) + prices_.deletion);
    if (more_b)
      choice.offer({DerivationEdit::insertion, i, i, j, j + 1}, rest_.rest(i, j + 1) + prices_.insertion);
    return choice.step;
  }

  // The steps of a[i0, i1) x b[j0, j1), read from their end.
  void add_part(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) {
    std::vector<DerivationStep> backwards;
    while (i1 > i0 || j1 > j0) {
      backwards.push_back(last_step(i0, i1, j0, j1));
      i1 = backwards.back().i0;
      j1 = backwards.back().j0;
    }
    for (; !backwards.empty(); backwards.pop_back()) add(backwards.back());
  }

  DerivationStep last_step(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) const {
    const auto& tables = search_.tables();
    Choice choice;
    if (i1 > i0 && j1 > j0)
      choice.offer({change(i1 - 1, j1 - 1), i1 - 1, i1, j1 - 1, j1},
                   tables.at(i0, i1 - 1, j0, j1 - 1) + price(i1 - 1, j1 - 1));
    if (i1 > i0)
      choice.offer({DerivationEdit::deletion, i1 - 1, i1, j1, j1},
                   tables.at(i0, i1 - 1, j0, j1) + prices_.deletion);
    if (j1 > j0)
      choice.offer({DerivationEdit::insertion, i1, i1, j1 - 1, j1},
                   tables.at(i0, i1, j0, j1 - 1) + prices_.insertion);
    for (std::size_t i = i0; i < i1; ++i)
      for (std::size_t j = j0; j < j1; ++j)
        for (const auto& inversion : search_.inversions(i, j))
          if (inversion.i == i1 && inversion.j == j1)
            choice.offer({DerivationEdit::inversion, i, i1, j, j1}, tables.at(i0, i, j0, j) + inversion.cost);
    return choice.step;
  }

  std::pair<std::size_t, std::size_t> cheapest_split(const DerivationStep& step) const {
    const auto& tables = search_.tables();
    Choice choice;
    for (std::size_t i = step.i0 + 1; i < step.i1; ++i)
      for (std::size_t j = step.j0 + 1; j < step.j1; ++j)
        choice.offer({DerivationEdit::inversion, i, i, j, j},
                     Number{tables.at(step.i0, i, j, step.j1)} + tables.at(i, step.i1, step.j0, j));
    return {choice.step.i0, choice.step.j0};
  }

  struct Choice {  // the first of the cheapest steps offered
    DerivationStep step{};
    Number cost = std::numeric_limits<Number>::max();
    void offer(const DerivationStep& other, Number price) {
      if (price >= cost) return;
      step = other;
      cost = price;
    }
  };

  DerivationEdit change(std::size_t i, std::size_t j) const {
    return a_[i] == b_[j] ? DerivationEdit::match : DerivationEdit::substitution;
  }
  Number price(std::size_t i, std::size_t j) const {
    return a_[i] == b_[j] ? Number{0} : prices_.substitution;
  }

  const InversionSearch<Cell>& search_;
  const RestTable<Number>& rest_;
  std::span<const std::int32_t> a_;
  std::span<const std::int32_t> b_;
  Prices<Number> prices_;
  std::vector<DerivationStep> steps_;
};

}  // namespace tertium
