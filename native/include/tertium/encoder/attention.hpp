// Attention of the pieces of one sequence to each other (Vaswani et al., 2017).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/encoder/float_rows.hpp"

namespace tertium::encoder {

// Numbers per head, in BERT and its relatives of this size.
inline constexpr std::size_t kHead = 32;

// Quadratic in the sequence's length. Scores have a lane per key, outputs a lane per number of a head; the
// sum of a score goes through a head's numbers in their order, that of an output through the keys.
class Attention {
 public:
  // `projected` has a row per piece: queries, keys and values of all heads; `out` has a row per piece.
  template <std::size_t Lanes>
  TERTIUM_INLINE void attend(const float* projected, std::size_t n_pieces, std::size_t width, float* out) {
    n_pieces_ = n_pieces, width_ = width;
    n_padded_ = (n_pieces + kSumLanes - 1) / kSumLanes * kSumLanes;
    keys_.assign(kHead * n_padded_, 0.0F);
    scores_.resize(kQueries * n_padded_);
    for (std::size_t head = 0; head < width; head += kHead) {
      transpose_keys(projected + width + head);
      for (std::size_t query = 0; query < n_pieces; query += kQueries) {
        const float* queries[kQueries];
        float* outs[kQueries];
        for (std::size_t q = 0; q < kQueries; ++q) {  // the last piece again if there are no more
          const std::size_t piece = std::min(query + q, n_pieces - 1);
          queries[q] = projected + piece * 3 * width + head, outs[q] = out + piece * width + head;
        }
        score<Lanes>(queries);
        add_values<Lanes>(projected + 2 * width + head, outs);
      }
    }
  }

 private:
  // Queries that are computed together: keys and values are loaded once for all of them.
  static constexpr std::size_t kQueries = 4;
  // The score of places after the last piece.
  static constexpr float kNoScore = std::numeric_limits<float>::lowest();

  void transpose_keys(const float* keys) {
    for (std::size_t piece = 0; piece < n_pieces_; ++piece)
      for (std::size_t i = 0; i < kHead; ++i) keys_[i * n_padded_ + piece] = keys[piece * 3 * width_ + i];
  }

  // scores_[q] = exp(score - the largest score), 0 after the last piece; inverses_[q] = 1 / their sum.
  template <std::size_t Lanes>
  TERTIUM_INLINE void score(const float* const (&queries)[kQueries]) {
    using Number = Floats<Lanes>;
    const Number scale = Number::all(1.0F / std::sqrt(static_cast<float>(kHead)));
    for (std::size_t key = 0; key < n_padded_; key += Lanes) {
      Number sums[kQueries];
      simd::clear(sums);
      for (std::size_t i = 0; i < kHead; ++i) {
        const Number keys = Number::load(keys_.data() + i * n_padded_ + key);
#pragma GCC unroll 4
        for (std::size_t q = 0; q < kQueries; ++q) sums[q] += Number::all(queries[q][i]) * keys;
      }
#pragma GCC unroll 4
      for (std::size_t q = 0; q < kQueries; ++q)
        (sums[q] * scale).store(scores_.data() + q * n_padded_ + key);
    }
    for (std::size_t q = 0; q < kQueries; ++q)
      inverses_[q] = normalise<Lanes>(scores_.data() + q * n_padded_);
  }

  template <std::size_t Lanes>
  TERTIUM_INLINE float normalise(float* scores) const {
    using Number = Floats<Lanes>;
    std::fill(scores + n_pieces_, scores + n_padded_, kNoScore);
    Number highest = Number::load(scores);
    for (std::size_t i = Lanes; i < n_padded_; i += Lanes)
      highest = simd::max(highest, Number::load(scores + i));
    float lanes[Lanes];
    highest.store(lanes);
    const Number most = Number::all(*std::max_element(lanes, lanes + Lanes));
    LaneSums<Lanes> sums;
    for_each_register<Lanes>(n_padded_, [&](std::size_t i, std::size_t part) TERTIUM_ALWAYS_INLINE {
      const Number given = Number::load(scores + i);
      const Number power = exp<Lanes>(given - most);
      const Number kept = simd::select(given == Number::all(kNoScore), Number{}, power);
      kept.store(scores + i);
      sums.parts[part] += kept;
    });
    return 1.0F / sums.total();
  }

  template <std::size_t Lanes>
  TERTIUM_INLINE void add_values(const float* values, float* const (&outs)[kQueries]) const {
    using Number = Floats<Lanes>;
    constexpr std::size_t kRegisters = std::min<std::size_t>(kHead / Lanes, 2);
    for (std::size_t first = 0; first < kHead; first += kRegisters * Lanes) {
      Number sums[kQueries][kRegisters];
      simd::clear(sums);
      for (std::size_t key = 0; key < n_pieces_; ++key)
#pragma GCC unroll 2
        for (std::size_t k = 0; k < kRegisters; ++k) {
          const Number value = Number::load(values + key * 3 * width_ + first + k * Lanes);
#pragma GCC unroll 4
          for (std::size_t q = 0; q < kQueries; ++q)
            sums[q][k] += Number::all(scores_[q * n_padded_ + key]) * value;
        }
#pragma GCC unroll 4
      for (std::size_t q = 0; q < kQueries; ++q)
#pragma GCC unroll 2
        for (std::size_t k = 0; k < kRegisters; ++k)
          (sums[q][k] * Number::all(inverses_[q])).store(outs[q] + first + k * Lanes);
    }
  }

  std::size_t n_pieces_ = 0, n_padded_ = 0, width_ = 0;
  std::vector<float> keys_, scores_;
  float inverses_[kQueries] = {};
};

}  // namespace tertium::encoder
