// The part of the inversion distance outside every inversion: the cost of the remainders of both sentences,
// by Levenshtein's recursion with the inversions found as additional steps. O(|a| |b|), and one step per
// inversion.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/costs.hpp"

namespace tertium {

// rest(i, j): the cheapest derivation of a[i..) x b[j..), filled with falling i. Inversions are offered as
// they are found; when all that begin at i are known, the row is closed.
template <typename Number>
class RestTable {
 public:
  using Ids = std::span<const std::int32_t>;
  struct Leap {  // the end of an inversion; (0, 0) is none
    std::uint32_t i = 0, j = 0;
  };

  // `before` has a lower bound for every pair of prefixes.
  void prepare(Ids a, Ids b, const Prices<Number>& prices, std::span<const Number> before) {
    a_ = a;
    b_ = b;
    prices_ = prices;
    before_ = before;
    columns_ = b.size() + 1;
    leaps_.assign((a.size() + 1) * columns_, Leap{});
    rest_.resize((a.size() + 1) * columns_);
    for (std::size_t j = 0; j < columns_; ++j) at(a.size(), j) = prices.unmatched(0, b.size() - j);
  }

  Number rest(std::size_t i, std::size_t j) const { return rest_[i * columns_ + j]; }
  Leap leap(std::size_t i, std::size_t j) const { return leaps_[i * columns_ + j]; }

  void open(std::size_t i) {
    for (std::size_t j = 0; j < columns_; ++j) at(i, j) = at(i + 1, j) + prices_.deletion;
  }

  // An inversion of a[i0, i1) x b[j0, j1), with rising i1. Of equally cheap ones the first with the nearest
  // end counts, in whichever order those with the same i1 are offered.
  void offer(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1, Number cost, Number budget) {
    const Number whole = cost + at(i1, j1);
    if (before_[i0 * columns_ + j0] + whole > budget || whole > at(i0, j0)) return;
    Leap& leap = leaps_[i0 * columns_ + j0];
    if (whole == at(i0, j0) && (leap.i != i1 || leap.j < j1)) return;
    at(i0, j0) = whole;
    leap = {static_cast<std::uint32_t>(i1), static_cast<std::uint32_t>(j1)};
  }

  // The other edits may still be cheaper.
  void close(std::size_t i) {
    for (std::size_t j = columns_; j-- > 0;) {
      Number least = at(i + 1, j) + prices_.deletion;
      if (j < b_.size()) {
        const Number change = a_[i] == b_[j] ? Number{0} : prices_.substitution;
        least = std::min({least, at(i + 1, j + 1) + change, at(i, j + 1) + prices_.insertion});
      }
      if (least > at(i, j)) continue;
      at(i, j) = least;
      leaps_[i * columns_ + j] = {};
    }
  }

 private:
  Number& at(std::size_t i, std::size_t j) { return rest_[i * columns_ + j]; }

  Ids a_;
  Ids b_;
  Prices<Number> prices_{};
  std::span<const Number> before_;
  std::size_t columns_ = 0;
  std::vector<Number> rest_;
  std::vector<Leap> leaps_;
};

}  // namespace tertium
