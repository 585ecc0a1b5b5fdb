// Lower bounds for the cost outside a block, from the number of words that its surroundings have in common. A
// block that leaves too little budget for its outside cannot be part of a cheap derivation, and the search
// drops it: this keeps the search small. O(|b|) per source block, for all target blocks of one length at
// once. Outsides without a word in common are priced once per search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/block_tables.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

// For a block a[i0, i1) x b[j0, j0 + n): the words that a and b have in common outside it. The source part
// grows word by word; the losses of target parts of one length are then known for all j0 at once.
//
// With x copies of a word in a outside the block and y copies in b, taking copy number o of b into the
// block loses a match if copy number o - (y - x) of b is in the block or behind it (y > x), always if
// y <= x. Positions of the first kind are rare and kept apart as exceptions.
template <typename Cell>
class OutsideBag {
 public:
  void prepare(std::span<const std::int32_t> a, std::span<const std::int32_t> b, std::size_t n_names,
               std::size_t padding) {
    a_ = a;
    index(b, n_names);
    copies_.assign(n_names, 0);
    for (const std::int32_t word : a) ++copies_[name(word)];
    all_ = 0;
    for (std::size_t w = 0; w < n_names; ++w) all_ += std::min(copies_[w], count(w));
    reach_.resize(b.size());
    lost_.assign(b.size() + 1 + padding, 0);
    lost_besides_.assign(b.size() + 1 + padding, 0);
  }

  // Starts with an empty block.
  void open() {
    left_ = copies_;
    common_ = all_;
    for (std::size_t w = 0; w + 1 < first_.size(); ++w) mark(w);
  }

  // Adds source word i to the block.
  void take(std::size_t i) {
    const std::size_t word = name(a_[i]);
    const bool needed = left_[word] <= count(word);
    --left_[word];
    if (!needed) return;
    --common_;
    mark(word);
  }

  // Words in common outside a block whose target part is empty.
  std::size_t common() const { return common_; }

  // To be called when the source part is complete, for target parts of n words.
  void sum_up(std::size_t n) {
    exceptions_.clear();
    Cell sum = 0;
    for (std::size_t j = 0; j < reach_.size(); ++j) {
      if (reach_[j] > 0 && reach_[j] != kNever) exceptions_.push_back(j);
      sum = static_cast<Cell>(sum + (reach_[j] == 0));
      lost_[j + 1] = sum;
    }
    std::fill(lost_besides_.begin(), lost_besides_.end(), Cell{0});
    for (std::size_t k = 1; k <= n; ++k) lengthen(k);
  }

  // Of these, a target part b[j0, j0 + n) takes lost()[j0 + n] - lost()[j0] + lost_besides()[j0].
  const Cell* lost() const { return lost_.data(); }
  const Cell* lost_besides() const { return lost_besides_.data(); }

  // Proceeds from target parts of n - 1 words to those of n words: they also lose the exceptions that their
  // first word reaches.
  void lengthen(std::size_t n) {
    for (const std::size_t j : exceptions_)
      if (j + 1 >= n && reach_[j] < n) ++lost_besides_[j + 1 - n];
  }

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  static std::size_t name(std::int32_t word) { return static_cast<std::size_t>(word); }
  std::size_t count(std::size_t word) const { return first_[word + 1] - first_[word]; }

  // places_[first_[w] ..): the positions of word w in b.
  void index(std::span<const std::int32_t> b, std::size_t n_names) {
    first_.assign(n_names + 1, 0);
    for (const std::int32_t word : b) ++first_[name(word) + 1];
    for (std::size_t w = 0; w < n_names; ++w) first_[w + 1] += first_[w];
    places_.resize(b.size());
    left_.assign(first_.begin(), first_.end() - 1);
    for (std::size_t j = 0; j < b.size(); ++j) places_[left_[name(b[j])]++] = j;
  }

  // reach_[j]: 0 if position j always loses a match, kNever if never; otherwise the minimum of j - j0 to lose
  // one.
  void mark(std::size_t word) {
    const std::size_t* places = places_.data() + first_[word];
    const std::size_t missing = count(word) - std::min(left_[word], count(word));
    for (std::size_t o = 0; o < count(word); ++o)
      reach_[places[o]] = o < missing ? kNever : places[o] - places[o - missing];
  }

  std::span<const std::int32_t> a_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> places_;
  std::vector<std::size_t> copies_;  // of each word in a
  std::vector<std::size_t> left_;    // of these, outside the block
  std::size_t all_ = 0;
  std::size_t common_ = 0;
  std::vector<std::size_t> reach_;
  std::vector<Cell> lost_;          // matches lost for good by b[0, j)
  std::vector<Cell> lost_besides_;  // exceptions that a block from b[j0] on loses
  std::vector<std::size_t> exceptions_;
};

// The costs of substitutions, and of the outsides of blocks without a word in common, which the innermost
// loops need again and again. O(|a| |b|).
template <typename Cell>
class BlockPrices {
 public:
  using Number = typename CellTraits<Cell>::Number;
  using Ids = std::span<const std::int32_t>;

  // `common`: number of words that a and b have in common; `stride`: number of cells that a row of lanes may
  // read.
  void prepare(Ids a, Ids b, const Prices<Number>& prices, std::size_t common, Number budget,
               std::size_t stride) {
    price_changes(a, b, prices, 2 * stride);
    price_outsides(a.size(), b.size(), prices, common, budget);
  }

  // The costs of turning a[i] into b[j], b[j + 1], ...
  const Cell* changes(std::size_t i, std::size_t j) const { return &changes_[i * stride_ + j]; }
  // The cost of the outside of a block of m by n words if it has no word in common.
  Number outside(std::size_t m, std::size_t n) const { return outsides_[m * columns_ + n]; }
  // The target lengths n that are useful with source length m.
  const Lengths& lengths(std::size_t m) const { return lengths_[m]; }

 private:
  void price_changes(Ids a, Ids b, const Prices<Number>& prices, std::size_t stride) {
    stride_ = stride;
    changes_.assign(a.size() * stride, CellTraits<Cell>::none);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        changes_[i * stride + j] = a[i] == b[j] ? Cell{0} : static_cast<Cell>(prices.substitution);
  }

  void price_outsides(std::size_t n_a, std::size_t n_b, const Prices<Number>& prices, std::size_t common,
                      Number budget) {
    const Number best_gain = prices.exchange() * static_cast<Number>(common);
    columns_ = n_b + 1;
    outsides_.resize((n_a + 1) * columns_);
    lengths_.assign(n_a + 1, {});
    for (std::size_t m = 1; m <= n_a; ++m)
      for (std::size_t n = 1; n <= n_b; ++n) {
        const Number outside = prices.bag(n_a - m, n_b - n, 0);
        outsides_[m * columns_ + n] = outside;
        const Number inside = prices.bag(m, n, std::min(m, n));
        const Number matched = prices.bag(n_a - m, n_b - n, std::min(n_a - m, n_b - n));
        const Number least = inside + std::max<Number>(matched, outside - best_gain) + prices.inversion;
        if (least <= budget) lengths_[m] = lengths_[m].joined({n, n});
      }
  }

  std::size_t stride_ = 0;
  std::size_t columns_ = 0;
  std::vector<Cell> changes_;
  std::vector<Number> outsides_;
  std::vector<Lengths> lengths_;
};

}  // namespace tertium
