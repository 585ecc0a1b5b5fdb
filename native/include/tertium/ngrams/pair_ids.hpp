// Ids of the (prefix, symbol) pairs of one sentence: a plain table if both are few, otherwise a hash table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tertium/base/dense_ids.hpp"

namespace tertium {

// A map from (prefix id, symbol) to dense ids, cleared in O(1).
class PairIds {
 public:
  // Removes all pairs; from now on prefixes are below `prefixes` and symbols below `symbols`.
  void reset(std::size_t prefixes, std::size_t symbols) {
    width_ = symbols;
    direct_ = prefixes * symbols <= kDirectSlots;
    size_ = 0;
    if (!direct_) return hashed_.clear();
    if (table_.size() < prefixes * symbols) table_.resize(prefixes * symbols);
    table_.clear();
  }

  std::int32_t find(std::int32_t prefix, std::int32_t symbol) const {
    if (!direct_) return hashed_.find(pair_key(prefix, symbol));
    const std::size_t at = place(prefix, symbol);
    return table_.has(at) ? table_[at].id : -1;
  }

  // The pair's id, assigned now if the pair is new.
  std::int32_t intern(std::int32_t prefix, std::int32_t symbol) {
    if (!direct_) return hashed_.intern(pair_key(prefix, symbol));
    const std::size_t at = place(prefix, symbol);
    if (!table_.has(at)) table_.set(at, {size_++});
    return table_[at].id;
  }

 private:
  // 256 kB: the table stays within a second-level cache.
  static constexpr std::size_t kDirectSlots = std::size_t{1} << 15;

  std::size_t place(std::int32_t prefix, std::int32_t symbol) const {
    return static_cast<std::size_t>(prefix) * width_ + static_cast<std::size_t>(symbol);
  }
  struct Entry {
    std::int32_t id = 0;
    std::uint32_t epoch = 0;
  };

  DenseIds hashed_;
  EpochTable<Entry> table_;
  std::size_t width_ = 0;
  std::int32_t size_ = 0;
  bool direct_ = true;
};

}  // namespace tertium
