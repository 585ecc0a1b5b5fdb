// What PERM-BOTH over groups of cells is given, and what it adds up.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/stats/mixed_sums.hpp"

namespace tertium {

// Cells group by group: `human` (cells), `scores` (metrics x cells), group i at [offsets[i], offsets[i + 1]),
// and `kept` (samples x cells), zeros and ones.
struct GroupedCells {
  std::span<const double> human, scores;
  std::span<const std::int64_t> offsets;
  std::span<const std::uint8_t> kept;
  std::size_t metrics, samples;

  std::size_t cells() const { return human.size(); }
  std::size_t groups() const { return offsets.size() - 1; }
  std::size_t begin(std::size_t group) const { return static_cast<std::size_t>(offsets[group]); }
  std::span<const double> row(std::size_t metric, std::size_t group) const {
    return scores.subspan(metric * cells() + begin(group), begin(group + 1) - begin(group));
  }
};

// Sums of the coefficients of some samples' mixtures, and how many groups had one; with room for a multiple
// of four samples.
class MixtureSums {
 public:
  explicit MixtureSums(std::size_t samples)
      : padded_((samples + 3) / 4 * 4), sums_(2 * padded_), counts_(2 * padded_) {}

  TERTIUM_INLINE void add(std::size_t sample, const BothValues& values) {
    for (std::size_t j = 0; j < 2; ++j) {
      const bool exists = !std::isnan(values[j]);
      sums_[j * padded_ + sample] += exists ? values[j] : 0;
      counts_[j * padded_ + sample] += exists;
    }
  }

  MixturePlaces places(std::size_t sample) {
    return {{&sums_[sample], &sums_[padded_ + sample]}, {&counts_[sample], &counts_[padded_ + sample]}};
  }

  double difference(std::size_t sample) const {
    const std::size_t other = padded_ + sample;
    if (!(counts_[sample] > 0 && counts_[other] > 0)) return 0.0;
    return sums_[sample] / counts_[sample] - sums_[other] / counts_[other];
  }

 private:
  std::size_t padded_;
  std::vector<double> sums_, counts_;  // (2 x samples), of mixtures and of their opposites
};

struct SampleRange {
  std::size_t first, last;
};

}  // namespace tertium
