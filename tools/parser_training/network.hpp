// The parser's network in floating point: forward, backward, and the weights written out.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "matrices.hpp"
#include "tertium/trees/parser_model.hpp"
#include "treebank.hpp"

namespace tertium::training {

// Room for tags and relations; a multiple of the lanes.
inline constexpr std::size_t kTagRoom = 80;
inline constexpr std::size_t kRelationRoom = 48;
inline constexpr std::size_t kReach = kWideWindow / 2;
inline constexpr std::size_t kLayers = 2;

using Rows = std::vector<std::vector<std::size_t>>;  // the rows that each word adds up

struct Network {
  Matrix rows, row_bias, wide, wide_bias;
  std::vector<Matrix> layers, layer_bias;
  Matrix slots, nobody, root, counts, hidden_bias, choices, choice_bias;
  Matrix tags, tag_bias, dependents, heads, relation_bias;

  Network(std::size_t n_rows, Random& random)
      : rows(n_rows, kWidth, 0.1, random),
        row_bias(1, kWidth, 0, random),
        wide(kWideWindow * kWidth, kWidth, std::sqrt(2.0 / (kWideWindow * kWidth)), random),
        wide_bias(1, kWidth, 0, random),
        slots(kStateSlots * kWidth, kHidden, std::sqrt(0.5 / kWidth), random),
        nobody(kStateSlots, kHidden, 0.01, random),
        root(kStateSlots, kHidden, 0.01, random),
        counts(kStateCounts * kCountValues, kHidden, 0.01, random),
        hidden_bias(1, kHidden, 0, random),
        choices(kTransitions, kHidden, 0.1, random),
        choice_bias(1, kTransitions, 0, random),
        tags(kWidth, kTagRoom, 0.1, random),
        tag_bias(1, kTagRoom, 0, random),
        dependents(kWidth, kRelationRoom, 0.1, random),
        heads(kWidth, kRelationRoom, 0.1, random),
        relation_bias(1, kRelationRoom, 0, random) {
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      layers.emplace_back(kWindow * kWidth, kWidth, std::sqrt(2.0 / (kWindow * kWidth)), random);
      layer_bias.emplace_back(1, kWidth, 0, random);
    }
  }

  // All matrices, in the order in which they are written.
  std::vector<Matrix*> all() {
    std::vector<Matrix*> list = {&rows, &row_bias, &wide, &wide_bias};
    for (Matrix& layer : layers) list.push_back(&layer);
    for (Matrix& bias : layer_bias) list.push_back(&bias);
    for (Matrix* each : {&slots, &nobody, &root, &counts, &hidden_bias, &choices, &choice_bias, &tags,
                         &tag_bias, &dependents, &heads, &relation_bias})
      list.push_back(each);
    return list;
  }

  void write(const std::string& path) {
    std::ofstream file(path, std::ios::binary);
    for (const Matrix* each : all())
      file.write(reinterpret_cast<const char*>(each->values.data()),
                 static_cast<std::streamsize>(each->values.size() * sizeof(float)));
    if (!file) throw std::runtime_error(path + " cannot be written");
  }
};

// A batch of sentences side by side, with room between them, and what the network makes of it.
struct Batch {
  std::vector<std::size_t> begins;  // where each sentence begins
  std::vector<char> is_word;        // whether a place is a word, not room between sentences
  Rows rows;
  std::array<std::vector<float>, kLayers + 2> states,
      gradients;                             // of embeddings, the wide layer, the later layers
  std::vector<float> parts, part_gradients;  // of slots: (place, slot, hidden)
  std::vector<float> tags, dependents, heads;

  std::size_t size() const { return is_word.size(); }
};

class Learner {
 public:
  Network network;
  float dropout = 0.1F;

  Learner(std::size_t n_rows, Random& random) : network(n_rows, random) {}

  // Fills the batch for these sentences, whose words' rows are given.
  void forward(const std::vector<const Sentence*>& sentences, const Rows& rows_of, float word_dropout,
               Batch& batch) {
    lay_out(sentences, rows_of, word_dropout, batch);
    embed(batch);
    for (std::size_t layer = 1; layer < batch.states.size(); ++layer)
      apply_layer(layer, batch, word_dropout > 0);
    const float* top = batch.states.back().data();
    const std::size_t n = batch.size();
    batch.parts.assign(n * kStateSlots * kHidden, 0);
    for (std::size_t slot = 0; slot < kStateSlots; ++slot)
      add_product<kHidden>(top, n, kWidth, kWidth, network.slots.row(slot * kWidth),
                           batch.parts.data() + slot * kHidden, kStateSlots * kHidden);
    multiply<kTagRoom>(top, n, network.tags, batch.tags);
    multiply<kRelationRoom>(top, n, network.dependents, batch.dependents);
    multiply<kRelationRoom>(top, n, network.heads, batch.heads);
  }

  // From the gradients of parts, tags and relations down to the rows; then takes a step.
  void backward(Batch& batch, const std::vector<float>& tags, const std::vector<float>& dependents,
                const std::vector<float>& heads, float rate) {
    const std::size_t n = batch.size();
    for (auto& each : batch.gradients) each.assign(n * kWidth, 0);
    const float* top = batch.states.back().data();
    float* top_gradient = batch.gradients.back().data();
    for (std::size_t slot = 0; slot < kStateSlots; ++slot)
      add_gradients<kWidth, kHidden>(
          top, n, network.slots.row(slot * kWidth), network.slots.gradient(slot * kWidth),
          batch.part_gradients.data() + slot * kHidden, kStateSlots * kHidden, top_gradient);
    const auto back = [&]<std::size_t Room>(Matrix& matrix, const std::vector<float>& gradient) {
      add_gradients<kWidth, Room>(top, n, matrix.row(0), matrix.gradient(0), gradient.data(), Room,
                                  top_gradient);
    };
    back.template operator()<kTagRoom>(network.tags, tags);
    back.template operator()<kRelationRoom>(network.dependents, dependents);
    back.template operator()<kRelationRoom>(network.heads, heads);
    for (std::size_t layer = batch.states.size() - 1; layer > 0; --layer) undo_layer(layer, batch);
    step(batch, rate);
  }

 private:
  void lay_out(const std::vector<const Sentence*>& sentences, const Rows& rows_of, float word_dropout,
               Batch& batch) {
    batch.begins.clear();
    batch.is_word.assign(kReach, 0);
    batch.rows.assign(kReach, {kBoundaryRow});
    for (const Sentence* sentence : sentences) {
      batch.begins.push_back(batch.size());
      for (const std::int32_t word : sentence->words) {
        batch.rows.push_back(rows_of[static_cast<std::size_t>(word)]);
        if (chance(word_dropout)) batch.rows.back().front() = kUnknownRow;
      }
      batch.is_word.resize(batch.rows.size(), 1);
      batch.rows.resize(batch.rows.size() + kReach, {kBoundaryRow});
      batch.is_word.resize(batch.rows.size(), 0);
    }
  }

  void embed(Batch& batch) {
    auto& out = batch.states[0];
    out.resize(batch.size() * kWidth);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      float* sum = out.data() + i * kWidth;
      std::copy_n(network.row_bias.row(0), kWidth, sum);
      for (const std::size_t row : batch.rows[i])
        for (std::size_t j = 0; j < kWidth; ++j) sum[j] += network.rows.row(row)[j];
      for (std::size_t j = 0; j < kWidth; ++j) sum[j] = std::max(sum[j], 0.0F);
    }
  }

  // Layer 1 is the wide one; the others add to what they read.
  void apply_layer(std::size_t layer, Batch& batch, bool is_training) {
    const std::size_t n = batch.size(), reach = layer == 1 ? kReach : 1;
    const auto& in = batch.states[layer - 1];
    auto& out = batch.states[layer];
    out.resize(n * kWidth);
    const float* bias = bias_of(layer).row(0);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = bias[k % kWidth] + (layer > 1 ? in[k] : 0.0F);
    add_product<kWidth>(in.data(), n - 2 * reach, (2 * reach + 1) * kWidth, kWidth, weights_of(layer).row(0),
                        out.data() + reach * kWidth, kWidth);
    const float scale = is_training ? 1.0F / (1.0F - dropout) : 1.0F;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const bool is_kept = batch.is_word[k / kWidth] && !(is_training && chance(dropout));
      out[k] = is_kept ? std::max(out[k], 0.0F) * scale : 0.0F;
    }
  }

  void undo_layer(std::size_t layer, Batch& batch) {
    const std::size_t n = batch.size(), reach = layer == 1 ? kReach : 1;
    auto& gradient = batch.gradients[layer];
    auto& lower = batch.gradients[layer - 1];
    const float scale = 1.0F / (1.0F - dropout);
    float* bias = bias_of(layer).gradient(0);
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      gradient[k] = batch.states[layer][k] > 0 ? gradient[k] * scale : 0.0F;
      bias[k % kWidth] += gradient[k];
      if (layer > 1) lower[k] += gradient[k];
    }
    Matrix& weights = weights_of(layer);
    for (std::size_t place = 0; place <= 2 * reach; ++place)  // place by place, as windows overlap
      add_gradients<kWidth, kWidth>(batch.states[layer - 1].data() + place * kWidth, n - 2 * reach,
                                    weights.row(place * kWidth), weights.gradient(place * kWidth),
                                    gradient.data() + reach * kWidth, kWidth, lower.data() + place * kWidth);
  }

  void step(Batch& batch, float rate) {
    std::vector<std::size_t> touched;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      float* gradient = batch.gradients[0].data() + i * kWidth;
      for (std::size_t j = 0; j < kWidth; ++j) {
        if (batch.states[0][i * kWidth + j] <= 0) gradient[j] = 0;
        network.row_bias.gradient(0)[j] += gradient[j];
        for (const std::size_t row : batch.rows[i]) network.rows.gradient(row)[j] += gradient[j];
      }
      touched.insert(touched.end(), batch.rows[i].begin(), batch.rows[i].end());
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::size_t row : touched) network.rows.step_row(row, rate);
    for (Matrix* each : network.all())
      if (each != &network.rows) each->step(rate);
  }

  template <std::size_t Room>
  static void multiply(const float* in, std::size_t n, const Matrix& weights, std::vector<float>& out) {
    out.assign(n * Room, 0);
    add_product<Room>(in, n, kWidth, kWidth, weights.row(0), out.data(), Room);
  }

  Matrix& weights_of(std::size_t layer) { return layer == 1 ? network.wide : network.layers[layer - 2]; }
  Matrix& bias_of(std::size_t layer) {
    return layer == 1 ? network.wide_bias : network.layer_bias[layer - 2];
  }
  bool chance(float probability) {
    bits_ ^= bits_ << 13, bits_ ^= bits_ >> 7, bits_ ^= bits_ << 17;
    return static_cast<float>(bits_ >> 40) < probability * 16777216.0F;
  }

  std::uint64_t bits_ = 88172645463325252ULL;
};

}  // namespace tertium::training
