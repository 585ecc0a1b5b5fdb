// Dot products with registers of eight floats (AVX2). The sums equal those of similarity.hpp to the last bit,
// because the eight lanes are the same and no product is fused with a sum.
#pragma once

#include <cstddef>
#include <span>

#include "tertium/base/simd.hpp"

namespace tertium::similarity {

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
