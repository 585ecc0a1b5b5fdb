// n-gram matches in which a similar n-gram counts in part (Wang & Merlo 2016). An n-gram's vector is the mean
// of its known words' vectors; a cosine depends on direction only, so their sum serves as well, and the
// product of two sums is the sum of the words' products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/ngrams/lengths.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

// One segment at a time; one per thread. O(order^2 x |hypothesis| x |references|).
class SoftMatcher {
 public:
  // Finds, for each n-gram of the hypothesis, how near the nearest n-gram of the references is. An
  // n-gram without direction (no known word, or vectors that cancel) has similarity 1 with an equal one,
  // unless `strict`, and 0 with any other.
  void compare(const EmbeddedText& hypothesis, const EmbeddedColumn& references, std::size_t first,
               std::size_t last, std::size_t max_order, bool strict) {
    nearest_.resize(max_order);
    for (std::size_t order = 1; order <= max_order; ++order)
      nearest_[order - 1].assign(n_positions(hypothesis.size(), order), 0.0);
    for (std::size_t r = first; r < last; ++r) compare_one(hypothesis, references[r], max_order, strict);
  }
  std::span<const double> nearest(std::size_t order) const { return nearest_[order - 1]; }

 private:
  static std::size_t n_positions(std::size_t length, std::size_t order) {
    return length < order ? 0 : length - order + 1;
  }

  // Calls work(order), with a usual order as a compile-time constant, so that loops over it are unrolled.
  template <typename Work>
  TERTIUM_INLINE static void with_order(std::size_t order, const Work& work) {
    switch (order) {
      case 1:
        return work(std::integral_constant<std::size_t, 1>{});
      case 2:
        return work(std::integral_constant<std::size_t, 2>{});
      case 3:
        return work(std::integral_constant<std::size_t, 3>{});
      case 4:
        return work(std::integral_constant<std::size_t, 4>{});
      default:
        return work(order);
    }
  }

  void compare_one(const EmbeddedText& hypothesis, const EmbeddedText& reference, std::size_t max_order,
                   bool strict) {
    const std::size_t longest = std::min({max_order, hypothesis.size(), reference.size()});
    if (longest == 0) return;
    products_.multiply(hypothesis, reference);
    multiply_neighbours(products_.first_vectors(), longest, hypothesis.width, hypothesis_band_);
    multiply_neighbours(products_.second_vectors(), longest, reference.width, reference_band_);
    row_sums_.assign(products_.values().begin(), products_.values().end());
    for (std::size_t order = 1; order <= longest; ++order) {
      hypothesis_squares_.resize(n_positions(hypothesis.size(), order));
      reference_squares_.resize(n_positions(reference.size(), order));
      scale_.resize(reference_squares_.size());
      simd::dispatch([&]() TERTIUM_ALWAYS_INLINE {
        with_order(order, [&](auto known_order) TERTIUM_ALWAYS_INLINE {
          sum_squares(hypothesis_band_, known_order, hypothesis_squares_);
          sum_squares(reference_band_, known_order, reference_squares_);
        });
        if (order > 1) extend_row_sums(order);
      });
      invert_lengths(reference_squares_, scale_.data());
      find_nearest(order);
      for (std::size_t i = 0; i < hypothesis_squares_.size(); ++i) {
        double& nearest = nearest_[order - 1][i];
        nearest = std::max(nearest, hypothesis_squares_[i] > 0 ? best_cosines_[i]
                                    : strict ? 0.0
                                             : equal_found(hypothesis, reference, i, order));
      }
    }
  }

  // band[k][i] = vectors[i]·vectors[i + k]
  using Band = std::vector<std::vector<double>>;
  void multiply_neighbours(std::span<const float* const> vectors, std::size_t longest, std::size_t width,
                           Band& band) {
    band.resize(std::max(band.size(), longest));
    for (auto& row : band) row.resize(vectors.size());
    products_of_one_.resize(longest);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const std::size_t count = std::min(longest, vectors.size() - i);
      dot_matrix(vectors.subspan(i, 1), vectors.subspan(i, count), width, products_of_one_.data());
      for (std::size_t k = 0; k < count; ++k) band[k][i] = products_of_one_[k];
    }
  }

  // squares[i]: the product of the n-gram at i with itself. Adds in the order in which products of two
  // n-grams add up: then an n-gram's cosine with an equal one is exactly 1.
  template <typename Order>
  TERTIUM_INLINE static void sum_squares(const Band& band, Order order, std::span<double> squares) {
    std::size_t i = 0;
    for (; i + simd::Double4::kLanes <= squares.size(); i += simd::Double4::kLanes)
      square_of<simd::Double4>(band, order, i).store(&squares[i]);
    for (; i < squares.size(); ++i) squares[i] = square_of<simd::Vec<double, 1>>(band, order, i)[0];
  }
  template <typename Lanes, typename Order>
  TERTIUM_INLINE static Lanes square_of(const Band& band, Order order, std::size_t i) {
    Lanes total = Lanes::all(0.0);
    for (std::size_t p = 0; p < order; ++p) {
      Lanes row = Lanes::all(0.0);
      for (std::size_t q = 0; q < order; ++q)
        row += Lanes::load(&band[p < q ? q - p : p - q][i + std::min(p, q)]);
      total += row;
    }
    return total;
  }

  // row_sums_[i * columns + j]: hypothesis word i with the reference words [j, j + order).
  TERTIUM_INLINE void extend_row_sums(std::size_t order) {
    using simd::Double4;
    const std::size_t columns = products_.columns(), count = columns - order + 1;
    for (std::size_t i = 0; i < products_.rows(); ++i) {
      double* sums = row_sums_.data() + i * columns;
      const double* products = products_.row(i).data() + order - 1;
      std::size_t j = 0;
      for (; j + Double4::kLanes <= count; j += Double4::kLanes)
        (Double4::load(sums + j) + Double4::load(products + j)).store(sums + j);
      for (; j < count; ++j) sums[j] += products[j];
    }
  }

  // best_cosines_[i]: the cosine of the hypothesis' n-gram i with the nearest one of the reference.
  void find_nearest(std::size_t order) {
    box_.resize(scale_.size());
    best_products_.resize(hypothesis_squares_.size());
    best_squares_.resize(hypothesis_squares_.size());
    best_cosines_.resize(hypothesis_squares_.size());
    for (std::size_t i = 0; i < hypothesis_squares_.size(); ++i) {
      interrupt_check_.tick(scale_.size() * order);
      const Best best = find_best(row_sums_.data() + i * products_.columns(), order);
      best_products_[i] = box_[best.place];
      best_squares_[i] = reference_squares_[best.place];
    }
    cosines(best_products_, hypothesis_squares_.data(), best_squares_.data(), best_cosines_.data());
  }

  // The place of the first of the largest numbers box_[j] · scale_[j].
  struct Best {
    double value = -std::numeric_limits<double>::infinity();
    std::size_t place = 0;

    void take(double other, std::size_t at) {
      if (other > value) value = other, place = at;
    }
  };

  // Fills box_[j], the sum over `order` rows of `sums`, from the first row to the last.
  Best find_best(const double* sums, std::size_t order) {
    Best best;
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) {
      with_order(order, [&](auto known_order) { best = find_best_avx2(sums, known_order); });
      return best;
    }
#endif
    find_best_from(0, sums, order, best);
    return best;
  }

  void find_best_from(std::size_t first, const double* sums, std::size_t order, Best& best) {
    const std::size_t columns = products_.columns();
    for (std::size_t j = first; j < scale_.size(); ++j) {
      box_[j] = 0.0;
      for (std::size_t p = 0; p < order; ++p) box_[j] += sums[p * columns + j];
      best.take(box_[j] * scale_[j], j);
    }
  }

#if TERTIUM_HAS_AVX2
  // Four places at a time; every lane keeps the first of its largest numbers.
  template <typename Order>
  TERTIUM_AVX2 Best find_best_avx2(const double* sums, Order order) {
    using simd::Double4, simd::Int64x4;
    const std::size_t columns = products_.columns(), whole = scale_.size() / 4 * 4;
    Double4 values = Double4::all(-std::numeric_limits<double>::infinity());
    Int64x4 places{}, here = {0, 1, 2, 3};
    for (std::size_t j = 0; j < whole; j += 4, here += Int64x4::all(4)) {
      Double4 total{};
      for (std::size_t p = 0; p < order; ++p) total += Double4::load(sums + p * columns + j);
      total.store(box_.data() + j);
      const Double4 scaled = total * Double4::load(scale_.data() + j);
      const Int64x4 is_larger = scaled > values;
      values = simd::select(is_larger, scaled, values);
      places = simd::select(is_larger, here, places);
    }
    Best best;
    for (std::size_t lane = 0; lane < 4 && whole > 0; ++lane) {
      const auto place = static_cast<std::size_t>(places[lane]);
      if (values[lane] == best.value) best.place = std::min(best.place, place);
      best.take(values[lane], place);
    }
    find_best_from(whole, sums, order, best);
    return best;
  }
#endif

  static double equal_found(const EmbeddedText& hypothesis, const EmbeddedText& reference, std::size_t i,
                            std::size_t order) {
    const auto ngram = hypothesis.ids.subspan(i, order);
    const auto found = std::search(reference.ids.begin(), reference.ids.end(), ngram.begin(), ngram.end());
    return static_cast<double>(found != reference.ids.end());
  }

  InterruptCheck interrupt_check_;
  TokenProducts products_;
  Band hypothesis_band_, reference_band_;
  std::vector<double> products_of_one_, hypothesis_squares_, reference_squares_;
  std::vector<double> row_sums_, scale_, box_, best_products_, best_squares_, best_cosines_;
  std::vector<std::vector<double>> nearest_;
};

// BLEU's row for every segment (lengths, matches and totals per order), where a match is the similarity
// to the nearest reference n-gram if it is at least the threshold.
inline void soft_match_statistics(const EmbeddedPairs& pairs, std::size_t order, double threshold,
                                  bool strict, std::size_t threads, std::span<double> rows) {
  const GroupedColumn grouped = pairs.grouped();
  const std::size_t width = 2 + 2 * order;
  parallel_for(pairs.size(), threads, [&] {
    return [&, matcher = SoftMatcher()](std::size_t i) mutable {
      const auto row = rows.subspan(i * width, width);
      const auto hypothesis = pairs.hypothesis(i);
      row[0] = static_cast<double>(hypothesis.size());
      row[1] = static_cast<double>(closest_length(hypothesis.size(), grouped, i));
      matcher.compare(hypothesis, pairs.references, grouped.begin(i), grouped.end(i), order, strict);
      for (std::size_t n = 1; n <= order; ++n) {
        double matched = 0;
        for (const double similarity : matcher.nearest(n))
          matched += similarity >= threshold ? similarity : 0.0;
        row[1 + n] = matched;
        row[1 + order + n] = static_cast<double>(matcher.nearest(n).size());
      }
    };
  });
}

}  // namespace tertium
