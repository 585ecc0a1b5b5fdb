// The ground distance of Semantic Travel Distance (Li et al. 2019), from one n-gram to many at once: what is
// known of them lies in arrays, so that the loop over them has no branches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/vectors/travel_sides.hpp"
#include "tertium/vectors/wide_dots.hpp"

namespace tertium {

// An n-gram as a distance sees it; a place is 0 in a text that does not have it.
struct TravelEnd {
  double square;  // of its vector
  double in_hypothesis, in_reference;
};

class TravelEnds {
 public:
  // `column(n, k)`: where the dot products of n-gram n's k-th word stand in a row of them.
  template <typename Square, typename ColumnOf>
  void read(std::span<const std::size_t> ngrams, std::size_t order, const TravelSide& hypothesis,
            const TravelSide& reference, const Square& square, const ColumnOf& column) {
    squares_.resize(ngrams.size());
    in_hypothesis_.resize(ngrams.size());
    in_reference_.resize(ngrams.size());
    columns_.resize(ngrams.size() * order);
    products_.resize(ngrams.size());
    for (std::size_t j = 0; j < ngrams.size(); ++j) {
      squares_[j] = square(ngrams[j]);
      in_hypothesis_[j] = hypothesis.place[ngrams[j]];
      in_reference_[j] = reference.place[ngrams[j]];
      for (std::size_t k = 0; k < order; ++k)
        columns_[k * ngrams.size() + j] = static_cast<std::size_t>(column(ngrams[j], k));
    }
  }

  void clear_products() { std::fill(products_.begin(), products_.end(), 0.0); }
  // Adds those of the k-th words.
  void add_products(const double* row, std::size_t k) {
    const std::size_t* columns = columns_.data() + k * products_.size();
    for (std::size_t j = 0; j < products_.size(); ++j) products_[j] += row[columns[j]];
  }

  // The distances from one n-gram, of meaning (Eq. 3) and of place (Algorithm 1).
  void fill_row(const TravelEnd& from, double order_weight, double* __restrict out) const {
#if TERTIUM_HAS_AVX2
    if (prefers_avx()) return fill_row_wide(from, order_weight, out);
#endif
    fill_row_with(from, order_weight, out);
  }

 private:
#if TERTIUM_HAS_AVX2
  // The same code, compiled for wider registers.
  TERTIUM_AVX void fill_row_wide(const TravelEnd& from, double order_weight, double* __restrict out) const {
    fill_row_with(from, order_weight, out);
  }
  __attribute__((always_inline))
#endif
  void fill_row_with(const TravelEnd& from, double order_weight, double* __restrict out) const {
    for (std::size_t j = 0; j < products_.size(); ++j) {
      const double scale = from.square * squares_[j];
      const double root = std::sqrt(scale);
      const double cosine = products_[j] / (scale > 0 ? root : 1.0);  // 0 / 1 for a vector of zeros
      const double meaning = 1.0 - std::min(std::max(cosine, 0.0), 1.0);
      out[j] = (1 - order_weight) * meaning + order_weight * place_distance(from, j);
    }
  }

  // Two n-grams of the same text alone have no distance, and where the first formula gives 0 the second one
  // is asked.
  double place_distance(const TravelEnd& from, std::size_t j) const {
    const double there = std::abs(from.in_hypothesis - in_reference_[j]);
    const double back = std::abs(from.in_reference - in_hypothesis_[j]);
    const double first = (from.in_hypothesis > 0) & (in_reference_[j] > 0) ? there : 0.0;
    const double second = (from.in_reference > 0) & (in_hypothesis_[j] > 0) ? back : 0.0;
    return first == 0 ? second : first;
  }

  std::vector<double> squares_, in_hypothesis_, in_reference_;
  std::vector<std::size_t> columns_;  // by k, then by n-gram
  std::vector<double> products_;
};

}  // namespace tertium
