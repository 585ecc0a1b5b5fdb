// Cosines between the words of two texts. Cosine with an all-zero vector is 0. O(|a| |b| width): metrics over
// word vectors spend most of their time on the matrix of dot products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/vectors/embedded.hpp"
#include "tertium/vectors/wide_dots.hpp"

namespace tertium {

namespace similarity {

// Every dot product is summed in the same eight lanes on every processor, so that u·v is the same number in a
// matrix and alone. Without wide registers the lanes are two vectors of four, which every processor has.
using Float4 = simd::Vec<float, 4>;
struct Lanes {
  Float4 low{};
  Float4 high{};
};
inline constexpr std::size_t kLanes = 8;

// The last values of a vector whose width is not a multiple of the lanes, padded with zeros.
inline Lanes load_rest(const float* values, std::size_t count) {
  float padded[kLanes] = {};
  std::copy_n(values, count, padded);
  return {Float4::load(padded), Float4::load(padded + 4)};
}

inline double sum(const Lanes& lanes) {
  double total = 0;
  for (std::size_t l = 0; l < 4; ++l)
    total += static_cast<double>(lanes.low[l]) + static_cast<double>(lanes.high[l]);
  return total;
}

// out[c] = a·b[c], with a's values loaded once for all columns.
template <std::size_t Columns>
void dot_columns(const float* a, const float* const* b, std::size_t width, double* out) {
  Lanes sums[Columns];
  const std::size_t whole = width - width % kLanes;
  for (std::size_t k = 0; k < whole; k += kLanes) {
    const auto low = Float4::load(a + k);
    const auto high = Float4::load(a + k + 4);
#pragma GCC unroll 4
    for (std::size_t c = 0; c < Columns; ++c) {
      sums[c].low += low * Float4::load(b[c] + k);
      sums[c].high += high * Float4::load(b[c] + k + 4);
    }
  }
  if (whole < width) {
    const Lanes rest = load_rest(a + whole, width - whole);
    for (std::size_t c = 0; c < Columns; ++c) {
      const Lanes other = load_rest(b[c] + whole, width - whole);
      sums[c].low += rest.low * other.low;
      sums[c].high += rest.high * other.high;
    }
  }
  for (std::size_t c = 0; c < Columns; ++c) out[c] = sum(sums[c]);
}

}  // namespace similarity

inline double dot(const float* a, const float* b, std::size_t width) {
  double product = 0;
  similarity::dot_columns<1>(a, &b, width, &product);
  return product;
}

#if TERTIUM_HAS_AVX2
namespace similarity {

// Computes rows of the matrix, `Rows` at a time, with AVX2; returns how many are done.
template <std::size_t Rows>
std::size_t dot_rows(std::span<const float* const> rows, std::span<const float* const> columns,
                     std::size_t width, double* out, InterruptCheck& interrupt_check) {
  std::size_t i = 0;
  for (; i + Rows <= rows.size(); i += Rows) {
    interrupt_check.tick(Rows * columns.size() * (width / kLanes + 1));
    double* const row = out + i * columns.size();
    std::size_t j = 0;
    for (; j + 4 <= columns.size(); j += 4)
      dot_block<Rows, 4>(rows.data() + i, columns.data() + j, width, row + j, columns.size());
    for (; j + 2 <= columns.size(); j += 2)
      dot_block<Rows, 2>(rows.data() + i, columns.data() + j, width, row + j, columns.size());
    for (; j < columns.size(); ++j)
      dot_block<Rows, 1>(rows.data() + i, columns.data() + j, width, row + j, columns.size());
  }
  return i;
}

}  // namespace similarity
#endif

// out = the sum of the vectors, added in their order; many values at a time stay in registers.
inline void add_up(std::span<const float* const> vectors, std::size_t width, float* out) {
  std::size_t k = 0;
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2()) k = similarity::add_up_wide(vectors.data(), vectors.size(), width, out);
#endif
  for (; k + similarity::kLanes <= width; k += similarity::kLanes) {
    similarity::Lanes sums;
    for (const float* vector : vectors) {
      sums.low += similarity::Float4::load(vector + k);
      sums.high += similarity::Float4::load(vector + k + 4);
    }
    sums.low.store(out + k);
    sums.high.store(out + k + 4);
  }
  for (; k < width; ++k) {
    float sum = 0;
    for (const float* vector : vectors) sum += vector[k];
    out[k] = sum;
  }
}

// The same as dot(a, a), with the widest registers available.
inline double square_of(const float* a, std::size_t width) {
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2()) {
    double square = 0;
    similarity::dot_block<1, 1>(&a, &a, width, &square, 1);
    return square;
  }
#endif
  return dot(a, a, width);
}

// out[i] = vectors[i]·vectors[i].
inline void squares_of(std::span<const float* const> vectors, std::size_t width, double* out) {
  std::size_t i = 0;
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2())
    for (; i + 4 <= vectors.size(); i += 4) similarity::square_four(vectors.data() + i, width, out + i);
#endif
  for (; i < vectors.size(); ++i) out[i] = square_of(vectors[i], width);
}

// out[i * columns + j] = rows[i]·columns[j].
inline void dot_matrix(std::span<const float* const> rows, std::span<const float* const> columns,
                       std::size_t width, double* out) {
  InterruptCheck interrupt_check;
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2()) {
    const std::size_t done = similarity::dot_rows<2>(rows, columns, width, out, interrupt_check);
    similarity::dot_rows<1>(rows.subspan(done), columns, width, out + done * columns.size(), interrupt_check);
    return;
  }
#endif
  for (const float* row : rows) {
    interrupt_check.tick(columns.size() * (width / similarity::kLanes + 1));
    std::size_t j = 0;
    for (; j + 4 <= columns.size(); j += 4)
      similarity::dot_columns<4>(row, columns.data() + j, width, out + j);
    for (; j < columns.size(); ++j) out[j] = dot(row, columns[j], width);
    out += columns.size();
  }
}

// Takes one root of the product of both squares, so that cos(u, u) is exactly 1.
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
    for (std::size_t t = 0; t < text.size(); ++t) vectors[t] = text.knows(t) ? text.vector(t) : zero_.data();
    squares_of(vectors, text.width, squares.data());
  }

  std::vector<float> zero_;
  std::vector<const float*> first_, second_;
  std::vector<double> first_squares_, second_squares_, products_;
};

// The similarity of two tokens. It is 1 for equal words of which one has no direction (no vector, or an
// all-zero one), unless `strict`, which uses only the vectors.
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
