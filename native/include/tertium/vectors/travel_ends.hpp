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

  // Sets the dot products to those of the first words, or adds those of the k-th.
  void add_products(const double* row, std::size_t k) {
    const std::size_t* columns = columns_.data() + k * products_.size();
    if (k == 0)
      for (std::size_t j = 0; j < products_.size(); ++j) products_[j] = row[columns[j]];
    else
      for (std::size_t j = 0; j < products_.size(); ++j) products_[j] += row[columns[j]];
  }

  // The distances from one n-gram, of meaning (Eq. 3) and of place (Algorithm 1).
  void fill_row(const TravelEnd& from, double order_weight, double* out) const {
    std::size_t j = 0;
#if TERTIUM_HAS_AVX2
    if (prefers_avx()) j = fill_row_wide(from, order_weight, out);
#endif
    for (; j < products_.size(); ++j) {
      const double scale = from.square * squares_[j];
      const double root = std::sqrt(scale);
      const double cosine = products_[j] / (scale > 0 ? root : 1.0);  // 0 / 1 for a vector of zeros
      const double meaning = 1.0 - std::min(std::max(cosine, 0.0), 1.0);
      out[j] = (1 - order_weight) * meaning + order_weight * place_distance(from, j);
    }
  }

 private:
  // Two n-grams of the same text alone have no distance, and where the first formula gives 0 the second one
  // is asked.
  double place_distance(const TravelEnd& from, std::size_t j) const {
    const double there = std::abs(from.in_hypothesis - in_reference_[j]);
    const double back = std::abs(from.in_reference - in_hypothesis_[j]);
    const double first = (from.in_hypothesis > 0) & (in_reference_[j] > 0) ? there : 0.0;
    const double second = (from.in_reference > 0) & (in_hypothesis_[j] > 0) ? back : 0.0;
    return first == 0 ? second : first;
  }

#if TERTIUM_HAS_AVX2
  // The same for four n-grams at a time; returns how many are done. Compilers do not take roots side by side
  // by themselves, since each may have to report an error.
  TERTIUM_AVX std::size_t fill_row_wide(const TravelEnd& from, double order_weight, double* out) const {
    const __m256d zero = _mm256_setzero_pd();
    const __m256d one = _mm256_set1_pd(1.0);
    const __m256d square = _mm256_set1_pd(from.square);
    const __m256d of_place = _mm256_set1_pd(order_weight);
    const __m256d of_meaning = _mm256_set1_pd(1 - order_weight);
    std::size_t j = 0;
    for (; j + 4 <= products_.size(); j += 4) {
      const __m256d scale = _mm256_mul_pd(square, _mm256_loadu_pd(squares_.data() + j));
      const __m256d is_directed = _mm256_cmp_pd(scale, zero, _CMP_GT_OQ);
      const __m256d divisor = _mm256_blendv_pd(one, _mm256_sqrt_pd(scale), is_directed);
      const __m256d cosine = _mm256_div_pd(_mm256_loadu_pd(products_.data() + j), divisor);
      const __m256d meaning = _mm256_sub_pd(one, _mm256_min_pd(_mm256_max_pd(cosine, zero), one));
      const __m256d first = place_distances(from.in_hypothesis, in_reference_.data() + j);
      const __m256d second = place_distances(from.in_reference, in_hypothesis_.data() + j);
      const __m256d place = _mm256_blendv_pd(first, second, _mm256_cmp_pd(first, zero, _CMP_EQ_OQ));
      _mm256_storeu_pd(out + j,
                       _mm256_add_pd(_mm256_mul_pd(of_meaning, meaning), _mm256_mul_pd(of_place, place)));
    }
    return j;
  }
  // Between one place and four others; 0 where one of the two is in the other text alone.
  TERTIUM_AVX static __m256d place_distances(double from, const double* to) {
    const __m256d zero = _mm256_setzero_pd();
    const __m256d here = _mm256_set1_pd(from);
    const __m256d there = _mm256_loadu_pd(to);
    const __m256d distance = _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_sub_pd(here, there));
    const __m256d both =
        _mm256_and_pd(_mm256_cmp_pd(here, zero, _CMP_GT_OQ), _mm256_cmp_pd(there, zero, _CMP_GT_OQ));
    return _mm256_and_pd(distance, both);
  }
#endif

  std::vector<double> squares_, in_hypothesis_, in_reference_;
  std::vector<std::size_t> columns_;  // by k, then by n-gram
  std::vector<double> products_;
};

}  // namespace tertium
