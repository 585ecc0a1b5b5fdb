// A learned tagger and parser: small tables of integers, so that every machine makes the same trees.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/simd.hpp"
#include "tertium/trees/arc_hybrid.hpp"

namespace tertium {

// Weights are in 64ths and activations in 256ths; their products are shifted back by the weights' bits.
inline constexpr int kWeightBits = 6;
inline constexpr int kActivationBits = 8;

// Activations stay below 32, so that a sum of products of any layer fits into 32 bits.
inline constexpr std::int32_t kMaxActivation = (32 << kActivationBits) - 1;

inline std::int16_t clamp16(std::int32_t value, std::int32_t limit) {
  return static_cast<std::int16_t>(std::clamp(value, -limit, limit));
}
inline std::int16_t activate(std::int32_t sum) {
  return static_cast<std::int16_t>(std::clamp(sum, std::int32_t{0}, kMaxActivation));
}

// Adds rows of 16-bit numbers to 16-bit sums, 32 at a time, which stay in registers.
template <std::size_t Width>
void add_rows(std::span<const std::int16_t* const> rows, std::array<std::int16_t, Width>& sums) {
  static_assert(Width % 32 == 0);
  using simd::Int16x8;
  for (std::size_t first = 0; first < Width; first += 32) {
    std::int16_t* const out = sums.data() + first;
    Int16x8 a = Int16x8::load(out), b = Int16x8::load(out + 8);
    Int16x8 c = Int16x8::load(out + 16), d = Int16x8::load(out + 24);
    for (const std::int16_t* values : rows) {
      const std::int16_t* const row = values + first;
      a += Int16x8::load(row), b += Int16x8::load(row + 8);
      c += Int16x8::load(row + 16), d += Int16x8::load(row + 24);
    }
    a.store(out), b.store(out + 8), c.store(out + 16), d.store(out + 24);
  }
}

// Two neighbouring inputs of a layer, as one instruction multiplies them, and the index of the pair.
struct ActivePair {
  std::array<std::int16_t, 2> inputs;
  std::uint32_t number;
};

// The pairs of inputs that are not both zero. About half of the pairs are zero after an activation, and these
// add nothing to a sum.
template <std::size_t Inputs>
class ActivePairs {
 public:
  void read(const std::int16_t* inputs) {
    size_ = 0;
    for (std::uint32_t k = 0; k < Inputs / 2; ++k) {  // write every pair, count it only if it is not zero
      pairs_[size_] = {{inputs[2 * k], inputs[2 * k + 1]}, k};
      size_ += (inputs[2 * k] | inputs[2 * k + 1]) != 0;
    }
  }

  operator std::span<const ActivePair>() const { return std::span(pairs_).first(size_); }

 private:
  std::array<ActivePair, Inputs / 2> pairs_;
  std::size_t size_ = 0;
};

namespace products {

// The number of sums in a block.
inline constexpr std::size_t kBlock = 32;

inline std::int32_t as_number(const ActivePair& pair) {
  std::int32_t number;
  std::memcpy(&number, pair.inputs.data(), sizeof number);
  return number;
}

// sums[j] += pairs[.][j] · inputs, for the sums of one block, which stay in registers. Both versions give the
// same numbers; they are two functions because code for AVX2 is never inlined into code for the baseline.
inline void add_block_baseline(const std::int16_t* pairs, std::span<const ActivePair> active,
                               std::int32_t* sums) {
  using simd::Int16x8, simd::Int32x4;
  Int32x4 totals[kBlock / 4];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kBlock / 4; ++k) totals[k] = Int32x4::load(sums + 4 * k);
  for (const ActivePair& pair : active) {
    const std::int16_t* const row = pairs + pair.number * 2 * kBlock;
    const auto both = simd::bits_as<Int16x8>(Int32x4::all(as_number(pair)));
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kBlock / 4; ++k)
      totals[k] += simd::multiply_pairs(both, Int16x8::load(row + 8 * k));
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < kBlock / 4; ++k) totals[k].store(sums + 4 * k);
}

#if TERTIUM_HAS_AVX2
TERTIUM_AVX2 inline void add_block_avx2(const std::int16_t* pairs, std::span<const ActivePair> active,
                                        std::int32_t* sums) {
  using simd::Int16x16, simd::Int32x8;
  Int32x8 totals[kBlock / 8];
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kBlock / 8; ++k) totals[k] = Int32x8::load(sums + 8 * k);
  for (const ActivePair& pair : active) {
    const std::int16_t* const row = pairs + pair.number * 2 * kBlock;
    const auto both = simd::bits_as<Int16x16>(Int32x8::all(as_number(pair)));
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kBlock / 8; ++k)
      totals[k] += simd::multiply_pairs(both, Int16x16::load(row + 16 * k));
  }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kBlock / 8; ++k) totals[k].store(sums + 8 * k);
}
#endif

inline void add_block(const std::int16_t* pairs, std::span<const ActivePair> active, std::int32_t* sums) {
#if TERTIUM_HAS_AVX2
  if (simd::use_avx2()) return add_block_avx2(pairs, active, sums);
#endif
  add_block_baseline(pairs, active, sums);
}

}  // namespace products

// A matrix of bytes in the order in which the inner loop reads it: outputs in blocks of 32, and within a
// block two inputs of every output next to each other, because one instruction multiplies and adds pairs of
// 16 bits.
class PairedMatrix {
 public:
  PairedMatrix() = default;
  // `weights` has a row of `n_inputs` (an even number) for each output.
  PairedMatrix(std::span<const std::int8_t> weights, std::size_t n_inputs) : n_inputs_(n_inputs) {
    n_outputs_ = weights.size() / n_inputs;
    const std::size_t n_blocks = (n_outputs_ + kBlock - 1) / kBlock;
    values_.assign(n_blocks * kBlock * n_inputs, 0);
    for (std::size_t j = 0; j < n_outputs_; ++j)
      for (std::size_t k = 0; k < n_inputs; ++k) values_[place(j, k)] = weights[j * n_inputs + k];
  }

  std::size_t n_outputs() const { return n_outputs_; }
  // The number of sums that add_products writes: the outputs, rounded up to whole blocks.
  std::size_t padded() const { return n_inputs_ == 0 ? 0 : values_.size() / n_inputs_; }

  // sums[j] += (row j of the weights) · inputs, for all padded() outputs. Pair 0 of `active` begins at input
  // `first`, an even number; inputs without an active pair are zero.
  void add_products(std::span<const ActivePair> active, std::int32_t* sums, std::size_t first = 0) const {
    for (std::size_t j = 0; j < padded(); j += kBlock)
      products::add_block(values_.data() + j * n_inputs_ + first * kBlock, active, sums + j);
  }

 private:
  static constexpr std::size_t kBlock = products::kBlock;

  std::size_t place(std::size_t j, std::size_t k) const {
    const std::size_t block = j / kBlock * kBlock;
    return block * n_inputs_ + k / 2 * 2 * kBlock + (j - block) * 2 + k % 2;
  }

  std::size_t n_inputs_ = 0, n_outputs_ = 0;
  std::vector<std::int16_t> values_;
};

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
