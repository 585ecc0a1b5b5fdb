// numpy's default random numbers, bit by bit, so that resamples are those of tools that draw them with numpy.
//
// O'Neill (2014, "PCG"), the XSL RR 128/64 variant.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/stats/below.hpp"
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
    const Wide next = multiply_add({at_.high, at_.low}, kFactor, increment());
    at_.high = next.high;
    at_.low = next.low;
    return output(next);
  }

  // The next numbers, as many as there is room for, which is an even number. Two states go side by side, each
  // two steps at a time, since a step alone would have to wait for the one before.
  void next64s(std::span<std::uint64_t> words) {
    const Wide factor = multiply_add(kFactor, kFactor, {0, 0});
    const Wide addend = multiply_add(kFactor, increment(), increment());
    Wide even = multiply_add({at_.high, at_.low}, kFactor, increment());
    Wide odd = multiply_add(even, kFactor, increment());
    for (std::size_t i = 0; i < words.size(); i += 2) {
      words[i] = output(even);
      words[i + 1] = output(odd);
      at_.high = odd.high;
      at_.low = odd.low;
      even = multiply_add(even, factor, addend);
      odd = multiply_add(odd, factor, addend);
    }
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
  static constexpr Wide kFactor{2549297995355413924, 4865540595714422341};

  Wide increment() const { return {at_.increment_high, at_.increment_low}; }
  static std::uint64_t output(const Wide& state) {
    return std::rotr(state.high ^ state.low, static_cast<int>(state.high >> 58));
  }

  Pcg64State at_;
};

}  // namespace tertium
