// Names for (prefix, symbol) pairs of one sentence, faster than a hash table where both are few.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/base/dense_names.hpp"

namespace tertium {

// A map from (prefix name, symbol) to dense ids that is emptied in constant time: a plain table where
// prefixes x symbols is small, as it is for the characters of a sentence, else a hash table.
class PairNames {
 public:
  // Forgets every pair; from now on prefixes are below `prefixes` and symbols below `symbols`.
  void reset(std::size_t prefixes, std::size_t symbols) {
    width_ = symbols;
    direct_ = prefixes * symbols <= kDirectSlots;
    size_ = 0;
    if (!direct_) return hashed_.clear();
    if (table_.size() < prefixes * symbols) table_.resize(prefixes * symbols, 0);
    if (stamp_ > UINT64_MAX / 2) {
      std::fill(table_.begin(), table_.end(), 0);
      stamp_ = 0;
    }
    stamp_ += kStampStep;
  }

  std::int32_t find(std::int32_t prefix, std::int32_t symbol) const {
    if (!direct_) return hashed_.find(pair_key(prefix, symbol));
    const std::uint64_t slot = table_[place(prefix, symbol)];
    return slot >= stamp_ ? static_cast<std::int32_t>(slot - stamp_) : -1;
  }

  // The pair's id, given now if it is new.
  std::int32_t name(std::int32_t prefix, std::int32_t symbol) {
    if (!direct_) return hashed_.name(pair_key(prefix, symbol));
    std::uint64_t& slot = table_[place(prefix, symbol)];
    if (slot < stamp_) slot = stamp_ + static_cast<std::uint64_t>(size_++);
    return static_cast<std::int32_t>(slot - stamp_);
  }

 private:
  static constexpr std::size_t kDirectSlots = std::size_t{1} << 15;  // 256 kB: within a second-level cache
  static constexpr std::uint64_t kStampStep = std::uint64_t{1} << 32;

  std::size_t place(std::int32_t prefix, std::int32_t symbol) const {
    return static_cast<std::size_t>(prefix) * width_ + static_cast<std::size_t>(symbol);
  }
  DenseNames hashed_;
  std::vector<std::uint64_t> table_;  // stamp + id; an older stamp means empty
  std::uint64_t stamp_ = 0;
  std::size_t width_ = 0;
  std::int32_t size_ = 0;
  bool direct_ = true;
};

}  // namespace tertium
