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
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

// The costs of the steps of a walk: fees[j] for meeting word j of b, fares[j] for insertions from the
// beginning up to it.
template <typename Number>
struct WalkPrices {
  const Number* fees;
  const Number* fares;
  Number deletion, substitution;
  Number leap, leap_back;
};

// A row may be written, and its prices read, this far beyond its end.
inline constexpr std::size_t kRowPadding = 8;

// The next functions fill one row of a walk's table: a word of a against all of b, eight positions at once
// with AVX2.
//
// reached[j]: the cheapest walk whose last step deletes the word, or meets word j - 1 of b; returns the
// least.
template <typename Number>
TERTIUM_INLINE Number reach_places(std::int32_t word, const std::int32_t* b, std::size_t columns,
                                   const WalkPrices<Number>& prices, const Number* last, Number* reached) {
  const WalkPrices<Number> at = prices;  // a copy that no store can alias
  reached[0] = last[0] + at.deletion;
  Number least = reached[0];
  for (std::size_t j = 0; j + 1 < columns; ++j) {
    const Number change = word == b[j] ? Number{0} : at.substitution;
    reached[j + 1] = std::min<Number>(last[j + 1] + at.deletion, last[j] + change + at.fees[j]);
    least = std::min(least, reached[j + 1]);
  }
  return least;
}

// Leaps behind the last step, and insertions. A walk by insertions from k to j costs fares[j] - fares[k], so
// the cheapest one to j is the least cost less fare so far.
template <typename Number>
void leave_places(Number least, const Number* reached, std::size_t columns, const WalkPrices<Number>& prices,
                  Number* out) {
  const Number anywhere = least + prices.leap_back;
  Number before = anywhere - prices.leap;
  Number held = anywhere;
  for (std::size_t j = 0; j < columns; ++j) {
    before = std::min(before, reached[j]);
    held = std::min<Number>(held, std::min<Number>(reached[j], before + prices.leap) - prices.fares[j]);
    out[j] = held + prices.fares[j];
  }
}

template <typename Number>
void fill_walk_row(std::int32_t word, const std::int32_t* b, std::size_t columns,
                   const WalkPrices<Number>& prices, const Number* last, Number* reached, Number* out) {
  leave_places(reach_places(word, b, columns, prices, last, reached), reached, columns, prices, out);
}

#if TERTIUM_HAS_AVX2
// The minimum of all lanes up to each one.
TERTIUM_AVX2_INLINE simd::Int32x8 least_so_far(simd::Int32x8 lanes) {
  lanes = simd::min(lanes, simd::shift_up<1>(lanes));
  lanes = simd::min(lanes, simd::shift_up<2>(lanes));
  return simd::min(lanes, simd::shift_up<4>(lanes));
}

TERTIUM_AVX2 inline void leave_places_avx2(std::int32_t least, const std::int32_t* reached,
                                           std::size_t columns, const WalkPrices<std::int32_t>& prices,
                                           std::int32_t* out) {
  using simd::Int32x8;
  const auto leap = Int32x8::all(prices.leap);
  auto held = Int32x8::all(least + prices.leap_back);
  Int32x8 before = held - leap;
  for (std::size_t j = 0; j < columns; j += 8) {
    const auto here = Int32x8::load(reached + j), fares = Int32x8::load(prices.fares + j);
    const Int32x8 leapt_from = simd::min(before, least_so_far(here));
    const Int32x8 cost = simd::min(here, leapt_from + leap);
    const Int32x8 so_far = simd::min(held, least_so_far(cost - fares));
    (so_far + fares).store(out + j);
    before = simd::spread_last(leapt_from);
    held = simd::spread_last(so_far);
  }
}

TERTIUM_AVX2 inline void fill_walk_row_avx2(std::int32_t word, const std::int32_t* b, std::size_t columns,
                                            const WalkPrices<std::int32_t>& prices, const std::int32_t* last,
                                            std::int32_t* reached, std::int32_t* out) {
  leave_places_avx2(reach_places(word, b, columns, prices, last, reached), reached, columns, prices, out);
}
#endif

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

// By (i, j) in rows of j: what precedes a block that begins at (i, j), and what follows one that ends there.
template <typename Number>
struct WalkCosts {
  std::vector<Number> before, behind;
};

// The bounds of the best walks on the outside of blocks, computed once for all searches of a pair.
// O(|a| |b|).
template <typename Number>
class PairWalks {
 public:
  using Ids = std::span<const std::int32_t>;

  void read(ChainPair<Number>& chains, Ids a, Ids b) {
    const auto columns = static_cast<std::ptrdiff_t>(b.size() + 1);
    most_ = 0;
    read(chains.along_a, a, b, {columns, 1}, along_a);
    read(chains.along_b, b, a, {1, columns}, along_b);
  }

  Number most() const { return most_; }  // of all costs, without their signs

  WalkCosts<Number> along_a, along_b;

 private:
  struct Strides {  // where the next row of a walk's table goes, and the next column
    std::ptrdiff_t row, column;
  };

  void read(ChainBound<Number>& chain, Ids a, Ids b, Strides to, WalkCosts<Number>& out) {
    fees_.assign(chain.fees().begin(), chain.fees().end());
    const std::size_t size = (a.size() + 1) * (b.size() + 1);
    out.before.resize(size);
    write(chain.fill(a, b, fees_), to, out.before.data());
    const std::vector<std::int32_t> last_a(a.rbegin(), a.rend());
    const std::vector<std::int32_t> last_b(b.rbegin(), b.rend());
    std::reverse(fees_.begin(), fees_.end());
    out.behind.resize(size);
    write(chain.fill(last_a, last_b, fees_), {-to.row, -to.column}, &out.behind.back());
  }

  // Every word of b that a walk has to meet gives its fee back.
  void write(std::span<const Number> walks, Strides to, Number* out) {
    const std::size_t columns = fees_.size() + 1;
    for (; !walks.empty(); walks = walks.subspan(columns), out += to.row) {
      Number back{};
      Number* cell = out;
      for (std::size_t j = 0; j < columns; ++j, cell += to.column) {
        *cell = walks[j] - back;
        most_ = std::max<Number>(most_, std::abs(*cell));
        if (j < fees_.size()) back += fees_[j];
      }
    }
  }

  std::vector<Number> fees_;
  Number most_{};
};

}  // namespace tertium
