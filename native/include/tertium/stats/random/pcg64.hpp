// numpy's default random numbers (PCG64), bit for bit, so that resamples equal those of tools that draw with
// numpy.
//
// O'Neill (2014, "PCG"), the XSL RR 128/64 variant; numbers below a bound by Lemire (2019, "Fast random
// integer generation in an interval"). Constant time per number.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/simd.hpp"
#include "tertium/base/uint128.hpp"

namespace tertium {

#if TERTIUM_HAS_AVX2
// Scales both halves of each word, the lower one first; returns false if one of them must be drawn again.
TERTIUM_AVX2 inline bool scale_words_avx2(std::span<const std::uint64_t> words, std::uint32_t bound,
                                          std::uint32_t threshold, std::uint32_t* drawn) {
  using simd::UInt32x8, simd::UInt64x4;
  const auto factor = UInt64x4::all(bound), low_half = UInt64x4::all(0xffffffff);
  const auto least = UInt32x8::all(threshold);
  UInt32x8::Mask is_rejected{};
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const auto both = UInt64x4::load(words.data() + i);
    const UInt64x4 first = simd::multiply_low_halves(both, factor);
    const UInt64x4 second = simd::multiply_low_halves(both >> 32, factor);
    const UInt64x4 upper = (first >> 32) | (second & ~low_half);
    const UInt64x4 lower = (first & low_half) | (second << 32);
    simd::bits_as<UInt32x8>(upper).store(drawn + 2 * i);
    is_rejected |= simd::bits_as<UInt32x8>(lower) < least;
  }
  return !simd::any_bit(is_rejected);
}
#endif

class Below {
 public:
  explicit Below(std::uint32_t bound) : bound_(bound), threshold_((0u - bound) % bound) {}

  // Writes the number that a word gives; false if it must be drawn again.
  bool take(std::uint32_t word, std::uint32_t& drawn) const {
    const std::uint64_t product = std::uint64_t{word} * bound_;
    drawn = static_cast<std::uint32_t>(product >> 32);
    return static_cast<std::uint32_t>(product) >= threshold_;
  }

  // Writes the numbers that the halves of words give, the lower one first, and returns how many. `drawn` has
  // space for all of them; the number of words is a multiple of four.
  std::size_t take_all(std::span<const std::uint64_t> words, std::uint32_t* drawn) const {
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2() && scale_words_avx2(words, bound_, threshold_, drawn)) return 2 * words.size();
#endif
    std::size_t n_drawn = 0;
    for (const std::uint64_t both : words) {
      n_drawn += take(static_cast<std::uint32_t>(both), drawn[n_drawn]);
      n_drawn += take(static_cast<std::uint32_t>(both >> 32), drawn[n_drawn]);
    }
    return n_drawn;
  }

 private:
  std::uint32_t bound_, threshold_;  // 2^32 mod bound
};

// numpy's `PCG64().state`: 32-bit numbers are halves of 64-bit ones, and one half may be left over.
struct Pcg64State {
  std::uint64_t high, low;
  std::uint64_t increment_high, increment_low;
  bool has_half;
  std::uint32_t half;
};

class Pcg64 {
 public:
  explicit Pcg64(const Pcg64State& state) : at_(state) {}

  const Pcg64State& state() const { return at_; }

  std::uint64_t next64() {
    const UInt128 next = multiply_add({at_.high, at_.low}, kFactor, increment());
    at_.high = next.high;
    at_.low = next.low;
    return output(next);
  }

  // Fills `words`, whose number is a positive multiple of kChains. That many states advance in parallel,
  // because a single chain would wait for each product.
  void next64s(std::span<std::uint64_t> words) {
    UInt128 states[kChains], factor{0, 1}, addend{0, 0};
    UInt128 next{at_.high, at_.low};
    for (UInt128& state : states) {
      state = next = multiply_add(next, kFactor, increment());
      addend = multiply_add(addend, kFactor, increment());
      factor = multiply_add(factor, kFactor, {0, 0});
    }
    for (std::size_t i = 0; i < words.size(); i += kChains)
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kChains; ++k) {
        if (i > 0) states[k] = multiply_add(states[k], factor, addend);
        words[i + k] = output(states[k]);
      }
    at_.high = states[kChains - 1].high;
    at_.low = states[kChains - 1].low;
  }

  std::uint32_t next32() {
    if (at_.has_half) {
      at_.has_half = false;
      return at_.half;
    }
    const std::uint64_t both = next64();
    at_.has_half = true;
    at_.half = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
  }

  // Draws numbers below `bound`, as `Generator.integers(bound, size=n)` does.
  void draw_below(std::uint32_t bound, std::span<std::uint32_t> drawn) {
    if (bound <= 1) {  // numpy draws nothing if only one value is possible
      for (auto& number : drawn) number = 0;
      return;
    }
    const Below below(bound);
    std::size_t n_drawn = 0;
    while (n_drawn < drawn.size() && at_.has_half) n_drawn += below.take(next32(), drawn[n_drawn]);
    std::array<std::uint64_t, 256> words;
    while (n_drawn + 2 * words.size() <= drawn.size()) {
      next64s(words);
      at_.half =
          static_cast<std::uint32_t>(words.back() >> 32);  // numpy leaves it there, although it is used
      n_drawn += below.take_all(words, drawn.data() + n_drawn);
    }
    while (n_drawn < drawn.size()) n_drawn += below.take(next32(), drawn[n_drawn]);
  }

 private:
  static constexpr std::size_t kChains = 4;
  static constexpr UInt128 kFactor{2549297995355413924, 4865540595714422341};

  UInt128 increment() const { return {at_.increment_high, at_.increment_low}; }
  static std::uint64_t output(const UInt128& state) {
    return std::rotr(state.high ^ state.low, static_cast<int>(state.high >> 58));
  }

  Pcg64State at_;
};

}  // namespace tertium
