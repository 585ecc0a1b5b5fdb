// The bag-of-words distance max(|a|, |b|) - |a ∩ b|: the edits that remain when order is ignored, the
// numerator of the position-independent error rate (Tillmann et al. 1997). O(|a| + |b|).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/dense_ids.hpp"

namespace tertium {

// Keeps its tables between calls; one per thread.
class BagDistance {
 public:
  std::size_t distance(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    ids_.clear();
    left_.clear();
    for (const std::int32_t symbol : a) {
      const auto name = static_cast<std::size_t>(ids_.intern(static_cast<std::uint32_t>(symbol)));
      if (name == left_.size()) left_.push_back(0);
      ++left_[name];
    }
    std::size_t common = 0;
    for (const std::int32_t symbol : b) {
      const std::int32_t name = ids_.find(static_cast<std::uint32_t>(symbol));
      if (name >= 0 && left_[static_cast<std::size_t>(name)]-- > 0) ++common;
    }
    return std::max(a.size(), b.size()) - common;
  }

 private:
  DenseIds ids_;
  std::vector<std::int32_t> left_;
};

}  // namespace tertium
