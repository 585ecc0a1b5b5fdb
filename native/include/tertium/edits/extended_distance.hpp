// The extended edit distance (Stanchev, Wang & Ney 2019, "EED: Extended Edit Distance Measure for Machine
// Translation") between sequences of characters: CDER's search with jumps at spaces only, and a coverage term
// for hypothesis positions that are visited several times or never. O(|h| x |r|).
#pragma once

#include <algorithm>
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

// Keeps its rows between calls; one per thread.
class ExtendedDistance {
 public:
  explicit ExtendedDistance(const ExtendedCosts& costs) : costs_(costs) {}

  // Fills: the cost of the path, and the coverage term without its weight.
  void measure(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
               std::span<double> row) {
    row_.assign(hypothesis.size() + 1, 1.0);
    row_[0] = 0;
    visits_.assign(row_.size(), 0);
    for (const std::int32_t character : reference) {
      interrupts_.tick(row_.size() / 4 + 1);
      const std::size_t cheapest = advance(hypothesis, character);
      ++visits_[cheapest];
      if (character == ' ') {
        const double limit = row_[cheapest] + costs_.jump;
        for (auto& cost : row_) cost = std::min(cost, limit);
      }
    }
    row[0] = row_.back();
    row[1] = 0;
    for (const std::size_t n : visits_) row[1] += static_cast<double>(n == 0 ? 1 : n - 1);
  }

 private:
  // Returns the first of the cheapest positions after a character of the reference.
  std::size_t advance(std::span<const std::int32_t> hypothesis, std::int32_t character) {
    double diagonal = row_[0];
    row_[0] += 1.0;  // before the hypothesis there is nothing to insert after
    std::size_t cheapest = 0;
    for (std::size_t i = 1; i < row_.size(); ++i) {
      const double step = diagonal + (hypothesis[i - 1] == character ? 0.0 : costs_.substitution);
      diagonal = row_[i];
      row_[i] = std::min({row_[i - 1] + costs_.deletion, step, row_[i] + costs_.insertion});
      if (row_[i] < row_[cheapest]) cheapest = i;
    }
    return cheapest;
  }

  ExtendedCosts costs_;
  InterruptCheck interrupts_;
  std::vector<double> row_;
  std::vector<std::size_t> visits_;
};

// A row per reference: the cost of the path, and the coverage term without its weight.
inline void extended_statistics(const TextPairs& pairs, const ExtendedCosts& costs, std::size_t threads,
                                std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, distance = ExtendedDistance(costs)](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        distance.measure(pairs.hypothesis(i), pairs.reference(r), rows.subspan(2 * r, 2));
    };
  });
}

}  // namespace tertium
