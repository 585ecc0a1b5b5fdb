// Words in context: every word of a sentence as a row of numbers that know its neighbours.
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

// What a word gives the first layer, at each place of the window. It does not depend on the sentence, so it
// is computed once for each different word.
using WordParts = std::array<std::int16_t, kWideWindow * kWidth>;

namespace encoding {

inline WordParts parts_of_rows(const ParserModel& model, std::span<const std::size_t> numbers) {
  std::array<std::int32_t, kWidth> sums;
  std::copy(model.row_bias.begin(), model.row_bias.end(), sums.begin());
  for (const std::size_t number : numbers) {
    const auto row = model.row(number);
    for (std::size_t j = 0; j < kWidth; ++j) sums[j] += row[j];
  }
  std::array<std::int16_t, kWidth> active;
  for (std::size_t j = 0; j < kWidth; ++j)
    active[j] = activate(sums[j] * (1 << (kActivationBits - kWeightBits)));
  WordParts parts;
  for (std::size_t place = 0; place < kWideWindow; ++place) {
    std::array<std::int32_t, kWidth> products{};
    model.wide[place].add_products(active.data(), products.data());
    for (std::size_t j = 0; j < kWidth; ++j)
      parts[place * kWidth + j] = clamp16(products[j] >> kWeightBits, INT16_MAX);
  }
  return parts;
}

}  // namespace encoding

inline WordParts word_parts(const ParserModel& model, std::string_view word) {
  std::vector<std::size_t> numbers;
  for (const std::uint32_t key : word_keys(word)) {
    const std::size_t number = model.find(key);
    if (number != kBoundaryRow)
      numbers.push_back(number);
    else if (numbers.empty())  // the first key is the plain form
      numbers.push_back(kUnknownRow);
  }
  return encoding::parts_of_rows(model, numbers);
}

inline WordParts boundary_parts(const ParserModel& model) {
  return encoding::parts_of_rows(model, std::array{kBoundaryRow});
}

// Runs the layers over one sentence after the other; its memory is kept between them.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const ParserModel& model) : model_(model) {}

  // `parts[i]` belongs to word i of the sentence.
  void encode(std::span<const WordParts* const> parts, const WordParts& boundary) {
    states_.assign((parts.size() + 2) * kWidth, 0);  // a row of zeros on either side
    next_.assign(states_.size(), 0);
    look_around(parts, boundary);
    for (std::size_t layer = 0; layer < model_.layers.size(); ++layer) apply_layer(layer, parts.size());
  }

  const std::int16_t* operator[](std::size_t word) const { return states_.data() + (word + 1) * kWidth; }

 private:
  // The first layer: sums of what the words around have ready.
  void look_around(std::span<const WordParts* const> parts, const WordParts& boundary) {
    const auto n = static_cast<std::ptrdiff_t>(parts.size());
    constexpr auto reach = static_cast<std::ptrdiff_t>(kWideWindow / 2);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      std::array<std::int32_t, kWidth> sums;
      std::copy(model_.wide_bias.begin(), model_.wide_bias.end(), sums.begin());
      for (std::ptrdiff_t offset = -reach; offset <= reach; ++offset) {
        const std::ptrdiff_t at = i + offset;
        const WordParts& word = at < 0 || at >= n ? boundary : *parts[static_cast<std::size_t>(at)];
        const std::int16_t* part = word.data() + static_cast<std::size_t>(offset + reach) * kWidth;
        for (std::size_t j = 0; j < kWidth; ++j) sums[j] += part[j];
      }
      std::int16_t* out = states_.data() + (static_cast<std::size_t>(i) + 1) * kWidth;
      for (std::size_t j = 0; j < kWidth; ++j) out[j] = activate(sums[j]);
    }
  }

  // A later layer adds to a word what it and its two neighbours say.
  void apply_layer(std::size_t layer, std::size_t n_words) {
    const std::int32_t* bias = model_.layer_bias.data() + layer * kWidth;
    for (std::size_t i = 0; i < n_words; ++i) {
      const std::int16_t* window = states_.data() + i * kWidth;  // words i - 1, i and i + 1, side by side
      std::array<std::int32_t, kWidth> sums;
      for (std::size_t j = 0; j < kWidth; ++j) sums[j] = (bias[j] + window[kWidth + j]) * (1 << kWeightBits);
      model_.layers[layer].add_products(window, sums.data());
      std::int16_t* out = next_.data() + (i + 1) * kWidth;
      for (std::size_t j = 0; j < kWidth; ++j) out[j] = activate(sums[j] >> kWeightBits);
    }
    states_.swap(next_);
  }

  const ParserModel& model_;
  std::vector<std::int16_t> states_, next_;
};

}  // namespace tertium
