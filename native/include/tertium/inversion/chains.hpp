// Lower bounds for the inversion distance, and for the cost before and after a block, that take word order
// into account; the bag of words does not.
//
// Walk along the words of a in some derivation and record the positions of their partners in b: this is a
// walk as in Levenshtein's distance, except that it may jump to another position of b. Undoing an inversion
// changes at most three neighbourhoods, of which at most one was a step backwards. So each inversion causes
// at most three jumps, at most one of them backwards: if the prices of one backward jump and two others add
// up to the price of an inversion, the jumps cost no more than the inversions. The cheapest walk at these
// prices is a lower bound; five eighths for a backward jump give the best one on sentences.
//
// The walk may visit words of b twice, or never. A derivation visits each exactly once, so the bound stays
// valid if every visit costs a fee and each word's fee is refunded once. Fees rise for words visited too
// often and fall for the others, as long as that raises the bound (subgradient ascent on a Lagrangian
// relaxation). O(|a| |b|) per round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/chain_rows.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

// The resolution of fees: integer prices are divided into parts, others are used as they are.
inline constexpr int kPartsShift = 8;
template <typename Number>
inline constexpr Number kParts = 1;
template <>
inline constexpr std::int32_t kParts<std::int32_t> = 1 << kPartsShift;

template <typename Number>
class ChainBound {
 public:
  using Ids = std::span<const std::int32_t>;

  void prepare(Ids a, Ids b, const Prices<Number>& prices) {
    a_ = a;
    b_ = b;
    constexpr Number parts = kParts<Number>;
    prices_ = {prices.insertion * parts, prices.deletion * parts, prices.substitution * parts,
               prices.inversion * parts};
    leap_ = 3 * prices_.inversion / 16;
    leap_back_ = prices_.inversion - 2 * leap_;
    columns_ = b.size() + 1;
    table_.resize((a.size() + 1) * columns_ + kRowPadding);
    row_.resize(columns_ + kRowPadding);
    fares_.assign(columns_ + kRowPadding, 0);
    visits_.resize(b.size());
    fees_.assign(b.size(), -prices_.insertion / 2);
    best_fees_ = fees_;
    best_ = 0;
  }

  Number best() const { return best_; }  // in parts
  std::span<const Number> fees() const { return best_fees_; }

  // Runs one round towards a target in parts; returns false if no further round can help.
  bool raise(double target, double step_size) {
    fill(a_, b_, fees_);
    Number bound = at(a_.size(), b_.size());
    for (const Number fee : fees_) bound -= fee;
    if (bound > best_) {
      best_ = bound;
      best_fees_ = fees_;
    }
    count_visits();
    double norm = 0;
    for (const int visits : visits_) norm += (visits - 1) * (visits - 1);
    if (norm == 0) return false;
    const double least = 0.3 * static_cast<double>(kParts<Number>);  // where the target is nearly reached
    move_fees(step_size * std::max(target - static_cast<double>(bound), least) / norm);
    return true;
  }

  // By (i, j) in rows of j: the cheapest walk over the first i words of a that ends before word j of b.
  std::span<const Number> fill(Ids a, Ids b, std::span<const Number> fees) {
    for (std::size_t j = 0; j < b.size(); ++j) fares_[j + 1] = fares_[j] + prices_.insertion + fees[j];
    Number* row = table_.data();
    for (std::size_t j = 0; j < columns_; ++j) row[j] = j > 0 ? std::min(fares_[j], leap_) : Number{0};
    const WalkPrices<Number> prices{fees.data(),          fares_.data(), prices_.deletion,
                                    prices_.substitution, leap_,         leap_back_};
    for (const std::int32_t word : a) {
      fill_row(word, b, prices, row, row + columns_);
      row += columns_;
    }
    return std::span(table_).first((a.size() + 1) * columns_);
  }

 private:
  void fill_row(std::int32_t word, Ids b, const WalkPrices<Number>& prices, const Number* last, Number* out) {
#if TERTIUM_HAS_AVX2
    if constexpr (std::is_same_v<Number, std::int32_t>)
      if (simd::use_avx2())
        return fill_walk_row_avx2(word, b.data(), columns_, prices, last, row_.data(), out);
#endif
    fill_walk_row(word, b.data(), columns_, prices, last, row_.data(), out);
  }

  // Counts the visits of one of the cheapest walks, read from its end.
  void count_visits() {
    std::fill(visits_.begin(), visits_.end(), 0);
    std::size_t j = b_.size();
    for (std::size_t i = a_.size(); i > 0; --i) {
      j = undo_leap(i, undo_insertions(i, j));
      if (j > 0 && met(i, j) <= deleted(i, j)) ++visits_[--j];
    }
    undo_insertions(0, j);
  }

  Number at(std::size_t i, std::size_t j) const { return table_[i * columns_ + j]; }
  Number deleted(std::size_t i, std::size_t j) const { return at(i - 1, j) + prices_.deletion; }
  Number met(std::size_t i, std::size_t j) const {
    return at(i - 1, j - 1) + fees_[j - 1] + (a_[i - 1] == b_[j - 1] ? Number{0} : prices_.substitution);
  }
  Number reached(std::size_t i, std::size_t j) const {
    return j > 0 ? std::min(deleted(i, j), met(i, j)) : deleted(i, j);
  }

  std::size_t undo_insertions(std::size_t i, std::size_t j) {
    while (j > 0 && (i == 0 || reached(i, j) > at(i, j)) &&
           at(i, j - 1) + prices_.insertion + fees_[j - 1] <= at(i, j))
      ++visits_[--j];
    return j;
  }

  std::size_t undo_leap(std::size_t i, std::size_t j) const {
    if (reached(i, j) <= at(i, j)) return j;
    for (std::size_t k = 0; k < columns_; ++k)
      if (reached(i, k) + (k < j ? leap_ : leap_back_) <= at(i, j)) return k;
    return j;  // only reached if sums of fractions are rounded
  }

  void move_fees(double step) {
    for (std::size_t j = 0; j < fees_.size(); ++j) {
      const auto moved = static_cast<Number>(static_cast<double>(fees_[j]) + step * (visits_[j] - 1));
      fees_[j] = std::max<Number>(moved, -prices_.insertion);  // or insertions would pay for backward jumps
    }
  }

  Ids a_;
  Ids b_;
  Prices<Number> prices_{};  // in parts, as are all members below
  Number leap_{};
  Number leap_back_{};
  std::size_t columns_ = 0;
  Number best_{};
  std::vector<Number> fees_, best_fees_;
  std::vector<Number> table_;
  std::vector<Number> row_;
  std::vector<Number> fares_;  // cost of the insertions up to each position
  std::vector<int> visits_;
};

// Walks along a, and along b: either may give the better bound.
template <typename Number>
struct ChainPair {
  ChainBound<Number> along_a, along_b;

  void prepare(std::span<const std::int32_t> a, std::span<const std::int32_t> b,
               const Prices<Number>& prices) {
    along_a.prepare(a, b, prices);
    along_b.prepare(b, a, {prices.deletion, prices.insertion, prices.substitution, prices.inversion});
  }

  Number best() const { return std::max(along_a.best(), along_b.best()); }

  bool raise(double target, double step_size) {
    const bool may_rise = along_a.raise(target, step_size);
    return along_b.raise(target, step_size) || may_rise;
  }
};

}  // namespace tertium
