// Cosines between the words of two texts. Cosine with an all-zero vector is 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tertium/vectors/dot_products.hpp"
#include "tertium/vectors/embedded.hpp"

namespace tertium {

// The square of the norms' product goes under one root: then cos(u, u) is exactly 1.
inline double cosine(double product, double square_a, double square_b) {
  const double scale = square_a * square_b;
  return scale > 0 ? std::clamp(product / std::sqrt(scale), -1.0, 1.0) : 0.0;
}

// The dot products between all tokens of two texts, and each token's square. A token without a
// vector has an all-zero one. Keeps its memory between texts; one per thread.
class TokenProducts {
 public:
  void compare(const EmbeddedText& first, const EmbeddedText& second) {
    zero_.resize(std::max(first.width, second.width), 0.0f);
    gather(first, first_, first_squares_);
    gather(second, second_, second_squares_);
    products_.resize(first_.size() * second_.size());
    dot_matrix(first_, second_, std::max(first.width, second.width), products_.data());
  }

  std::size_t rows() const { return first_.size(); }
  std::size_t columns() const { return second_.size(); }
  double product(std::size_t i, std::size_t j) const { return products_[i * columns() + j]; }
  std::span<const double> row(std::size_t i) const {
    return std::span(products_).subspan(i * columns(), columns());
  }
  double first_square(std::size_t i) const { return first_squares_[i]; }
  double second_square(std::size_t j) const { return second_squares_[j]; }
  double cosine_of(std::size_t i, std::size_t j) const {
    return cosine(product(i, j), first_squares_[i], second_squares_[j]);
  }
  std::span<const float* const> first_vectors() const { return first_; }
  std::span<const float* const> second_vectors() const { return second_; }

 private:
  void gather(const EmbeddedText& text, std::vector<const float*>& vectors,
              std::vector<double>& squares) const {
    vectors.resize(text.size());
    squares.resize(text.size());
    for (std::size_t t = 0; t < text.size(); ++t) {
      vectors[t] = text.knows(t) ? text.vector(t) : zero_.data();
      squares[t] = text.knows(t) ? text.square(t) : 0.0;
    }
  }

  std::vector<float> zero_;
  std::vector<const float*> first_, second_;
  std::vector<double> first_squares_, second_squares_, products_;
};

// How alike two tokens are, 1 for equal words of which one has no direction (no vector, or an
// all-zero one) unless `strict`, which lets the vectors alone decide.
class WordSimilarity {
 public:
  void compare(const EmbeddedText& first, const EmbeddedText& second, bool strict) {
    products_.compare(first, second);
    values_.resize(first.size() * second.size());
    double* value = values_.data();
    for (std::size_t i = 0; i < first.size(); ++i) {
      const double square = products_.first_square(i);
      for (std::size_t j = 0; j < second.size(); ++j) {
        const bool directed = square > 0 && products_.second_square(j) > 0;
        const bool equal = first.ids[i] == second.ids[j];
        *value++ = directed ? products_.cosine_of(i, j) : static_cast<double>(equal && !strict);
      }
    }
  }
  std::size_t rows() const { return products_.rows(); }
  std::size_t columns() const { return products_.columns(); }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns() + j]; }
  std::span<double> values() { return values_; }
  std::span<double> row(std::size_t i) { return values().subspan(i * columns(), columns()); }

 private:
  TokenProducts products_;
  std::vector<double> values_;
};

}  // namespace tertium
