// Rows of floats as bytes, and their products with a matrix of bytes, exact in integers and then scaled.
//
// Three versions give the same integers: AVX-512 VNNI multiplies bytes, AVX2 and the baseline multiply
// numbers of 16 bits in pairs. None of them saturates. The sums are scaled by the same float operations.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// A layer as it is given: `weights` has a row per input; weight (k, j) is scales[j] · weights[k][j].
struct Dense {
  std::span<const std::int8_t> weights;
  std::span<const float> scales;
  std::span<const float> biases;
};

// A layer in the order in which the inner loops read it: panels of 32 outputs, and within a panel four inputs
// of every output next to each other.
class Panels {
 public:
  static constexpr std::size_t kOutputs = 32;

  // Layers that have the same inputs become one, with the outputs of the first layer first.
  Panels(std::span<const Dense> layers, std::size_t n_inputs) : n_inputs_(n_inputs) {
    for (const Dense& layer : layers) append(layer);
  }

  std::size_t n_inputs() const { return n_inputs_; }
  std::size_t n_outputs() const { return scales_.size(); }
  // The weights of the panel that begins with this output.
  const std::int8_t* weights(std::size_t output) const { return weights_.data() + output * n_inputs_; }

  // The outputs of a row from the integer sums of `Lanes` outputs, which begin with number `output`.
  template <std::size_t Lanes>
  TERTIUM_INLINE void scale(const Ints<Lanes>& sums, const ByteRows& rows, std::size_t row,
                            std::size_t output, float* out) const {
    using Number = Floats<Lanes>;
    const Number products = simd::convert<float>(sums) * Number::all(rows.step(row));
    const Number constant = Number::all(rows.low(row)) * Number::load(column_sums_.data() + output) +
                            Number::load(biases_.data() + output);
    (products * Number::load(scales_.data() + output) + constant).store(out + row * n_outputs() + output);
  }

 private:
  void append(const Dense& layer) {
    const std::size_t first = n_outputs(), n_added = layer.scales.size();
    weights_.resize((first + n_added) * n_inputs_);
    for (std::size_t k = 0; k < n_inputs_; ++k)
      for (std::size_t j = 0; j < n_added; ++j)
        weights_[place(first + j, k)] = layer.weights[k * n_added + j];
    scales_.insert(scales_.end(), layer.scales.begin(), layer.scales.end());
    biases_.insert(biases_.end(), layer.biases.begin(), layer.biases.end());
    std::vector<std::int32_t> sums(n_added, 0);
    for (std::size_t k = 0; k < n_inputs_; ++k)
      for (std::size_t j = 0; j < n_added; ++j) sums[j] += layer.weights[k * n_added + j];
    for (std::size_t j = 0; j < n_added; ++j)
      column_sums_.push_back(static_cast<float>(sums[j]) * layer.scales[j]);
  }

  std::size_t place(std::size_t output, std::size_t input) const {
    const std::size_t panel = output / kOutputs * kOutputs;
    return panel * n_inputs_ + input / 4 * 4 * kOutputs + (output - panel) * 4 + input % 4;
  }

  std::size_t n_inputs_;
  std::vector<std::int8_t> weights_;
  std::vector<float> scales_, biases_, column_sums_;
};

namespace products {

template <typename Number, typename From>
TERTIUM_INLINE Number read_as(const From* from) {
  Number number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

// Four numbers of 16 bits of which only that of the outlier's input is not zero: its excess as inputs.
TERTIUM_INLINE std::int64_t as_inputs(const Outlier& outlier) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t bits = static_cast<std::uint16_t>(outlier.excess);
  return static_cast<std::int64_t>(bits << (16 * (outlier.input % 4)));
}

// A tile: some rows, and the outputs of a panel or a part of it.
struct Tile {
  const ByteRows& rows;
  const Panels& panels;
  std::size_t row, n_rows, output;
  float* out;

  // The weights of this tile's outputs for four inputs.
  const std::int8_t* weights(std::size_t input) const {
    const std::size_t within = output % Panels::kOutputs;
    return panels.weights(output - within) + input / 4 * 4 * Panels::kOutputs + within * 4;
  }
};

// 4 outputs.
template <std::size_t Rows>
void multiply_baseline(const Tile& tile) {
  using simd::Int16x8, simd::Int32x4;
  Int32x4 sums[Rows][2];  // two sums of two outputs each
  simd::clear(sums);
  const auto add = [&](std::size_t r, std::int64_t four, const Int16x8& first, const Int16x8& second)
                       TERTIUM_ALWAYS_INLINE {
                         const auto inputs = simd::bits_as<Int16x8>(simd::Vec<std::int64_t, 2>::all(four));
                         sums[r][0] += simd::multiply_pairs(inputs, first);
                         sums[r][1] += simd::multiply_pairs(inputs, second);
                       };
  const std::int8_t* weights = tile.weights(0);
  const std::int16_t* words = tile.rows.words(tile.row);
  for (std::size_t k = 0; k < tile.rows.width(); k += 4, weights += 4 * Panels::kOutputs, words += 4) {
    const Int16x8 first = simd::load_eight(weights), second = simd::load_eight(weights + 8);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r)
      add(r, read_as<std::int64_t>(words + r * ByteRows::kStride), first, second);
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r) {
    if (r >= tile.n_rows) return;
    for (const Outlier& outlier : tile.rows.outliers(tile.row + r)) {
      const std::int8_t* const its = tile.weights(outlier.input);
      add(r, as_inputs(outlier), simd::load_eight(its), simd::load_eight(its + 8));
    }
    const std::int32_t totals[4] = {sums[r][0][0] + sums[r][0][1], sums[r][0][2] + sums[r][0][3],
                                    sums[r][1][0] + sums[r][1][1], sums[r][1][2] + sums[r][1][3]};
    tile.panels.scale<4>(Int32x4::load(totals), tile.rows, tile.row + r, tile.output, tile.out);
  }
}

#if TERTIUM_HAS_AVX2
// 8 outputs.
template <std::size_t Rows>
TERTIUM_AVX2 void multiply_avx2(const Tile& tile) {
  using simd::Int16x16, simd::Int32x8, simd::Int64x4;
  Int32x8 sums[Rows][2];  // two sums of four outputs each
  simd::clear(sums);
  const std::int8_t* weights = tile.weights(0);
  const std::int16_t* words = tile.rows.words(tile.row);
  for (std::size_t k = 0; k < tile.rows.width(); k += 4, weights += 4 * Panels::kOutputs, words += 4) {
    const Int16x16 first = simd::load_sixteen(weights), second = simd::load_sixteen(weights + 16);
#pragma GCC unroll 6
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto inputs =
          simd::bits_as<Int16x16>(Int64x4::all(read_as<std::int64_t>(words + r * ByteRows::kStride)));
      sums[r][0] += simd::multiply_pairs(inputs, first);
      sums[r][1] += simd::multiply_pairs(inputs, second);
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < Rows; ++r) {
    if (r >= tile.n_rows) return;
    for (const Outlier& outlier : tile.rows.outliers(tile.row + r)) {
      const auto inputs = simd::bits_as<Int16x16>(Int64x4::all(as_inputs(outlier)));
      const std::int8_t* const its = tile.weights(outlier.input);
      sums[r][0] += simd::multiply_pairs(inputs, simd::load_sixteen(its));
      sums[r][1] += simd::multiply_pairs(inputs, simd::load_sixteen(its + 16));
    }
    tile.panels.scale<8>(simd::add_neighbours(sums[r][0], sums[r][1]), tile.rows, tile.row + r, tile.output,
                         tile.out);
  }
}

// 32 outputs.
template <std::size_t Rows>
TERTIUM_AVX512 void multiply_avx512(const Tile& tile) {
  using simd::Int32x16;
  Int32x16 sums[Rows][2];
  simd::clear(sums);
  const std::int8_t* weights = tile.weights(0);
  const std::uint8_t* bytes = tile.rows.bytes(tile.row);
  for (std::size_t k = 0; k < tile.rows.width(); k += 4, weights += 4 * Panels::kOutputs, bytes += 4) {
    const auto first = read_as<Int32x16>(weights), second = read_as<Int32x16>(weights + 64);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto inputs = Int32x16::all(read_as<std::int32_t>(bytes + r * ByteRows::kStride));
      simd::add_byte_products(sums[r][0], inputs, first);
      simd::add_byte_products(sums[r][1], inputs, second);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < Rows; ++r) {
    if (r >= tile.n_rows) return;
    for (const Outlier& outlier : tile.rows.outliers(tile.row + r)) {
      const std::int8_t* const its = tile.weights(outlier.input);
      const int shift = 24 - 8 * static_cast<int>(outlier.input % 4);  // moves the input's byte to the top
      const auto excess = Int32x16::all(outlier.excess);
      sums[r][0] += ((read_as<Int32x16>(its) << shift) >> 24) * excess;
      sums[r][1] += ((read_as<Int32x16>(its + 64) << shift) >> 24) * excess;
    }
    tile.panels.scale<16>(sums[r][0], tile.rows, tile.row + r, tile.output, tile.out);
    tile.panels.scale<16>(sums[r][1], tile.rows, tile.row + r, tile.output + 16, tile.out);
  }
}
#endif

// Multiplies all rows with `Outputs` outputs in tiles of `Rows` rows. The last ones are computed in smaller
// tiles, which take rows beyond the end.
template <std::size_t Rows, typename Multiply>
void for_each_tile(const ByteRows& rows, const Panels& panels, std::size_t n_outputs, float* out,
                   const Multiply& multiply) {
  for (std::size_t panel = 0; panel < panels.n_outputs(); panel += Panels::kOutputs)
    for (std::size_t row = 0; row < rows.size(); row += Rows)
      for (std::size_t output = panel; output < panel + Panels::kOutputs; output += n_outputs)
        multiply(Tile{rows, panels, row, std::min(Rows, rows.size() - row), output, out});
}

}  // namespace products

// out[row][output] = (row of inputs) · weights + bias.
inline void multiply(const ByteRows& rows, const Panels& panels, float* out) {
#if TERTIUM_HAS_AVX2
  if (simd::use_avx512())
    return products::for_each_tile<12>(rows, panels, 32, out, [](const products::Tile& tile) {
      if (tile.n_rows > 8) return products::multiply_avx512<12>(tile);
      if (tile.n_rows > 4) return products::multiply_avx512<8>(tile);
      products::multiply_avx512<4>(tile);
    });
  if (simd::use_avx2())
    return products::for_each_tile<6>(rows, panels, 8, out, [](const products::Tile& tile) {
      if (tile.n_rows > 3) return products::multiply_avx2<6>(tile);
      products::multiply_avx2<3>(tile);
    });
#endif
  products::for_each_tile<4>(rows, panels, 4, out,
                             [](const products::Tile& tile) { products::multiply_baseline<4>(tile); });
}

}  // namespace tertium::encoder
