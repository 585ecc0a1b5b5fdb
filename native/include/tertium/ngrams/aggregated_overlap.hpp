// Overlap of many candidates with the average of many references (reference aggregation: Vamvas & Sennrich
// 2024, "Linear-time Minimum Bayes Risk Decoding with Reference Aggregation"). The count of an n-gram in the
// average is the mean of its counts, so each text is read once: O(order x symbols) instead of one comparison
// per pair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/ngrams/lengths.hpp"

namespace tertium {

// Keeps its tables between calls; one per thread.
class AggregatedOverlap {
 public:
  // Reads the references of one source, which `reference(r)` returns, for r below `n`.
  template <typename Reference>
  void read(std::size_t n, std::size_t order, const Reference& reference) {
    const auto share = 1.0 / static_cast<double>(n);
    orders_.resize(order);
    totals_.assign(order, 0.0);
    for (auto& table : orders_) table.clear();
    for (std::size_t r = 0; r < n; ++r) {
      const auto text = reference(r);
      names_.assign(text.size(), 0);
      for (std::size_t k = 1; k <= order && k <= text.size(); ++k) {
        totals_[k - 1] += share * ngrams_of_order(text.size(), k);
        for (std::size_t i = 0; i + k <= text.size(); ++i) {
          names_[i] = orders_[k - 1].ids.intern(pair_key(names_[i], text[i + k - 1]));
          orders_[k - 1].add(names_[i], share);
        }
      }
    }
  }

  // Fills the row of one candidate: n-grams of the candidate, of the average reference, and matches, order by
  // order.
  void match(std::span<const std::int32_t> text, std::span<double> row) {
    names_.assign(text.size(), 0);
    for (std::size_t k = 1; k <= orders_.size(); ++k) {
      const double theirs = totals_[k - 1];
      row[3 * k - 3] = theirs > 0 ? ngrams_of_order(text.size(), k) : 0.0;
      row[3 * k - 2] = theirs;
      row[3 * k - 1] = k <= text.size() ? count_matches(text, k) : 0.0;
    }
  }

 private:
  struct Table {
    void clear() {
      ids.clear();
      counts.clear();
    }
    void add(std::int32_t name, double share) {
      if (static_cast<std::size_t>(name) == counts.size()) counts.push_back(0.0);
      counts[static_cast<std::size_t>(name)] += share;
    }
    DenseIds ids;
    std::vector<double> counts;  // mean number of occurrences in a reference
  };

  // An n-gram that occurs c times in the candidate matches min(c, mean) times.
  double count_matches(std::span<const std::int32_t> text, std::size_t k) {
    const Table& table = orders_[k - 1];
    seen_.assign(table.counts.size(), 0.0);
    double matches = 0;
    for (std::size_t i = 0; i + k <= text.size(); ++i) {
      if (names_[i] < 0) continue;  // its beginning occurs in no reference
      names_[i] = table.ids.find(pair_key(names_[i], text[i + k - 1]));
      if (names_[i] < 0) continue;
      const auto name = static_cast<std::size_t>(names_[i]);
      matches += std::clamp(table.counts[name] - seen_[name], 0.0, 1.0);
      seen_[name] += 1.0;
    }
    return matches;
  }

  std::vector<Table> orders_;
  std::vector<double> totals_, seen_;
  std::vector<std::int32_t> names_;  // of the n-gram at each position
};

// A row per hypothesis. Source s has the hypotheses of group s of one column and the references of group s of
// the other.
inline void aggregated_overlap_statistics(const GroupedColumn& hypotheses, const GroupedColumn& references,
                                          std::size_t order, std::size_t threads, std::span<double> rows) {
  const std::size_t width = 3 * order;
  parallel_for(hypotheses.groups.size() - 1, threads, [&] {
    return [&, overlap = AggregatedOverlap()](std::size_t s) mutable {
      const auto first = static_cast<std::size_t>(references.groups[s]);
      const auto n = static_cast<std::size_t>(references.groups[s + 1]) - first;
      overlap.read(n, order, [&](std::size_t r) { return references.column[first + r]; });
      for (auto h = static_cast<std::size_t>(hypotheses.groups[s]);
           h < static_cast<std::size_t>(hypotheses.groups[s + 1]); ++h)
        overlap.match(hypotheses.column[h], rows.subspan(h * width, width));
    };
  });
}

}  // namespace tertium
