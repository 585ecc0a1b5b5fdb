// Matrices that learn: products, their gradients, and Adam's steps.
//
// Kingma & Ba (2015), Adam: A Method for Stochastic Optimization.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

namespace tertium::training {

using Random = std::mt19937_64;

// What a weight may become: bytes in 64ths end at 127 / 64.
inline constexpr float kMaxWeight = 1.98F;

// A matrix with a gradient; a batch adds to the gradient, a step takes it up.
struct Matrix {
  std::size_t n_rows, n_columns;
  std::vector<float> values, gradients, means, squares;

  Matrix(std::size_t rows, std::size_t columns, double deviation, Random& random)
      : n_rows(rows),
        n_columns(columns),
        values(rows * columns),
        gradients(values.size()),
        means(values.size()),
        squares(values.size()) {
    std::normal_distribution<double> normal(0.0, 1.0);
    if (deviation > 0)
      for (float& value : values) value = static_cast<float>(normal(random) * deviation);
  }

  float* row(std::size_t i) { return values.data() + i * n_columns; }
  const float* row(std::size_t i) const { return values.data() + i * n_columns; }
  float* gradient(std::size_t i) { return gradients.data() + i * n_columns; }

  void step_row(std::size_t i, float rate) {
    for (std::size_t k = i * n_columns; k < (i + 1) * n_columns; ++k) {
      means[k] = 0.9F * means[k] + 0.1F * gradients[k];
      squares[k] = 0.99F * squares[k] + 0.01F * gradients[k] * gradients[k];
      values[k] =
          std::clamp(values[k] - rate * means[k] / (std::sqrt(squares[k]) + 1e-6F), -kMaxWeight, kMaxWeight);
      gradients[k] = 0;
    }
  }
  void step(float rate) {
    for (std::size_t i = 0; i < n_rows; ++i) step_row(i, rate);
  }
};

using Lane = float __attribute__((vector_size(32), aligned(4)));
inline constexpr std::size_t kLane = 8;

// Row i of `out` += row i of `in` (width `n_in`) times `weights` (n_in x Width); rows lie `in_step` and
// `out_step` apart.
template <std::size_t Width>
void add_product(const float* in, std::size_t n, std::size_t n_in, std::size_t in_step, const float* weights,
                 float* out, std::size_t out_step) {
  constexpr std::size_t lanes = Width / kLane;
  for (std::size_t i = 0; i < n; ++i) {
    auto* target = reinterpret_cast<Lane*>(out + i * out_step);
    Lane sums[lanes];
    for (std::size_t q = 0; q < lanes; ++q) sums[q] = target[q];
    for (std::size_t k = 0; k < n_in; ++k) {
      const Lane value = in[i * in_step + k] - Lane{};
      const auto* row = reinterpret_cast<const Lane*>(weights + k * Width);
#pragma GCC unroll 16
      for (std::size_t q = 0; q < lanes; ++q) sums[q] += value * row[q];
    }
    for (std::size_t q = 0; q < lanes; ++q) target[q] = sums[q];
  }
}

// weights' gradient += inᵀ · out's gradient.
template <std::size_t Width>
void add_weight_gradient(const float* in, std::size_t n, std::size_t n_in, std::size_t in_step,
                         const float* out_gradient, std::size_t out_step, float* weight_gradient) {
  constexpr std::size_t lanes = Width / kLane;
  for (std::size_t k = 0; k < n_in; ++k) {
    auto* target = reinterpret_cast<Lane*>(weight_gradient + k * Width);
    Lane sums[lanes];
    for (std::size_t q = 0; q < lanes; ++q) sums[q] = target[q];
    for (std::size_t i = 0; i < n; ++i) {
      const Lane value = in[i * in_step + k] - Lane{};
      const auto* row = reinterpret_cast<const Lane*>(out_gradient + i * out_step);
#pragma GCC unroll 16
      for (std::size_t q = 0; q < lanes; ++q) sums[q] += value * row[q];
    }
    for (std::size_t q = 0; q < lanes; ++q) target[q] = sums[q];
  }
}

// Both gradients of out = in · weights, where `in` is In wide.
template <std::size_t In, std::size_t Width>
void add_gradients(const float* in, std::size_t n, const float* weights, float* weight_gradient,
                   const float* out_gradient, std::size_t out_step, float* in_gradient) {
  add_weight_gradient<Width>(in, n, In, In, out_gradient, out_step, weight_gradient);
  std::vector<float> transposed(In * Width);
  for (std::size_t k = 0; k < In; ++k)
    for (std::size_t j = 0; j < Width; ++j) transposed[j * In + k] = weights[k * Width + j];
  add_product<In>(out_gradient, n, Width, out_step, transposed.data(), in_gradient, In);
}

}  // namespace tertium::training
