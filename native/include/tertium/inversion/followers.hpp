// The blocks that may follow a block of the inversion distance, by the place (i, j) where one ends and the
// other begins: an inversion behind a sequence, or the right part of an inversion beside its left part. All
// blocks that begin at i in the source are known before any that ends there, so they are sorted once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/costs.hpp"

namespace tertium {

template <typename Cell>
struct Follower {
  std::uint32_t i;  // its end in the source
  std::uint32_t j;  // its other end in the target
  Cell cost;
};

template <typename Cell>
struct FollowingInversion : Follower<Cell> {
  typename CellTraits<Cell>::Number key;  // what it and all that follows it cost at least, in fine cells
};

template <typename Item>
class Followers {
 public:
  void prepare(std::size_t n, std::size_t columns) {
    columns_ = columns;
    first_.assign((n + 1) * (columns + 1), 0);
    items_.clear();
    added_.clear();
  }

  void add(std::size_t j, const Item& item) { added_.push_back({static_cast<std::uint32_t>(j), item}); }

  // All that begins at i was added: a counting sort by j.
  void close(std::size_t i) {
    std::uint32_t* const first = &first_[i * (columns_ + 1)];
    auto end = static_cast<std::uint32_t>(items_.size());
    items_.resize(items_.size() + added_.size());
    for (const Added& one : added_) ++first[one.j];
    for (std::size_t j = 0; j <= columns_; ++j) first[j] = end += first[j];
    for (const Added& one : added_) items_[--first[one.j]] = one.item;
    added_.clear();
  }

  // Puts the cheapest first, so that a reader can stop at the first that costs too much.
  void sort(std::size_t i) {
    const std::uint32_t* first = &first_[i * (columns_ + 1)];
    for (std::size_t j = 0; j < columns_; ++j)
      std::sort(items_.begin() + first[j], items_.begin() + first[j + 1],
                [](const Item& one, const Item& other) { return one.key < other.key; });
  }

  std::span<const Item> at(std::size_t i, std::size_t j) const {
    const std::uint32_t* first = &first_[i * (columns_ + 1) + j];
    return {items_.data() + first[0], items_.data() + first[1]};
  }

  // Frees memory that only long segments need.
  void release() {
    if (items_.capacity() > kKept) items_ = {};
    if (added_.capacity() > kKept) added_ = {};
  }

 private:
  static constexpr std::size_t kKept = std::size_t{1} << 20;  // items that a thread may keep between pairs
  struct Added {
    std::uint32_t j;
    Item item;
  };
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> first_;  // of (i, j); the next one ends it
  std::vector<Item> items_;
  std::vector<Added> added_;  // what begins at the current i
};

}  // namespace tertium
