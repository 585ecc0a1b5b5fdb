// Dependency trees as heads: the head of token t of a sentence is heads[t], -1 for the root. Computes the
// constituents and their extents, and checks that there are no cycles. Linear in the tokens.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"

namespace tertium {

inline constexpr std::int32_t kRoot = -1;

// Whether every head is a token of its sentence and no token is its own ancestor. O(tokens).
inline bool is_forest(std::span<const std::int32_t> heads) {
  const auto n = static_cast<std::int32_t>(heads.size());
  std::vector<std::int32_t> visited(heads.size(), -1);  // the last walk through this token, or n: checked
  for (std::int32_t begin = 0; begin < n; ++begin) {
    std::int32_t at = begin;
    while (at != kRoot) {
      if (at < 0 || at >= n) return false;
      auto& mark = visited[static_cast<std::size_t>(at)];
      if (mark == n) break;
      if (mark == begin) return false;  // the walk upwards met itself
      mark = begin;
      at = heads[static_cast<std::size_t>(at)];
    }
    for (at = begin; at != kRoot && visited[static_cast<std::size_t>(at)] == begin;
         at = heads[static_cast<std::size_t>(at)])
      visited[static_cast<std::size_t>(at)] = n;
  }
  return true;
}

inline bool are_forests(const Column& heads) {
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (!is_forest(heads[i])) return false;
  return true;
}

// Kernels walk upwards from every token: a head out of range or a cycle would make them read foreign memory
// or run forever.
inline std::span<const std::int32_t> check_heads(const Column& heads) {
  check_offsets(heads.offsets, heads.ids.size());
  if (!are_forests(heads))
    throw std::invalid_argument("heads must be tokens of their sentence, without cycles");
  return heads.ids;
}

// The extent of a set of constituents: its outermost positions and its number of words.
struct Extent {
  std::int32_t first = INT32_MAX;
  std::int32_t last = INT32_MIN;
  std::int32_t words = 0;

  void add(const Extent& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    words += other.words;
  }
  bool is_contiguous() const { return last - first + 1 == words; }
};

// Children in order of position and the extent of every constituent. Keeps its memory between sentences.
class Constituents {
 public:
  void read(std::span<const std::int32_t> heads) {
    const std::size_t n = heads.size();
    starts_.assign(n + 2, 0);
    for (const std::int32_t head : heads)
      if (head != kRoot) ++starts_[static_cast<std::size_t>(head) + 2];
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    children_.resize(n);
    for (std::size_t t = 0; t < n; ++t)
      if (heads[t] != kRoot)
        children_[starts_[static_cast<std::size_t>(heads[t]) + 1]++] = static_cast<std::int32_t>(t);
    measure(heads);
  }

  // The children to the left of a word, nearest last, and to its right, nearest first.
  std::span<const std::int32_t> left(std::size_t head) const {
    const auto all = children(head);
    return all.first(count_left(all, head));
  }
  std::span<const std::int32_t> right(std::size_t head) const {
    const auto all = children(head);
    return all.subspan(count_left(all, head));
  }
  const Extent& extent(std::int32_t top) const { return extents_[static_cast<std::size_t>(top)]; }

 private:
  std::span<const std::int32_t> children(std::size_t head) const {
    return {children_.data() + starts_[head], starts_[head + 1] - starts_[head]};
  }
  static std::size_t count_left(std::span<const std::int32_t> all, std::size_t head) {
    const auto middle = std::lower_bound(all.begin(), all.end(), static_cast<std::int32_t>(head));
    return static_cast<std::size_t>(middle - all.begin());
  }

  // Processes words from the leaves upwards: a word is ready when all its children have been added.
  void measure(std::span<const std::int32_t> heads) {
    const std::size_t n = heads.size();
    extents_.resize(n);
    waiting_.resize(n);
    ready_.clear();
    for (std::size_t t = 0; t < n; ++t) {
      const auto position = static_cast<std::int32_t>(t);
      extents_[t] = {position, position, 1};
      waiting_[t] = starts_[t + 1] - starts_[t];
      if (waiting_[t] == 0) ready_.push_back(t);
    }
    while (!ready_.empty()) {
      const std::size_t t = ready_.back();
      ready_.pop_back();
      if (heads[t] == kRoot) continue;
      const auto head = static_cast<std::size_t>(heads[t]);
      extents_[head].add(extents_[t]);
      if (--waiting_[head] == 0) ready_.push_back(head);
    }
  }

  std::vector<std::size_t> starts_, waiting_, ready_;
  std::vector<std::int32_t> children_;
  std::vector<Extent> extents_;
};

}  // namespace tertium
