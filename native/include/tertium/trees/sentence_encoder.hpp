// Contextual encodings: every word of a sentence as a row of numbers that depend on its neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/trees/parser_model.hpp"
#include "tertium/trees/word_features.hpp"

namespace tertium {

// A word's contributions to the first layer, at each place of the window. They do not depend on the sentence,
// so they are computed once for each different word.
using WordParts = std::array<std::int16_t, kWideWindow * kWidth>;

namespace encoding {

// The rows of a word's keys, padded with rows of zeros, so that a fixed number of rows is added.
using WordRows = std::array<const std::int8_t*, kMaxKeys>;

inline WordRows no_rows() {
  static constexpr std::array<std::int8_t, kWidth> kZeros{};
  WordRows rows;
  rows.fill(kZeros.data());
  return rows;
}

inline WordParts parts_of_rows(const ParserModel& model, const WordRows& rows) {
  std::array<std::int16_t, kWidth> active;
  for (std::size_t j = 0; j < kWidth; ++j) {
    std::int32_t sum = model.row_bias[j];
    for (const std::int8_t* row : rows) sum += row[j];
    active[j] = activate(sum * (1 << (kActivationBits - kWeightBits)));
  }
  ActivePairs<kWidth> pairs;
  pairs.read(active.data());
  WordParts parts;
  for (std::size_t place = 0; place < kWideWindow; ++place) {
    std::array<std::int32_t, kWidth> products{};
    model.wide[place].add_products(pairs, products.data());
    for (std::size_t j = 0; j < kWidth; ++j)
      parts[place * kWidth + j] = clamp16(products[j] >> kWeightBits, INT16_MAX);
  }
  return parts;
}

}  // namespace encoding

inline WordParts word_parts(const ParserModel& model, std::string_view word) {
  encoding::WordRows rows = encoding::no_rows();
  std::size_t n = 0;
  for (const std::uint32_t key : word_keys(word)) {
    const std::size_t number = model.find(key);
    if (number != kBoundaryRow)
      rows[n++] = model.row(number);
    else if (n == 0)  // the first key is the plain form
      rows[n++] = model.row(kUnknownRow);
  }
  return encoding::parts_of_rows(model, rows);
}

inline WordParts boundary_parts(const ParserModel& model) {
  encoding::WordRows rows = encoding::no_rows();
  rows[0] = model.row(kBoundaryRow);
  return encoding::parts_of_rows(model, rows);
}

// Runs the layers over one sentence after the other; keeps its memory between them.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const ParserModel& model) : model_(model) {}

  // `parts[i]` belongs to word i of the sentence.
  void encode(std::span<const WordParts* const> parts, const WordParts& boundary) {
    states_.resize(parts.size() * kWidth);
    active_.resize(parts.size());
    look_around(parts, boundary);
    for (std::size_t layer = 0; layer < model_.layers.size(); ++layer) apply_layer(layer);
  }

  // The non-zero pairs of a word's encoding.
  std::span<const ActivePair> operator[](std::size_t word) const { return active_[word]; }

 private:
  // The first layer: sums of the precomputed contributions of the words in the window.
  void look_around(std::span<const WordParts* const> parts, const WordParts& boundary) {
    const auto n = static_cast<std::ptrdiff_t>(parts.size());
    constexpr auto reach = static_cast<std::ptrdiff_t>(kWideWindow / 2);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      std::array<const std::int16_t*, kWideWindow> rows;
      for (std::ptrdiff_t offset = -reach; offset <= reach; ++offset) {
        const std::ptrdiff_t at = i + offset;
        const WordParts& word = at < 0 || at >= n ? boundary : *parts[static_cast<std::size_t>(at)];
        const auto place = static_cast<std::size_t>(offset + reach);
        rows[place] = word.data() + place * kWidth;
      }
      std::int16_t* out = states_.data() + static_cast<std::size_t>(i) * kWidth;
      for (std::size_t j = 0; j < kWidth; ++j) {
        std::int32_t sum = model_.wide_bias[j];
        for (const std::int16_t* row : rows) sum += row[j];
        out[j] = activate(sum);
      }
      active_[static_cast<std::size_t>(i)].read(out);
    }
  }

  // A later layer adds the products of a word and its two neighbours to the word's state.
  void apply_layer(std::size_t layer) {
    const std::int32_t* bias = model_.layer_bias.data() + layer * kWidth;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      std::int16_t* const state = states_.data() + i * kWidth;
      std::array<std::int32_t, kWidth> sums;
      for (std::size_t j = 0; j < kWidth; ++j) sums[j] = (bias[j] + state[j]) * (1 << kWeightBits);
      for (std::size_t place = 0; place < kWindow; ++place) {
        const std::size_t word = i + place - kWindow / 2;  // wraps to a large number before the first word
        if (word < active_.size())
          model_.layers[layer].add_products(active_[word], sums.data(), place * kWidth);
      }
      for (std::size_t j = 0; j < kWidth; ++j) state[j] = activate(sums[j] >> kWeightBits);
    }
    for (std::size_t i = 0; i < active_.size(); ++i) active_[i].read(states_.data() + i * kWidth);
  }

  const ParserModel& model_;
  std::vector<std::int16_t> states_;         // a row for each word
  std::vector<ActivePairs<kWidth>> active_;  // of each row
};

}  // namespace tertium
