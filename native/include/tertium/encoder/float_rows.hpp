// The float parts of an encoder: exponentials, GELU and layer normalisation.
//
// Every processor gives the same bits: a function of one number uses the same operations in every lane, and
// sums are those of sixteen lanes (number i belongs to lane i % 16), which are then added as a tree. Row
// widths are multiples of 16.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"

namespace tertium::encoder {

// Lanes of every sum.
inline constexpr std::size_t kSumLanes = 16;

template <std::size_t Lanes>
using Floats = simd::Vec<float, Lanes>;
template <std::size_t Lanes>
using Ints = simd::Vec<std::int32_t, Lanes>;

// The sum of sixteen lanes as a tree: 8 + 8, 4 + 4, 2 + 2, 1 + 1.
inline float add_tree(float (&lanes)[kSumLanes]) {
  for (std::size_t half = kSumLanes / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  return lanes[0];
}

// Sixteen sums in registers of any width.
template <std::size_t Lanes>
struct LaneSums {
  Floats<Lanes> parts[kSumLanes / Lanes];

  TERTIUM_INLINE LaneSums() { simd::clear(parts); }
  TERTIUM_INLINE float total() const {
    float lanes[kSumLanes];
    for (std::size_t p = 0; p < kSumLanes / Lanes; ++p) parts[p].store(lanes + p * Lanes);
    return add_tree(lanes);
  }
};

// Calls step(i, part) for every register of a row: numbers i to i + Lanes - 1, which belong to part `part` of
// LaneSums.
template <std::size_t Lanes, typename Step>
TERTIUM_INLINE void for_each_register(std::size_t width, const Step& step) {
  for (std::size_t i = 0; i < width; i += kSumLanes)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kSumLanes / Lanes; ++part) step(i + part * Lanes, part);
}

// Added to a number below 2^22, this makes its last bit worth one: the sum's bits hold the nearest integer.
inline constexpr float kRounder = 12582912.0F;  // 1.5 · 2^23
inline constexpr std::int32_t kRounderBits = 0x4B400000;

template <std::size_t Lanes>
TERTIUM_INLINE Ints<Lanes> round_to_ints(const Floats<Lanes>& numbers) {
  return simd::bits_as<Ints<Lanes>>(numbers + Floats<Lanes>::all(kRounder)) - Ints<Lanes>::all(kRounderBits);
}

// e to the power of numbers up to 88, with a relative error of about 2e-7; powers below -87 count as -87.
// Cody and Waite's reduction to |x| <= ln 2 / 2, then the polynomial of Cephes' expf.
template <std::size_t Lanes>
TERTIUM_INLINE Floats<Lanes> exp(const Floats<Lanes>& powers) {
  using Number = Floats<Lanes>;
  const Number x = simd::max(powers, Number::all(-87.0F));
  const Number shifted = x * Number::all(1.44269504088896341F) + Number::all(kRounder);
  const Number n = shifted - Number::all(kRounder);
  const Number r = x - n * Number::all(0.693359375F) - n * Number::all(-2.12194440e-4F);
  Number sum = Number::all(1.9875691500e-4F);
  for (const float coefficient :
       {1.3981999507e-3F, 8.3334519073e-3F, 4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F})
    sum = sum * r + Number::all(coefficient);
  const Number power = sum * (r * r) + r + Number::all(1.0F);
  const auto exponent = simd::bits_as<Ints<Lanes>>(shifted) - Ints<Lanes>::all(kRounderBits - 127);
  return power * simd::bits_as<Number>(exponent << 23);
}

// x · Φ(x), with the error function of Abramowitz and Stegun, 7.1.26 (its error is at most 1.5e-7).
template <std::size_t Lanes>
TERTIUM_INLINE Floats<Lanes> gelu(const Floats<Lanes>& x) {
  using Number = Floats<Lanes>;
  const Number one = Number::all(1.0F), half_x = x * Number::all(0.5F);
  const Number z = simd::max(x, Number{} - x) * Number::all(0.70710678118654752F);
  const Number t = one / (one + z * Number::all(0.3275911F));
  Number sum = Number::all(1.061405429F);
  for (const float coefficient : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F})
    sum = sum * t + Number::all(coefficient);
  const Number tail = sum * t * exp<Lanes>(Number{} - z * z);  // 1 - erf(z)
  return simd::select(x < Number{}, half_x * tail, x - half_x * tail);
}

template <std::size_t Lanes>
TERTIUM_INLINE void gelu_row(float* row, std::size_t width) {
  for_each_register<Lanes>(width, [&](std::size_t i, std::size_t) TERTIUM_ALWAYS_INLINE {
    gelu<Lanes>(Floats<Lanes>::load(row + i)).store(row + i);
  });
}

// row += added.
template <std::size_t Lanes>
TERTIUM_INLINE void add_row(const float* added, float* row, std::size_t width) {
  for_each_register<Lanes>(width, [&](std::size_t i, std::size_t) TERTIUM_ALWAYS_INLINE {
    (Floats<Lanes>::load(row + i) + Floats<Lanes>::load(added + i)).store(row + i);
  });
}

// BERT's constant.
inline constexpr float kNormEpsilon = 1e-12F;

// Weights and biases of a layer normalisation.
struct Norm {
  std::span<const float> weights;
  std::span<const float> biases;
};

template <std::size_t Lanes>
TERTIUM_INLINE void normalise_row(const Norm& norm, float* row, std::size_t width) {
  using Number = Floats<Lanes>;
  LaneSums<Lanes> sums, squares;
  for_each_register<Lanes>(width, [&](std::size_t i, std::size_t part)
                                      TERTIUM_ALWAYS_INLINE { sums.parts[part] += Number::load(row + i); });
  const Number mean = Number::all(sums.total() / static_cast<float>(width));
  for_each_register<Lanes>(width, [&](std::size_t i, std::size_t part) TERTIUM_ALWAYS_INLINE {
    const Number centred = Number::load(row + i) - mean;
    centred.store(row + i);
    squares.parts[part] += centred * centred;
  });
  const Number inverse =
      Number::all(1.0F / std::sqrt(squares.total() / static_cast<float>(width) + kNormEpsilon));
  for_each_register<Lanes>(width, [&](std::size_t i, std::size_t) TERTIUM_ALWAYS_INLINE {
    const Number normal = Number::load(row + i) * inverse;
    (normal * Number::load(norm.weights.data() + i) + Number::load(norm.biases.data() + i)).store(row + i);
  });
}

}  // namespace tertium::encoder
