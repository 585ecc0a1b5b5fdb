// Rows of floats as bytes, the inputs of integer products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/encoder/float_rows.hpp"

namespace tertium::encoder {

// The part of an input that is outside the range of a byte.
struct Outlier {
  std::uint32_t input;
  std::int32_t excess;
};

// Rows of inputs as bytes: input k of a row is about low + step · (byte k + its outlier's excess). Each row
// has its own range, so that it does not depend on the other rows of a batch. A few inputs of a trained
// encoder are ten times larger than the others. The range ends at `kClip` root mean squares, because bytes
// would be too coarse if it contained these; their excesses are multiplied separately.
class ByteRows {
 public:
  static constexpr float kClip = 4.0F;
  // Of the inputs after GELU many are beyond four root mean squares, and each excess costs time.
  static constexpr float kWideClip = 6.0F;

  // The most inputs of a row, and the distance between rows. It is constant, so that the inner loops address
  // all rows of a tile from one pointer, and no multiple of a power of two, whose rows would share places in
  // the processor's cache.
  static constexpr std::size_t kMaxWidth = 1536;
  static constexpr std::size_t kStride = kMaxWidth + 64;
  // Rows after the last that may be read, because tiles have fixed sizes; their products are not used.
  static constexpr std::size_t kPadding = 12;

  void resize(std::size_t n_rows, std::size_t width) {
    n_rows_ = n_rows, width_ = width;
    const std::size_t size = (n_rows + kPadding) * kStride;
    if (simd::use_avx512())
      bytes_.resize(size);
    else
      words_.resize(size);
    steps_.resize(n_rows), lows_.resize(n_rows), ends_.assign(n_rows + 1, 0);
    outliers_.clear();
  }

  std::size_t size() const { return n_rows_; }
  std::size_t width() const { return width_; }
  // With AVX-512, which multiplies bytes.
  const std::uint8_t* bytes(std::size_t row) const { return bytes_.data() + row * kStride; }
  // The bytes as numbers of 16 bits, without AVX-512.
  const std::int16_t* words(std::size_t row) const { return words_.data() + row * kStride; }
  float step(std::size_t row) const { return steps_[row]; }
  float low(std::size_t row) const { return lows_[row]; }
  std::span<const Outlier> outliers(std::size_t row) const {
    return std::span(outliers_).subspan(ends_[row], ends_[row + 1] - ends_[row]);
  }

  // Rows must be set from the first to the last.
  template <std::size_t Lanes>
  TERTIUM_INLINE void set(std::size_t row, const float* values, float clip) {
    find_range<Lanes>(row, values, clip);
    using Number = Floats<Lanes>;
    const float inverse = steps_[row] > 0.0F ? 1.0F / steps_[row] : 0.0F;
    const Number low = Number::all(lows_[row]), scale = Number::all(inverse);
    for (std::size_t i = 0; i < width_; i += Lanes) {
      const Ints<Lanes> whole = round_to_ints<Lanes>((Number::load(values + i) - low) * scale);
      const Ints<Lanes> inside = simd::max(simd::min(whole, Ints<Lanes>::all(255)), Ints<Lanes>{});
      write<Lanes>(row * kStride + i, inside);
      if (simd::any(whole != inside)) add_outliers<Lanes>(i, whole, inside);
    }
    ends_[row + 1] = outliers_.size();
  }

 private:
  template <std::size_t Lanes>
  TERTIUM_INLINE void find_range(std::size_t row, const float* values, float clip) {
    using Number = Floats<Lanes>;
    LaneSums<Lanes> squares;
    Number least = Number::load(values), most = least;
    for_each_register<Lanes>(width_, [&](std::size_t i, std::size_t part) TERTIUM_ALWAYS_INLINE {
      const Number value = Number::load(values + i);
      squares.parts[part] += value * value;
      least = simd::min(least, value), most = simd::max(most, value);
    });
    float lows[Lanes], highs[Lanes];
    least.store(lows), most.store(highs);
    const float limit = clip * std::sqrt(squares.total() / static_cast<float>(width_));
    const float low = std::max(*std::min_element(lows, lows + Lanes), -limit);
    const float high = std::min(*std::max_element(highs, highs + Lanes), limit);
    lows_[row] = low, steps_[row] = (high - low) / 255.0F;
  }

  template <std::size_t Lanes>
  TERTIUM_INLINE void write(std::size_t place, const Ints<Lanes>& numbers) {
    if constexpr (Lanes == 16)
      simd::convert<std::uint8_t>(numbers).store(bytes_.data() + place);
    else
      simd::convert<std::int16_t>(numbers).store(words_.data() + place);
  }

  template <std::size_t Lanes>
  void add_outliers(std::size_t first, const Ints<Lanes>& whole, const Ints<Lanes>& inside) {
    for (std::size_t lane = 0; lane < Lanes; ++lane)
      if (const std::int32_t excess = whole[lane] - inside[lane]; excess != 0)
        outliers_.push_back({static_cast<std::uint32_t>(first + lane), excess});
  }

  std::size_t n_rows_ = 0, width_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int16_t> words_;
  std::vector<float> steps_, lows_;
  std::vector<std::size_t> ends_;
  std::vector<Outlier> outliers_;
};

}  // namespace tertium::encoder
