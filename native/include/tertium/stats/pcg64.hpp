// numpy's default random numbers, bit by bit, so that resamples are those of tools that draw them with numpy.
//
// O'Neill (2014, "PCG"), the XSL RR 128/64 variant; Lemire (2019, "Fast random integer generation in an
// interval").
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/stats/wide.hpp"

namespace tertium {

// What numpy's `PCG64().state` says: 32-bit numbers are halves of 64-bit ones, and one half may be left over.
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
    constexpr std::uint64_t factor_high = 2549297995355413924, factor_low = 4865540595714422341;
    const std::uint64_t product = at_.low * factor_low;
    const std::uint64_t carried =
        multiply_high(at_.low, factor_low) + at_.high * factor_low + at_.low * factor_high;
    at_.low = product + at_.increment_low;
    at_.high = carried + at_.increment_high + (at_.low < product);
    return std::rotr(at_.high ^ at_.low, static_cast<int>(at_.high >> 58));
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
    if (bound <= 1) {  // numpy draws nothing where there is no choice
      for (auto& each : drawn) each = 0;
      return;
    }
    const std::uint32_t threshold = (0u - bound) % bound;  // 2^32 mod bound
    std::size_t n_drawn = 0;
    const auto take = [&](std::uint32_t word) {  // keeps a number unless it must be drawn again
      const std::uint64_t product = std::uint64_t{word} * bound;
      drawn[n_drawn] = static_cast<std::uint32_t>(product >> 32);
      n_drawn += static_cast<std::uint32_t>(product) >= threshold;
    };
    while (n_drawn < drawn.size() && at_.has_half) take(next32());
    while (n_drawn + 2 <= drawn.size()) {
      const std::uint64_t both = next64();
      take(static_cast<std::uint32_t>(both));
      at_.half = static_cast<std::uint32_t>(both >> 32);  // numpy leaves it there, although it is used
      take(at_.half);
    }
    while (n_drawn < drawn.size()) take(next32());
  }

 private:
  Pcg64State at_;
};

}  // namespace tertium
