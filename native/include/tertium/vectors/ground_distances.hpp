// The ground distance of Semantic Travel Distance (Li et al. 2019) from one n-gram to many at once, whose
// data are in arrays, so that the loop has no branches; and the options of the distance, of which it depends
// on two.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"

namespace tertium {

// The distance in meaning of two n-grams whose vectors have the cosine c.
enum class TravelCost {
  clipped,    // 1 - max(0, c)
  cosine,     // 1 - c
  euclidean,  // sqrt(2 - 2c): between vectors of length 1
};

struct TravelOptions {
  double order_weight;    // weight of place in the ground distance; meaning has the rest
  TravelCost cost;        // the distance in meaning
  double price;           // of a unit of mass that is left out on either side; 0 if all mass is moved
  bool cancels;           // mass that both sides have in an n-gram stays where it is
  bool similarity_mass;   // masses by nSIM, otherwise by the tokens' weights
  bool centroid_of_list;  // repeated n-grams count repeatedly in a text's centre
  bool occurrences;       // every occurrence is an n-gram of its own
};

// One side's n-grams of one order.
struct TravelSide {
  std::vector<std::int32_t> list;  // the text's n-grams in their order
  std::vector<double> place;       // of each n-gram's last occurrence, in (0, 1]; 0 if not in the text
  std::vector<double> mass;        // share of each n-gram in the text

  bool has(std::size_t ngram) const { return place[ngram] > 0; }
};

// The data of an n-gram that its distances depend on; its place is 0 in a text that does not contain it.
struct TravelEnd {
  double square;  // of its vector
  double in_hypothesis, in_reference;
};

class TravelEnds {
 public:
  // `column(n, k)`: the column of n-gram n's k-th word in a row of dot products.
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
      for (std::size_t k = 0; k < order; ++k) columns_[k * ngrams.size() + j] = column(ngrams[j], k);
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

  // Writes the distances from one n-gram, combining meaning (Eq. 3) and place (Algorithm 1).
  void fill_row(const TravelEnd& from, double order_weight, TravelCost cost, double* out) const {
    std::size_t j = 0;
    const double least_cosine = cost == TravelCost::clipped ? 0.0 : -1.0;
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) j = fill_row_wide(from, order_weight, cost, out);
#endif
    for (; j < products_.size(); ++j) {
      const double scale = from.square * squares_[j];
      const double root = std::sqrt(scale);
      const double cosine = products_[j] / (scale > 0 ? root : 1.0);  // 0 / 1 for a vector of zeros
      double meaning = 1.0 - std::min(std::max(cosine, least_cosine), 1.0);
      if (cost == TravelCost::euclidean) meaning = std::sqrt(meaning + meaning);
      out[j] = (1 - order_weight) * meaning + order_weight * place_distance(from, j);
    }
  }

 private:
  // The distance between two n-grams that only occur in the same text is 0. The second formula is used where
  // the first gives 0.
  double place_distance(const TravelEnd& from, std::size_t j) const {
    const double there = std::abs(from.in_hypothesis - in_reference_[j]);
    const double back = std::abs(from.in_reference - in_hypothesis_[j]);
    const double first = ((from.in_hypothesis > 0) & (in_reference_[j] > 0)) ? there : 0.0;
    const double second = ((from.in_reference > 0) & (in_hypothesis_[j] > 0)) ? back : 0.0;
    return first == 0 ? second : first;
  }

#if TERTIUM_HAS_AVX2
  // The same for four n-grams at a time; returns how many are done. Compilers do not vectorise square roots
  // by themselves, because each may have to report an error.
  TERTIUM_AVX2 std::size_t fill_row_wide(const TravelEnd& from, double order_weight, TravelCost cost,
                                         double* out) const {
    using simd::Double4;
    const Double4 zero{}, one = Double4::all(1.0), square = Double4::all(from.square);
    const auto least_cosine = Double4::all(cost == TravelCost::clipped ? 0.0 : -1.0);
    const auto of_place = Double4::all(order_weight), of_meaning = Double4::all(1 - order_weight);
    std::size_t j = 0;
    for (; j + 4 <= products_.size(); j += 4) {
      const Double4 scale = square * Double4::load(squares_.data() + j);
      const Double4 divisor = simd::select(scale > zero, simd::sqrt(scale), one);
      const Double4 cosine = Double4::load(products_.data() + j) / divisor;
      Double4 meaning = one - simd::min(simd::max(cosine, least_cosine), one);
      if (cost == TravelCost::euclidean) meaning = simd::sqrt(meaning + meaning);
      const Double4 first = place_distances(from.in_hypothesis, in_reference_.data() + j);
      const Double4 second = place_distances(from.in_reference, in_hypothesis_.data() + j);
      const Double4 place = simd::select(first == zero, second, first);
      (of_meaning * meaning + of_place * place).store(out + j);
    }
    return j;
  }
  // The distances between one place and four others; 0 where one of the two is not in its text.
  TERTIUM_INLINE static simd::Double4 place_distances(double from, const double* to) {
    using simd::Double4;
    const Double4 zero{}, here = Double4::all(from), there = Double4::load(to);
    return simd::select((here > zero) & (there > zero), simd::abs(here - there), zero);
  }
#endif

  std::vector<double> squares_, in_hypothesis_, in_reference_;
  std::vector<std::size_t> columns_;  // by k, then by n-gram
  std::vector<double> products_;
};

}  // namespace tertium
