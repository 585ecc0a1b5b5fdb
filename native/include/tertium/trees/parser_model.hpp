// A learned tagger and parser: small tables of integers, so that every machine makes the same trees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/trees/arc_hybrid.hpp"
#include "tertium/trees/integer_layers.hpp"

namespace tertium {

inline constexpr std::size_t kWidth = 64;       // numbers that describe a word
inline constexpr std::size_t kHidden = 64;      // numbers that describe a state
inline constexpr std::size_t kWideWindow = 5;   // words that the first layer reads
inline constexpr std::size_t kWindow = 3;       // words that each later layer reads
inline constexpr std::size_t kBoundaryRow = 0;  // padding before and after a sentence
inline constexpr std::size_t kUnknownRow = 1;   // a word whose plain form has no row
inline constexpr std::size_t kFirstKeyRow = 2;

using Bytes = std::span<const std::int8_t>;
using Biases = std::span<const std::int32_t>;

// The tables as a file holds them. Weights are bytes, in 64ths; a bias is in the unit of the sums it joins.
struct ParserTables {
  std::span<const std::uint32_t> keys;  // ascending; key i has row i + kFirstKeyRow
  Bytes rows;                           // (rows, width)
  Biases row_bias;                      // (width), in 64ths
  Bytes wide;                           // (kWideWindow, width out, width in)
  Biases wide_bias;                     // (width), in 256ths
  Bytes layers;                         // (layers, width out, kWindow * width in)
  Biases layer_bias;                    // (layers, width)
  Bytes slots;                          // (kStateSlots, hidden, width)
  Biases nobody, root;      // (kStateSlots, hidden), in 64ths: a slot without a word, or with the root
  Biases counts;            // (kStateCounts * kCountValues, hidden), in 64ths
  Biases hidden_bias;       // (hidden), in 64ths
  Bytes choices;            // (kTransitions, hidden)
  Biases choice_bias;       // (kTransitions)
  Bytes tags;               // (tags, width)
  Biases tag_bias;          // (tags)
  Bytes dependents, heads;  // (relations, width): weights of the dependent and of the head
  Biases relation_bias;     // (relations)
};

// The tables, checked and laid out for reading.
struct ParserModel {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> buckets;  // index of the first key with these leading bits
  std::vector<std::int8_t> rows;
  std::vector<std::int32_t> row_bias, wide_bias, layer_bias, choice_bias, tag_bias, relation_bias;
  std::vector<std::int16_t> nobody, root, counts, hidden_bias, choices;
  std::vector<PairedMatrix> wide, layers, slots;
  PairedMatrix tags, dependents, heads;

  // Throws std::invalid_argument unless the sizes of all tables agree.
  explicit ParserModel(const ParserTables& tables) {
    check(tables);
    keys.assign(tables.keys.begin(), tables.keys.end());
    buckets.assign((std::size_t{1} << kBucketBits) + 1, 0);
    for (const std::uint32_t key : keys) ++buckets[(key >> (32 - kBucketBits)) + 1];
    std::partial_sum(buckets.begin(), buckets.end(), buckets.begin());
    rows.assign(tables.rows.begin(), tables.rows.end());
    row_bias.assign(tables.row_bias.begin(), tables.row_bias.end());
    wide_bias.assign(tables.wide_bias.begin(), tables.wide_bias.end());
    layer_bias.assign(tables.layer_bias.begin(), tables.layer_bias.end());
    nobody = narrow(tables.nobody);
    root = narrow(tables.root);
    counts = narrow(tables.counts);
    hidden_bias = narrow(tables.hidden_bias);
    wide = cut(tables.wide, kWidth, kWidth);
    layers = cut(tables.layers, kWidth, kWindow * kWidth);
    slots = cut(tables.slots, kHidden, kWidth);
    choices.assign(tables.choices.begin(), tables.choices.end());
    tags = {tables.tags, kWidth};
    dependents = {tables.dependents, kWidth};
    heads = {tables.heads, kWidth};
    choice_bias.assign(tables.choice_bias.begin(), tables.choice_bias.end());
    tag_bias.assign(tables.tag_bias.begin(), tables.tag_bias.end());
    relation_bias.assign(tables.relation_bias.begin(), tables.relation_bias.end());
  }

  const std::int8_t* row(std::size_t number) const { return rows.data() + number * kWidth; }

  // The row of a key, or kBoundaryRow if it has none. Keys are hashes, so their leading bits distribute them
  // evenly over the buckets.
  std::size_t find(std::uint32_t key) const {
    const std::size_t bucket = key >> (32 - kBucketBits);
    for (std::size_t i = buckets[bucket]; i < buckets[bucket + 1]; ++i)
      if (keys[i] == key) return i + kFirstKeyRow;
    return kBoundaryRow;
  }

  // The maximum that a word may add to a state, so that the sum over all slots and counts fits into 16 bits.
  static constexpr std::int32_t kMaxPart =
      INT16_MAX / static_cast<std::int32_t>(kStateSlots + kStateCounts + 1);

 private:
  static constexpr unsigned kBucketBits = 14;  // 64 kB of bucket starts; a few keys per bucket

  static void check(const ParserTables& t) {
    const auto demand = [](bool holds) {
      if (!holds) throw std::invalid_argument("the parser's tables do not fit together");
    };
    constexpr std::size_t states = kStateSlots * kHidden;
    demand(std::is_sorted(t.keys.begin(), t.keys.end()));
    demand(t.rows.size() == (t.keys.size() + kFirstKeyRow) * kWidth && t.row_bias.size() == kWidth);
    demand(t.wide.size() == kWideWindow * kWidth * kWidth && t.wide_bias.size() == kWidth);
    demand(t.layers.size() == t.layer_bias.size() * kWindow * kWidth && t.layer_bias.size() % kWidth == 0);
    demand(t.slots.size() == states * kWidth && t.nobody.size() == states && t.root.size() == states);
    demand(t.counts.size() == kStateCounts * kCountValues * kHidden && t.hidden_bias.size() == kHidden);
    demand(t.choices.size() == kTransitions * kHidden && t.choice_bias.size() == kTransitions);
    demand(!t.tag_bias.empty() && t.tags.size() == t.tag_bias.size() * kWidth);
    demand(!t.relation_bias.empty() && t.dependents.size() == t.relation_bias.size() * kWidth);
    demand(t.heads.size() == t.dependents.size());
  }

  static std::vector<std::int16_t> narrow(Biases values) {
    std::vector<std::int16_t> narrowed;
    for (const std::int32_t value : values) narrowed.push_back(clamp16(value, kMaxPart));
    return narrowed;
  }

  static std::vector<PairedMatrix> cut(Bytes weights, std::size_t n_outputs, std::size_t n_inputs) {
    std::vector<PairedMatrix> parts;
    for (std::size_t at = 0; at < weights.size(); at += n_outputs * n_inputs)
      parts.emplace_back(weights.subspan(at, n_outputs * n_inputs), n_inputs);
    return parts;
  }
};

}  // namespace tertium
