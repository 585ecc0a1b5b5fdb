// Dot products of vectors, one by one and as a matrix: what every metric over word vectors spends its time
// on. O(|a| |b| width).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "tertium/base/interrupts.hpp"
#include "tertium/vectors/wide_dots.hpp"

namespace tertium {

namespace similarity {

// Every dot product adds up in the same eight lanes, whoever computes it, so that u·v is the same
// number in a matrix and alone. Two registers of four floats are what every processor has.
#if defined(__GNUC__)
using Quad = float __attribute__((vector_size(16)));
#else
struct Quad {
  float values[4] = {};

  float operator[](int l) const { return values[l]; }
  Quad& operator+=(const Quad& other) {
    for (int l = 0; l < 4; ++l) values[l] += other.values[l];
    return *this;
  }
  friend Quad operator*(Quad a, const Quad& b) {
    for (int l = 0; l < 4; ++l) a.values[l] *= b.values[l];
    return a;
  }
};
#endif
struct Lanes {
  Quad low{};
  Quad high{};
};
inline constexpr std::size_t kLanes = 8;

inline Quad load(const float* values) {
  Quad quad;
  std::memcpy(&quad, values, sizeof quad);
  return quad;
}

// The last values of a vector whose width is no multiple of the lanes, with zeros behind them.
inline Lanes load_rest(const float* values, std::size_t count) {
  float padded[kLanes] = {};
  std::copy_n(values, count, padded);
  return {load(padded), load(padded + 4)};
}

inline double sum(const Lanes& lanes) {
  double total = 0;
  for (int l = 0; l < 4; ++l) total += static_cast<double>(lanes.low[l]) + static_cast<double>(lanes.high[l]);
  return total;
}

// out[c] = a·b[c], with a's values loaded once for all columns.
template <std::size_t Columns>
void dot_columns(const float* a, const float* const* b, std::size_t width, double* out) {
  Lanes sums[Columns];
  const std::size_t whole = width - width % kLanes;
  for (std::size_t k = 0; k < whole; k += kLanes) {
    const Quad low = load(a + k);
    const Quad high = load(a + k + 4);
#pragma GCC unroll 4
    for (std::size_t c = 0; c < Columns; ++c) {
      sums[c].low += low * load(b[c] + k);
      sums[c].high += high * load(b[c] + k + 4);
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

// Rows of the matrix, `Rows` at a time, by wide registers; returns how many are done.
template <std::size_t Rows>
std::size_t dot_rows(std::span<const float* const> rows, std::span<const float* const> columns,
                     std::size_t width, double* out, Pace& pace) {
  std::size_t i = 0;
  for (; i + Rows <= rows.size(); i += Rows) {
    pace.spend(Rows * columns.size() * (width / kLanes + 1));
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
  if (prefers_avx()) k = similarity::add_up_wide(vectors.data(), vectors.size(), width, out);
#endif
  for (; k + similarity::kLanes <= width; k += similarity::kLanes) {
    similarity::Lanes sums;
    for (const float* vector : vectors) {
      sums.low += similarity::load(vector + k);
      sums.high += similarity::load(vector + k + 4);
    }
    std::memcpy(out + k, &sums.low, sizeof sums.low);
    std::memcpy(out + k + 4, &sums.high, sizeof sums.high);
  }
  for (; k < width; ++k) {
    float sum = 0;
    for (const float* vector : vectors) sum += vector[k];
    out[k] = sum;
  }
}

// The same as dot(a, a), by the widest registers at hand.
inline double square_of(const float* a, std::size_t width) {
#if TERTIUM_HAS_AVX2
  if (prefers_avx()) {
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
  if (prefers_avx())
    for (; i + 4 <= vectors.size(); i += 4) similarity::square_four(vectors.data() + i, width, out + i);
#endif
  for (; i < vectors.size(); ++i) out[i] = square_of(vectors[i], width);
}

// out[i * columns + j] = rows[i]·columns[j].
inline void dot_matrix(std::span<const float* const> rows, std::span<const float* const> columns,
                       std::size_t width, double* out) {
  Pace pace;
#if TERTIUM_HAS_AVX2
  if (prefers_avx()) {
    const std::size_t done = similarity::dot_rows<2>(rows, columns, width, out, pace);
    similarity::dot_rows<1>(rows.subspan(done), columns, width, out + done * columns.size(), pace);
    return;
  }
#endif
  for (const float* row : rows) {
    pace.spend(columns.size() * (width / similarity::kLanes + 1));
    std::size_t j = 0;
    for (; j + 4 <= columns.size(); j += 4)
      similarity::dot_columns<4>(row, columns.data() + j, width, out + j);
    for (; j < columns.size(); ++j) out[j] = dot(row, columns[j], width);
    out += columns.size();
  }
}

}  // namespace tertium
