// The statistics of word error rates, for any distance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"

namespace tertium {

// A row per segment: fewest edits over its references, and their average length. A Distance has
// distance(hypothesis, reference) and is made once per thread.
template <typename Distance>
void error_statistics(const TextPairs& pairs, std::size_t threads, std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, measure = Distance()](std::size_t i) mutable {
      std::size_t fewest = static_cast<std::size_t>(-1);
      for (const std::size_t r : pairs.references_of(i))
        fewest = std::min(fewest, measure.distance(pairs.hypothesis(i), pairs.reference(r)));
      rows[2 * i] = static_cast<double>(fewest);
      rows[2 * i + 1] = average_length(pairs.references, i);
    };
  });
}

}  // namespace tertium
