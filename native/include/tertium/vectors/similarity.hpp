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

namespace tertium::similarity {

// Dot products with registers of eight floats (AVX2). The sums equal those of dot_columns() to the last bit,
// because the eight lanes are the same and no product is fused with a sum.

#if TERTIUM_HAS_AVX2

using simd::Double4, simd::Float8;

// The lanes of each of four vectors, added from the first to the last.
TERTIUM_AVX2_INLINE Double4 add_lanes(Double4 (&rows)[4]) {
  simd::transpose(rows);
  return rows[0] + rows[1] + rows[2] + rows[3];
}

// out[r * stride + c] = a[r]·b[c]; every value loaded is used for all rows or columns.
template <std::size_t Rows, std::size_t Columns>
TERTIUM_AVX2 void dot_block(const float* const* a, const float* const* b, std::size_t width, double* out,
                            std::size_t stride) {
  Float8 sums[Rows][Columns];
  simd::clear(sums);
  const auto add_products = [&](const auto& load) TERTIUM_AVX2 TERTIUM_ALWAYS_INLINE {
    Float8 left[Rows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) left[r] = load(a[r]);
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Columns; ++c) {
      Float8 right = load(b[c]);
      simd::keep_in_register(right);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < Rows; ++r) sums[r][c] += left[r] * right;
    }
  };
  const std::size_t whole = width - width % 8;
  for (std::size_t k = 0; k < whole; k += 8)
    add_products([k](const float* values)
                     TERTIUM_AVX2 TERTIUM_ALWAYS_INLINE { return Float8::load(values + k); });
  if (whole < width)
    add_products([whole, width](const float* values) TERTIUM_AVX2 TERTIUM_ALWAYS_INLINE {
      return simd::load_first(values + whole, width - whole);
    });
  for (std::size_t r = 0; r < Rows; ++r) {
    std::size_t c = 0;
    for (; c + 4 <= Columns; c += 4) {
      Double4 halves[4];
      for (std::size_t q = 0; q < 4; ++q) halves[q] = simd::add_halves(sums[r][c + q]);
      add_lanes(halves).store(out + r * stride + c);
    }
    for (; c < Columns; ++c) {
      const Double4 halves = simd::add_halves(sums[r][c]);
      out[r * stride + c] = halves[0] + halves[1] + halves[2] + halves[3];
    }
  }
}

// The largest number of columns of a block: more sums would not fit into the sixteen registers.
template <std::size_t Rows>
inline constexpr std::size_t kMaxColumns = Rows == 1 ? 8 : 6;

// The same for a number of columns that is not known to the compiler. Each addition waits for the one before,
// so one block with all columns is faster than two small ones.
template <std::size_t Rows, std::size_t Columns = kMaxColumns<Rows>>
void dot_last_columns(const float* const* a, std::span<const float* const> b, std::size_t width, double* out,
                      std::size_t stride) {
  if (b.size() == Columns)
    dot_block<Rows, Columns>(a, b.data(), width, out, stride);
  else if constexpr (Columns > 1)
    dot_last_columns<Rows, Columns - 1>(a, b, width, out, stride);
}

// out[i] = a[i]·a[i], four at a time, because each addition waits for the one before.
TERTIUM_AVX2 inline void square_four(const float* const* a, std::size_t width, double* out) {
  Float8 sums[4];
  simd::clear(sums);
  const std::size_t whole = width - width % 8;
  for (std::size_t k = 0; k < whole; k += 8)
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
      const auto values = Float8::load(a[i] + k);
      sums[i] += values * values;
    }
  Double4 halves[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const Float8 values = whole < width ? simd::load_first(a[i] + whole, width - whole) : Float8{};
    halves[i] = simd::add_halves(sums[i] + values * values);
  }
  add_lanes(halves).store(out);
}

// out[k] = the sum of vectors[.][k], for as many values as fill blocks of 32; returns how many these are.
// Four registers at a time, so that the sums stay in registers.
TERTIUM_AVX2 inline std::size_t add_up_wide(const float* const* vectors, std::size_t count, std::size_t width,
                                            float* out) {
  std::size_t k = 0;
  for (; k + 32 <= width; k += 32) {
    Float8 sums[4];
    simd::clear(sums);
    for (std::size_t v = 0; v < count; ++v)
#pragma GCC unroll 4
      for (std::size_t q = 0; q < 4; ++q) sums[q] += Float8::load(vectors[v] + k + 8 * q);
    for (std::size_t q = 0; q < 4; ++q) sums[q].store(out + k + 8 * q);
  }
  return k;
}

#endif

}  // namespace tertium::similarity

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
    for (; j + kMaxColumns<Rows> < columns.size(); j += 4)
      dot_block<Rows, 4>(rows.data() + i, columns.data() + j, width, row + j, columns.size());
    dot_last_columns<Rows>(rows.data() + i, columns.subspan(j), width, row + j, columns.size());
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

#if TERTIUM_HAS_AVX2
// The following two functions with four numbers at a time; they return how many were computed.
TERTIUM_AVX2 inline std::size_t cosines_avx2(std::span<const double> products, const double* squares_a,
                                             const double* squares_b, double* out) {
  using simd::Double4;
  const auto zero = Double4::all(0.0), one = Double4::all(1.0), minus = Double4::all(-1.0);
  std::size_t i = 0;
  for (; i + 4 <= products.size(); i += 4) {
    const Double4 scale = Double4::load(squares_a + i) * Double4::load(squares_b + i);
    const Double4 ratio = Double4::load(products.data() + i) / simd::sqrt(scale);
    const Double4 clamped = simd::select(ratio < minus, minus, simd::select(one < ratio, one, ratio));
    simd::select(scale > zero, clamped, zero).store(out + i);
  }
  return i;
}
TERTIUM_AVX2 inline std::size_t invert_lengths_avx2(std::span<const double> squares, double* out) {
  using simd::Double4;
  const auto zero = Double4::all(0.0), one = Double4::all(1.0);
  std::size_t i = 0;
  for (; i + 4 <= squares.size(); i += 4) {
    const auto four = Double4::load(squares.data() + i);
    simd::select(four > zero, one / simd::sqrt(four), zero).store(out + i);
  }
  return i;
}
#endif

// out[i] = cosine(products[i], squares_a[i], squares_b[i]).
inline void cosines(std::span<const double> products, const double* squares_a, const double* squares_b,
                    double* out) {
  std::size_t i = 0;
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2()) i = cosines_avx2(products, squares_a, squares_b, out);
#endif
  for (; i < products.size(); ++i) out[i] = cosine(products[i], squares_a[i], squares_b[i]);
}

// out[i] = 1 / length of a vector with this square, 0 for a vector of zeros.
inline void invert_lengths(std::span<const double> squares, double* out) {
  std::size_t i = 0;
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2()) i = invert_lengths_avx2(squares, out);
#endif
  for (; i < squares.size(); ++i) out[i] = squares[i] > 0 ? 1.0 / std::sqrt(squares[i]) : 0.0;
}

// The dot products between all tokens of two texts, and each token's square. A token without a
// vector has an all-zero one. Keeps its memory between texts; one per thread.
class TokenProducts {
 public:
  void compare(const EmbeddedText& first, const EmbeddedText& second) {
    multiply(first, second);
    first_squares_.resize(first.size());
    second_squares_.resize(second.size());
    squares_of(first_, first.width, first_squares_.data());
    squares_of(second_, second.width, second_squares_.data());
  }
  // The same without squares.
  void multiply(const EmbeddedText& first, const EmbeddedText& second) {
    zero_.resize(std::max(first.width, second.width), 0.0f);
    gather(first, first_);
    gather(second, second_);
    products_.resize(first_.size() * second_.size());
    dot_matrix(first_, second_, std::max(first.width, second.width), products_.data());
  }

  std::size_t rows() const { return first_.size(); }
  std::size_t columns() const { return second_.size(); }
  double product(std::size_t i, std::size_t j) const { return products_[i * columns() + j]; }
  std::span<const double> values() const { return products_; }  // in rows
  std::span<const double> row(std::size_t i) const { return values().subspan(i * columns(), columns()); }
  double first_square(std::size_t i) const { return first_squares_[i]; }
  std::span<const double> second_squares() const { return second_squares_; }
  std::span<const float* const> first_vectors() const { return first_; }
  std::span<const float* const> second_vectors() const { return second_; }

 private:
  void gather(const EmbeddedText& text, std::vector<const float*>& vectors) const {
    vectors.resize(text.size());
    for (std::size_t t = 0; t < text.size(); ++t) vectors[t] = text.knows(t) ? text.vector(t) : zero_.data();
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
    const auto squares = products_.second_squares();
    const auto is_directed = [](double square) { return square > 0; };
    const bool all_directed = std::ranges::all_of(squares, is_directed);
    for (std::size_t i = 0; i < first.size(); ++i) {
      own_squares_.assign(second.size(), products_.first_square(i));
      cosines(products_.row(i), own_squares_.data(), squares.data(), row(i).data());
      if (all_directed && is_directed(products_.first_square(i))) continue;
      for (std::size_t j = 0; j < second.size(); ++j)
        if (!is_directed(products_.first_square(i)) || !is_directed(squares[j]))
          row(i)[j] = static_cast<double>(first.ids[i] == second.ids[j] && !strict);
    }
  }
  std::size_t rows() const { return products_.rows(); }
  std::size_t columns() const { return products_.columns(); }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns() + j]; }
  std::span<double> values() { return values_; }
  std::span<double> row(std::size_t i) { return values().subspan(i * columns(), columns()); }

 private:
  TokenProducts products_;
  std::vector<double> values_, own_squares_;
};

}  // namespace tertium
