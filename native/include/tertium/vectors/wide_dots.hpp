// Dot products by registers of eight floats, for processors that have them: asked at run time, so that one
// build serves all. The sums are those of similarity.hpp to the last bit, since the eight lanes are the same
// and no product is fused with a sum.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__GNUC__) && defined(__x86_64__)
#define TERTIUM_WIDE_DOTS 1
#else
#define TERTIUM_WIDE_DOTS 0
#endif

namespace tertium::similarity {

#if TERTIUM_WIDE_DOTS

inline bool has_wide_registers() {
  static const bool known = __builtin_cpu_supports("avx") != 0;
  return known;
}

// out[r * stride + c] = a[r]·b[c]; every value loaded is used for all rows or columns.
template <std::size_t Rows, std::size_t Columns>
__attribute__((target("avx"))) void dot_block(const float* const* a, const float* const* b, std::size_t width,
                                              double* out, std::size_t stride) {
  using Oct = float __attribute__((vector_size(32)));
  Oct sums[Rows][Columns] = {};
  const std::size_t whole = width - width % 8;
  for (std::size_t k = 0; k < whole; k += 8) {
    Oct left[Rows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) std::memcpy(&left[r], a[r] + k, sizeof(Oct));
#pragma GCC unroll 4
    for (std::size_t c = 0; c < Columns; ++c) {
      Oct right;
      std::memcpy(&right, b[c] + k, sizeof(Oct));
#pragma GCC unroll 4
      for (std::size_t r = 0; r < Rows; ++r) sums[r][c] += left[r] * right;
    }
  }
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t c = 0; c < Columns; ++c) {
      if (whole < width) {  // the last values, with zeros behind them
        Oct left{};
        Oct right{};
        std::memcpy(&left, a[r] + whole, (width - whole) * sizeof(float));
        std::memcpy(&right, b[c] + whole, (width - whole) * sizeof(float));
        sums[r][c] += left * right;
      }
      double total = 0;
      for (int l = 0; l < 4; ++l)
        total += static_cast<double>(sums[r][c][l]) + static_cast<double>(sums[r][c][l + 4]);
      out[r * stride + c] = total;
    }
}

// out[k] = the sum of vectors[.][k], for the first whole registers; returns how many values they hold. Four
// registers at a time, so that sums stay in them.
__attribute__((target("avx"))) inline std::size_t add_up_wide(const float* const* vectors, std::size_t count,
                                                              std::size_t width, float* out) {
  using Oct = float __attribute__((vector_size(32)));
  std::size_t k = 0;
  for (; k + 32 <= width; k += 32) {
    Oct sums[4] = {};
    for (std::size_t v = 0; v < count; ++v)
#pragma GCC unroll 4
      for (std::size_t q = 0; q < 4; ++q) {
        Oct values;
        std::memcpy(&values, vectors[v] + k + 8 * q, sizeof(Oct));
        sums[q] += values;
      }
    std::memcpy(out + k, sums, sizeof sums);
  }
  return k;
}

#endif

}  // namespace tertium::similarity
