// The extended edit distance (Stanchev, Wang & Ney 2019, "EED: Extended Edit Distance Measure for Machine
// Translation") between sequences of characters: CDER's search with jumps at spaces only, and a coverage term
// for hypothesis positions that are visited several times or never. O(|h| x |r|).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"

namespace tertium {

struct ExtendedCosts {
  double deletion, insertion, substitution, jump;
};

// The formula of the paper and of the authors' EED.py.
struct ExtendedFormula {
  using Number = double;
  static constexpr std::size_t kFirstCovered = 0;
  static Number keep(Number minimum) { return minimum; }
};

// The authors' C++ program: single precision, the minimum of a row in an integer, and no coverage of the
// position before the first character.
struct ExtendedProgram {
  using Number = float;
  static constexpr std::size_t kFirstCovered = 1;
  static Number keep(Number minimum) { return std::trunc(minimum); }
};

// Keeps its rows between calls; one per thread.
template <typename Rules>
class ExtendedDistance {
 public:
  explicit ExtendedDistance(const ExtendedCosts& costs)
      : deletion_(static_cast<Number>(costs.deletion)),
        insertion_(static_cast<Number>(costs.insertion)),
        substitution_(static_cast<Number>(costs.substitution)),
        jump_(static_cast<Number>(costs.jump)) {}

  // Fills: the cost of the path, and the coverage term without its weight.
  void measure(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
               std::span<double> row) {
    row_.assign(hypothesis.size() + 1, 1);
    row_[0] = 0;
    visits_.assign(row_.size(), 0);
    for (const std::int32_t character : reference) {
      interrupts_.tick(row_.size() / 4 + 1);
      const std::size_t cheapest = advance(hypothesis, character);
      ++visits_[cheapest];
      if (character == ' ') {
        const Number limit = row_[cheapest] + jump_;
        for (auto& cost : row_) cost = std::min(cost, limit);
      }
    }
    row[0] = row_.back();
    row[1] = 0;
    for (const std::size_t n : std::span(visits_).subspan(Rules::kFirstCovered))
      row[1] += static_cast<double>(n == 0 ? 1 : n - 1);
  }

 private:
  using Number = typename Rules::Number;

  // Returns the position marked as visited after a character of the reference: the first of the cheapest.
  std::size_t advance(std::span<const std::int32_t> hypothesis, std::int32_t character) {
    Number diagonal = row_[0];
    row_[0] += 1;  // before the hypothesis there is nothing to insert after
    std::size_t cheapest = 0;
    Number minimum = Rules::keep(row_[0]);
    for (std::size_t i = 1; i < row_.size(); ++i) {
      const Number step = diagonal + (hypothesis[i - 1] == character ? Number(0) : substitution_);
      diagonal = row_[i];
      row_[i] = std::min({row_[i - 1] + deletion_, step, row_[i] + insertion_});
      if (row_[i] < minimum) {
        minimum = Rules::keep(row_[i]);
        cheapest = i;
      }
    }
    return cheapest;
  }

  Number deletion_, insertion_, substitution_, jump_;
  InterruptCheck interrupts_;
  std::vector<Number> row_;
  std::vector<std::size_t> visits_;
};

// A row per reference: the cost of the path, and the coverage term without its weight.
template <typename Rules>
void extended_statistics(const TextPairs& pairs, const ExtendedCosts& costs, std::size_t threads,
                         std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, distance = ExtendedDistance<Rules>(costs)](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        distance.measure(pairs.hypothesis(i), pairs.reference(r), rows.subspan(2 * r, 2));
    };
  });
}

}  // namespace tertium
