// Products of rows of bytes with a matrix of bytes, exact in integers and then scaled.
//
// Three versions give the same integers: AVX-512 VNNI multiplies bytes, AVX2 and the baseline multiply
// numbers of 16 bits in pairs. None of them saturates. The sums are scaled by the same float operations.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/encoder/byte_rows.hpp"

namespace tertium::encoder {

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
