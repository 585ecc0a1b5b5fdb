// A BERT encoder with weights of one byte (Devlin et al., 2019): ids of word pieces in, a state per piece
// out.
//
// Sequences are computed in packs without padding. Every operation concerns one piece, or the pieces of one
// sequence, so that states do not depend on the other sequences of a pack, on threads or on the processor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/encoder/byte_products.hpp"
#include "tertium/encoder/float_rows.hpp"

namespace tertium::encoder {

// Numbers per head, in BERT and its relatives of this size.
inline constexpr std::size_t kHead = 32;

// Attention of the pieces of one sequence to each other (Vaswani et al., 2017): quadratic in its length.
// Scores have a lane per key, outputs a lane per number of a head; the
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

// A table of vectors: row i is scales[i] · values[i].
struct ByteTable {
  std::span<const std::int8_t> values;
  std::span<const float> scales;
};

// The embedding layer; `type` is the vector of the first type of sequences, the only one that is used.
struct Embeddings {
  ByteTable pieces, positions;
  std::span<const float> type;
  Norm norm;

  std::size_t width() const { return type.size(); }
};

struct LayerWeights {
  Dense query, key, value, output, wide, narrow;
  Norm attention_norm, norm;
};

class Layer {
 public:
  Layer(const LayerWeights& given, std::size_t width)
      : attention_norm(given.attention_norm),
        norm(given.norm),
        projection(std::vector{given.query, given.key, given.value}, width),
        output(std::vector{given.output}, width),
        wide(std::vector{given.wide}, width),
        narrow(std::vector{given.narrow}, given.wide.scales.size()) {}

  Norm attention_norm, norm;
  Panels projection, output, wide, narrow;
};

// One thread's memory.
class Workspace {
 public:
  // Computes the states of the sequences [first, last) after some layers.
  void encode(const Embeddings& embeddings, std::span<const Layer> layers, const Column& sequences,
              std::size_t first, std::size_t last, float* states) {
    width_ = embeddings.width();
    n_rows_ = static_cast<std::size_t>(sequences.offsets[last] - sequences.offsets[first]);
    states_ = states;
    embed(embeddings, sequences, first, last);
    for (const Layer& layer : layers) {
      check_interrupts();
      attend(layer, sequences, first, last);
      transform(layer);
    }
  }

 private:
  void embed(const Embeddings& from, const Column& sequences, std::size_t first, std::size_t last) {
    simd::dispatch_lanes([&](auto lanes) TERTIUM_ALWAYS_INLINE {
      float* row = states_;
      for (std::size_t s = first; s < last; ++s) {
        const std::span<const std::int32_t> ids = sequences[s];
        for (std::size_t i = 0; i < ids.size(); ++i, row += width_) {
          add_embeddings(from, static_cast<std::size_t>(ids[i]), i, row);
          normalise_row<lanes()>(from.norm, row, width_);
        }
      }
    });
  }

  TERTIUM_INLINE void add_embeddings(const Embeddings& from, std::size_t piece, std::size_t position,
                                     float* row) const {
    const std::int8_t* const word = from.pieces.values.data() + piece * width_;
    const std::int8_t* const place = from.positions.values.data() + position * width_;
    const float word_scale = from.pieces.scales[piece], place_scale = from.positions.scales[position];
    for (std::size_t i = 0; i < width_; ++i)
      row[i] = static_cast<float>(word[i]) * word_scale + from.type[i] +
               static_cast<float>(place[i]) * place_scale;
  }

  // states = norm(states + output(attention(states)))
  void attend(const Layer& layer, const Column& sequences, std::size_t first, std::size_t last) {
    multiply_rows(states_, layer.projection, ByteRows::kClip, wide_);
    attended_.resize(n_rows_ * width_);
    simd::dispatch_lanes([&](auto lanes) TERTIUM_ALWAYS_INLINE {
      std::size_t row = 0;
      for (std::size_t s = first; s < last; ++s) {
        const std::size_t n_pieces = sequences[s].size();
        attention_.attend<lanes()>(wide_.data() + row * 3 * width_, n_pieces, width_,
                                   attended_.data() + row * width_);
        row += n_pieces;
      }
    });
    multiply_rows(attended_.data(), layer.output, ByteRows::kClip, change_);
    add_change(layer.attention_norm);
  }

  // states = norm(states + narrow(gelu(wide(states))))
  void transform(const Layer& layer) {
    multiply_rows(states_, layer.wide, ByteRows::kClip, wide_);
    const std::size_t size = n_rows_ * layer.wide.n_outputs();
    simd::dispatch_lanes([&](auto lanes) TERTIUM_ALWAYS_INLINE { gelu_row<lanes()>(wide_.data(), size); });
    multiply_rows(wide_.data(), layer.narrow, ByteRows::kWideClip, change_);
    add_change(layer.norm);
  }

  void multiply_rows(const float* inputs, const Panels& panels, float clip, std::vector<float>& out) {
    const std::size_t width = panels.n_inputs();
    inputs_.resize(n_rows_, width);
    simd::dispatch_lanes([&](auto lanes) TERTIUM_ALWAYS_INLINE {
      for (std::size_t row = 0; row < n_rows_; ++row) inputs_.set<lanes()>(row, inputs + row * width, clip);
    });
    out.resize(std::max(out.size(), n_rows_ * panels.n_outputs()));
    multiply(inputs_, panels, out.data());
  }

  void add_change(const Norm& norm) {
    simd::dispatch_lanes([&](auto lanes) TERTIUM_ALWAYS_INLINE {
      for (std::size_t row = 0; row < n_rows_; ++row) {
        float* const state = states_ + row * width_;
        add_row<lanes()>(change_.data() + row * width_, state, width_);
        normalise_row<lanes()>(norm, state, width_);
      }
    });
  }

  std::size_t width_ = 0, n_rows_ = 0;
  float* states_ = nullptr;
  std::vector<float> wide_, attended_, change_;  // outputs of the last matrix product of each kind
  ByteRows inputs_;
  Attention attention_;
};

class TextEncoder {
 public:
  TextEncoder(const Embeddings& embeddings, std::span<const LayerWeights> layers) : embeddings_(embeddings) {
    check(layers);
    for (const LayerWeights& layer : layers) layers_.emplace_back(layer, width());
  }

  std::size_t width() const { return embeddings_.width(); }
  std::size_t n_layers() const { return layers_.size(); }
  std::size_t max_pieces() const { return embeddings_.positions.scales.size(); }

  // Writes the states of all pieces after `n_layers` layers, a row per piece. Layer 0 is the embedding layer.
  void encode(const Column& sequences, std::size_t n_layers, std::size_t threads,
              std::span<float> states) const {
    check(sequences, n_layers, states);
    const std::vector<std::size_t> packs = pack(sequences);
    const auto layers = std::span(layers_).first(n_layers);
    parallel_tasks(packs.size() - 1, threads, [&] {
      return [&, workspace = Workspace()](std::size_t p) mutable {
        const auto row = static_cast<std::size_t>(sequences.offsets[packs[p]]);
        workspace.encode(embeddings_, layers, sequences, packs[p], packs[p + 1],
                         states.data() + row * width());
      };
    });
  }

 private:
  // Pieces of a pack: enough to read each weight for many rows, few enough to stay in the processor's cache.
  static constexpr std::int64_t kPackPieces = 120;

  // The first sequences of the packs, and the number of sequences.
  static std::vector<std::size_t> pack(const Column& sequences) {
    std::vector<std::size_t> starts{0};
    for (std::size_t s = 1; s < sequences.size(); ++s)
      if (sequences.offsets[s + 1] - sequences.offsets[starts.back()] > kPackPieces) starts.push_back(s);
    if (sequences.size() > 0) starts.push_back(sequences.size());
    return starts;
  }

  void check(std::span<const LayerWeights> layers) const {
    const auto is_table = [&](const ByteTable& table) {
      return table.values.size() == table.scales.size() * width();
    };
    const auto is_dense = [](const Dense& dense, std::size_t inputs, std::size_t outputs) {
      return dense.weights.size() == inputs * outputs && dense.scales.size() == outputs &&
             dense.biases.size() == outputs;
    };
    const auto is_norm = [&](const Norm& norm) {
      return norm.weights.size() == width() && norm.biases.size() == width();
    };
    bool fits = is_norm(embeddings_.norm) && width() > 0 && width() % Panels::kOutputs == 0 &&
                is_table(embeddings_.pieces) && is_table(embeddings_.positions);
    for (const LayerWeights& layer : layers) {
      const std::size_t inner = layer.wide.scales.size();
      for (const Dense* dense : {&layer.query, &layer.key, &layer.value, &layer.output})
        fits = fits && is_dense(*dense, width(), width());
      fits = fits && is_norm(layer.attention_norm) && is_norm(layer.norm) &&
             is_dense(layer.wide, width(), inner) && is_dense(layer.narrow, inner, width()) &&
             inner % Panels::kOutputs == 0 && std::max(inner, width()) <= ByteRows::kMaxWidth;
    }
    if (!fits) throw std::invalid_argument("the encoder's tables do not fit together");
  }

  void check(const Column& sequences, std::size_t n_layers, std::span<float> states) const {
    if (n_layers > layers_.size()) throw std::invalid_argument("no such layer");
    if (states.size() != sequences.ids.size() * width())
      throw std::invalid_argument("a row of states is needed for each piece");
    for (std::size_t s = 0; s < sequences.size(); ++s)
      if (sequences[s].size() > max_pieces()) throw std::invalid_argument("a sequence is too long");
    for (const std::int32_t id : sequences.ids)
      if (id < 0 || static_cast<std::size_t>(id) >= embeddings_.pieces.scales.size())
        throw std::invalid_argument("no such piece");
  }

  Embeddings embeddings_;
  std::vector<Layer> layers_;
};

}  // namespace tertium::encoder
