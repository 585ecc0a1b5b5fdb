// The positions of each symbol of a long sequence as 64-bit masks. Only groups of 64 positions in which a
// symbol occurs are stored, so memory is linear in the length.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tertium/base/dense_ids.hpp"

namespace tertium {

class SparseMasks {
 public:
  using Bits = std::uint64_t;

  struct Place {
    std::size_t word;
    Bits bits;  // never 0
  };

  // The positions of one symbol, 64 at a time: at() is called with w = 0, 1, 2 and so on.
  struct Row {
    Bits at(std::size_t w) { return next != end && next->word == w ? (next++)->bits : 0; }

    const Place* next = nullptr;
    const Place* end = nullptr;
  };

  void index(std::span<const std::int32_t> pattern) {
    ids_.clear();
    begins_.assign(1, 0);
    for (const std::int32_t symbol : pattern) {
      const auto name = static_cast<std::size_t>(ids_.intern(static_cast<std::uint32_t>(symbol)));
      if (name + 2 > begins_.size()) begins_.push_back(0);
      ++begins_[name + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    n_places_.assign(begins_.size(), 0);
    places_.resize(pattern.size());
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const auto name = static_cast<std::size_t>(ids_.find(static_cast<std::uint32_t>(pattern[i])));
      Place* const places = &places_[begins_[name]];
      std::size_t& n = n_places_[name];
      if (n == 0 || places[n - 1].word != i / 64) places[n++] = {i / 64, 0};
      places[n - 1].bits |= Bits{1} << (i % 64);
    }
  }

  Row row(std::int32_t symbol) const {
    const std::int32_t name = ids_.find(static_cast<std::uint32_t>(symbol));
    if (name < 0) return {};
    const Place* const first = places_.data() + begins_[static_cast<std::size_t>(name)];
    return {first, first + n_places_[static_cast<std::size_t>(name)]};
  }

 private:
  DenseIds ids_;
  std::vector<std::size_t> begins_, n_places_;  // per symbol: its range in places_
  std::vector<Place> places_;
};

}  // namespace tertium
