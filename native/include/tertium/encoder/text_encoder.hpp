// A BERT encoder with weights of one byte (Devlin et al., 2019): ids of word pieces in, a state per piece
// out.
//
// Sequences are computed in packs without padding. Every operation concerns one piece, or the pieces of one
// sequence, so that states do not depend on the other sequences of a pack, on threads or on the processor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/encoder/attention.hpp"
#include "tertium/encoder/byte_products.hpp"
#include "tertium/encoder/byte_rows.hpp"
#include "tertium/encoder/float_rows.hpp"

namespace tertium::encoder {

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
