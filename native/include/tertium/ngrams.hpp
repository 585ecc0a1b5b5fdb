// Clipped n-gram matches of hypotheses against the pooled n-grams of their references.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/parallel.hpp"
#include "tertium/vocabulary.hpp"

namespace tertium {

// An open-addressing map from 64-bit keys to dense ids that is emptied in constant time.
class DenseNames {
 public:
  DenseNames() : slots_(256) {}

  void clear() {
    size_ = 0;
    if (++epoch_ == 0) {  // the stamp went round: forget every old one
      std::fill(slots_.begin(), slots_.end(), Slot{});
      epoch_ = 1;
    }
  }
  std::int32_t size() const { return size_; }

  std::int32_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(key, mask); slots_[at].epoch == epoch_; at = (at + 1) & mask)
      if (slots_[at].key == key) return slots_[at].id;
    return -1;
  }

  // The key's id, given now if it is new.
  std::int32_t name(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = place(key, mask);
    for (; slots_[at].epoch == epoch_; at = (at + 1) & mask)
      if (slots_[at].key == key) return slots_[at].id;
    slots_[at] = {key, epoch_, size_};
    if (static_cast<std::size_t>(++size_) * 2 > slots_.size()) grow();
    return size_ - 1;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t epoch = 0;
    std::int32_t id = 0;
  };
  static std::size_t place(std::uint64_t key, std::size_t mask) {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      std::size_t at = place(slot.key, mask);
      while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t epoch_ = 1;
  std::int32_t size_ = 0;
};

// Counts matches of one segment at a time. An n-gram is named exactly, never by a hash alone: the
// key of order n is (name of its first n-1 tokens, last token). Orders follow one another, so the
// names of order n-1 at each position are all that is kept. O(order x tokens).
class NgramMatcher {
 public:
  // matches[n-1] += clipped matches of order n; returns nothing else, totals follow from lengths.
  void count(std::span<const std::int32_t> hypothesis, const GroupedColumn& references, std::size_t segment,
             std::span<double> matches) {
    const std::size_t first = references.begin(segment);
    const std::size_t n_references = references.count(segment);
    prefixes_.resize(std::max(prefixes_.size(), n_references + 1));
    std::size_t most_names = 0;
    for (std::size_t r = 0; r < n_references; ++r) most_names += references.column[first + r].size();
    for (std::size_t order = 1; order <= matches.size() && order <= hypothesis.size(); ++order) {
      names_.clear();
      pooled_.assign(most_names, 0);
      for (std::size_t r = 0; r < n_references; ++r)
        pool(references.column[first + r], order, prefixes_[r + 1], n_references > 1);
      const std::int64_t found = match(hypothesis, order, prefixes_[0]);
      if (found == 0) break;  // no longer n-gram can match either
      matches[order - 1] += static_cast<double>(found);
    }
  }

 private:
  static std::uint64_t key(std::int32_t prefix, std::int32_t token) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(prefix)) << 32) |
           static_cast<std::uint32_t>(token);
  }
  // Names the reference's n-grams and raises the pooled count of each to this reference's own.
  void pool(std::span<const std::int32_t> tokens, std::size_t order, std::vector<std::int32_t>& prefix,
            bool others) {
    if (tokens.size() < order) return;
    const std::size_t positions = tokens.size() - order + 1;
    if (order == 1) prefix.assign(positions, 0);
    if (others) own_.assign(pooled_.size(), 0);
    for (std::size_t i = 0; i < positions; ++i) {
      const std::int32_t name = names_.name(key(prefix[i], tokens[i + order - 1]));
      prefix[i] = name;
      auto& count = pooled_[static_cast<std::size_t>(name)];
      count = others ? std::max(count, ++own_[static_cast<std::size_t>(name)]) : count + 1;
    }
  }

  std::int64_t match(std::span<const std::int32_t> tokens, std::size_t order,
                     std::vector<std::int32_t>& prefix) {
    const std::size_t positions = tokens.size() - order + 1;
    if (order == 1) prefix.assign(positions, 0);
    std::int64_t found = 0;
    for (std::size_t i = 0; i < positions; ++i) {
      if (prefix[i] < 0) continue;  // its beginning is in no reference
      prefix[i] = names_.find(key(prefix[i], tokens[i + order - 1]));
      if (prefix[i] >= 0 && pooled_[static_cast<std::size_t>(prefix[i])]-- > 0) ++found;
    }
    return found;
  }

  DenseNames names_;
  std::vector<std::int32_t> pooled_, own_;
  // The name of the (n-1)-gram at each position (0 before unigrams): the hypothesis, then each reference.
  std::vector<std::vector<std::int32_t>> prefixes_;
};

// The reference length nearest to the hypothesis length, the shorter one on a tie.
inline std::size_t closest_length(std::size_t length, const GroupedColumn& references, std::size_t segment) {
  const auto distance = [&](std::size_t other) { return other > length ? other - length : length - other; };
  std::size_t best = references.column[references.begin(segment)].size();
  for (std::size_t r = references.begin(segment) + 1; r < references.end(segment); ++r) {
    const std::size_t candidate = references.column[r].size();
    if (distance(candidate) < distance(best) || (distance(candidate) == distance(best) && candidate < best))
      best = candidate;
  }
  return best;
}

// BLEU's row for every segment: hypothesis length, closest reference length, matches and totals of
// orders 1..order (Papineni et al. 2002).
inline void bleu_statistics(const Column& hypotheses, const GroupedColumn& references, std::size_t order,
                            std::size_t threads, std::span<double> rows) {
  const std::size_t width = 2 + 2 * order;
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, matcher = NgramMatcher()](std::size_t i) mutable {
      const auto row = rows.subspan(i * width, width);
      const auto tokens = hypotheses[i];
      std::fill(row.begin(), row.end(), 0.0);
      row[0] = static_cast<double>(tokens.size());
      row[1] = static_cast<double>(closest_length(tokens.size(), references, i));
      matcher.count(tokens, references, i, row.subspan(2, order));
      for (std::size_t n = 1; n <= order; ++n)
        row[1 + order + n] = tokens.size() < n ? 0.0 : static_cast<double>(tokens.size() - n + 1);
    };
  });
}

}  // namespace tertium
