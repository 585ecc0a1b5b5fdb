// Products of small integers: the inner loops of a network whose result is the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#define TERTIUM_HAS_SSE2 1
#endif

namespace tertium {

// Weights are in 64ths and activations in 256ths; their products are shifted back by the weights' bits.
inline constexpr int kWeightBits = 6;
inline constexpr int kActivationBits = 8;

// Activations stay below 32, so that a sum of products of any layer fits into 32 bits.
inline constexpr std::int32_t kMaxActivation = (32 << kActivationBits) - 1;

inline std::int16_t clamp16(std::int32_t value, std::int32_t limit) {
  return static_cast<std::int16_t>(std::clamp(value, -limit, limit));
}
inline std::int16_t activate(std::int32_t sum) {
  return static_cast<std::int16_t>(std::clamp(sum, std::int32_t{0}, kMaxActivation));
}

// Adds rows of 16-bit numbers to sums that hold them, 32 at a time: so many stay in registers while the rows
// go by.
template <std::size_t Width>
void add_rows(std::span<const std::int16_t* const> rows, std::array<std::int16_t, Width>& sums) {
  static_assert(Width % 32 == 0);
#ifdef TERTIUM_HAS_SSE2
  for (std::size_t first = 0; first < Width; first += 32) {
    auto* out = reinterpret_cast<__m128i*>(sums.data() + first);
    __m128i a = _mm_loadu_si128(out), b = _mm_loadu_si128(out + 1);
    __m128i c = _mm_loadu_si128(out + 2), d = _mm_loadu_si128(out + 3);
    for (const std::int16_t* values : rows) {
      const auto* row = reinterpret_cast<const __m128i*>(values + first);
      a = _mm_add_epi16(a, _mm_loadu_si128(row)), b = _mm_add_epi16(b, _mm_loadu_si128(row + 1));
      c = _mm_add_epi16(c, _mm_loadu_si128(row + 2)), d = _mm_add_epi16(d, _mm_loadu_si128(row + 3));
    }
    _mm_storeu_si128(out, a), _mm_storeu_si128(out + 1, b);
    _mm_storeu_si128(out + 2, c), _mm_storeu_si128(out + 3, d);
  }
#else
  for (const std::int16_t* row : rows)
    for (std::size_t j = 0; j < Width; ++j) sums[j] = static_cast<std::int16_t>(sums[j] + row[j]);
#endif
}

// Two inputs of a layer side by side, as one instruction multiplies them, and which of all pairs they are.
struct ActivePair {
  std::array<std::int16_t, 2> inputs;
  std::uint32_t number;
};

// The pairs of inputs that are not both zero: after an activation half of them are, and none of those adds
// anything to a sum.
template <std::size_t Inputs>
class ActivePairs {
 public:
  void read(const std::int16_t* inputs) {
    size_ = 0;
    for (std::uint32_t k = 0; k < Inputs / 2; ++k) {  // each is written, and counts if it is not zero
      pairs_[size_] = {{inputs[2 * k], inputs[2 * k + 1]}, k};
      size_ += (inputs[2 * k] | inputs[2 * k + 1]) != 0;
    }
  }

  operator std::span<const ActivePair>() const { return std::span(pairs_).first(size_); }

 private:
  std::array<ActivePair, Inputs / 2> pairs_;
  std::size_t size_ = 0;
};

namespace products {

// How many sums a block has.
inline constexpr std::size_t kBlock = 32;

// sums[j] += pairs[.][j] · inputs, for the sums of one block. All versions give the same numbers.
using AddBlock = void (*)(const std::int16_t* pairs, std::span<const ActivePair> active, std::int32_t* sums);

inline void add_block(const std::int16_t* pairs, std::span<const ActivePair> active, std::int32_t* sums) {
  for (const ActivePair& pair : active) {
    const std::int16_t* const row = pairs + pair.number * 2 * kBlock;
    const std::int32_t first = pair.inputs[0], second = pair.inputs[1];
    for (std::size_t j = 0; j < kBlock; ++j) sums[j] += row[2 * j] * first + row[2 * j + 1] * second;
  }
}

inline std::int32_t as_number(const ActivePair& pair) {
  std::int32_t number;
  std::memcpy(&number, pair.inputs.data(), sizeof number);
  return number;
}

#ifdef TERTIUM_HAS_SSE2
// Eight sums of four numbers each, as variables: compilers keep an array in memory.
inline void add_block_sse2(const std::int16_t* pairs, std::span<const ActivePair> active,
                           std::int32_t* sums) {
  auto* out = reinterpret_cast<__m128i*>(sums);
  __m128i a = _mm_loadu_si128(out), b = _mm_loadu_si128(out + 1), c = _mm_loadu_si128(out + 2);
  __m128i d = _mm_loadu_si128(out + 3), e = _mm_loadu_si128(out + 4), f = _mm_loadu_si128(out + 5);
  __m128i g = _mm_loadu_si128(out + 6), h = _mm_loadu_si128(out + 7);
  for (const ActivePair& pair : active) {
    const auto* row = reinterpret_cast<const __m128i*>(pairs + pair.number * 2 * kBlock);
    const __m128i both = _mm_set1_epi32(as_number(pair));
    a = _mm_add_epi32(a, _mm_madd_epi16(both, _mm_loadu_si128(row)));
    b = _mm_add_epi32(b, _mm_madd_epi16(both, _mm_loadu_si128(row + 1)));
    c = _mm_add_epi32(c, _mm_madd_epi16(both, _mm_loadu_si128(row + 2)));
    d = _mm_add_epi32(d, _mm_madd_epi16(both, _mm_loadu_si128(row + 3)));
    e = _mm_add_epi32(e, _mm_madd_epi16(both, _mm_loadu_si128(row + 4)));
    f = _mm_add_epi32(f, _mm_madd_epi16(both, _mm_loadu_si128(row + 5)));
    g = _mm_add_epi32(g, _mm_madd_epi16(both, _mm_loadu_si128(row + 6)));
    h = _mm_add_epi32(h, _mm_madd_epi16(both, _mm_loadu_si128(row + 7)));
  }
  _mm_storeu_si128(out, a), _mm_storeu_si128(out + 1, b), _mm_storeu_si128(out + 2, c);
  _mm_storeu_si128(out + 3, d), _mm_storeu_si128(out + 4, e), _mm_storeu_si128(out + 5, f);
  _mm_storeu_si128(out + 6, g), _mm_storeu_si128(out + 7, h);
}
#endif

#if TERTIUM_HAS_AVX2
TERTIUM_AVX2 inline void add_block_avx2(const std::int16_t* pairs, std::span<const ActivePair> active,
                                        std::int32_t* sums) {
  auto* out = reinterpret_cast<__m256i*>(sums);
  __m256i a = _mm256_loadu_si256(out), b = _mm256_loadu_si256(out + 1);
  __m256i c = _mm256_loadu_si256(out + 2), d = _mm256_loadu_si256(out + 3);
  for (const ActivePair& pair : active) {
    const auto* row = reinterpret_cast<const __m256i*>(pairs + pair.number * 2 * kBlock);
    const __m256i both = _mm256_set1_epi32(as_number(pair));
    a = _mm256_add_epi32(a, _mm256_madd_epi16(both, _mm256_loadu_si256(row)));
    b = _mm256_add_epi32(b, _mm256_madd_epi16(both, _mm256_loadu_si256(row + 1)));
    c = _mm256_add_epi32(c, _mm256_madd_epi16(both, _mm256_loadu_si256(row + 2)));
    d = _mm256_add_epi32(d, _mm256_madd_epi16(both, _mm256_loadu_si256(row + 3)));
  }
  _mm256_storeu_si256(out, a), _mm256_storeu_si256(out + 1, b);
  _mm256_storeu_si256(out + 2, c), _mm256_storeu_si256(out + 3, d);
}
#endif

// The fastest version for this processor.
inline AddBlock choose_add_block() {
#if TERTIUM_HAS_AVX2
  if (prefers_avx2()) return add_block_avx2;
#endif
#ifdef TERTIUM_HAS_SSE2
  return add_block_sse2;
#else
  return add_block;
#endif
}

inline const AddBlock add_block_here = choose_add_block();

}  // namespace products

// A matrix of bytes as the processor likes to read it: the outputs in blocks of 32, and within a block two
// inputs of every output side by side, since one instruction multiplies and adds pairs of 16 bits.
class PairedMatrix {
 public:
  PairedMatrix() = default;
  // `weights` has a row of `n_inputs` (an even number) for each output.
  PairedMatrix(std::span<const std::int8_t> weights, std::size_t n_inputs) : n_inputs_(n_inputs) {
    n_outputs_ = weights.size() / n_inputs;
    const std::size_t n_blocks = (n_outputs_ + kBlock - 1) / kBlock;
    values_.assign(n_blocks * kBlock * n_inputs, 0);
    for (std::size_t j = 0; j < n_outputs_; ++j)
      for (std::size_t k = 0; k < n_inputs; ++k) values_[place(j, k)] = weights[j * n_inputs + k];
  }

  std::size_t n_outputs() const { return n_outputs_; }
  // How many sums add_products writes: the outputs, filled up to whole blocks.
  std::size_t padded() const { return n_inputs_ == 0 ? 0 : values_.size() / n_inputs_; }

  // sums[j] += (row j of the weights) · inputs, for all padded() outputs. The inputs are those from `first`
  // on, an even number; of the others nothing is added.
  void add_products(std::span<const ActivePair> active, std::int32_t* sums, std::size_t first = 0) const {
    for (std::size_t j = 0; j < padded(); j += kBlock)
      products::add_block_here(values_.data() + j * n_inputs_ + first * kBlock, active, sums + j);
  }

 private:
  static constexpr std::size_t kBlock = products::kBlock;

  std::size_t place(std::size_t j, std::size_t k) const {
    const std::size_t block = j / kBlock * kBlock;
    return block * n_inputs_ + k / 2 * 2 * kBlock + (j - block) * 2 + k % 2;
  }

  std::size_t n_inputs_ = 0, n_outputs_ = 0;
  std::vector<std::int16_t> values_;
};

}  // namespace tertium
