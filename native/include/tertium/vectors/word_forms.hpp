// A vector for the spelling of a word: how often each character n-gram occurs in it, with a mark at both
// ends, hashed into a few dimensions (feature hashing, Weinberger et al. 2009). Words that share a stem or an
// ending have similar vectors. O(characters times orders) per word.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/unicode.hpp"

namespace tertium {

// FNV-1a over the bytes, then a multiply and shift, so that every bit depends on all bytes.
inline std::uint64_t hash_characters(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 33);
}

// Adds the n-grams of first to last characters to `vector`, half of them as -1, and brings it to length 1.
inline void form_vector(std::string_view word, std::size_t first, std::size_t last, std::span<float> vector) {
  const std::string marked = "<" + std::string(word) + ">";
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < marked.size(); i += decode_at(marked, i).length) starts.push_back(i);
  starts.push_back(marked.size());
  for (std::size_t n = first; n <= last; ++n)
    for (std::size_t i = 0; i + n < starts.size(); ++i) {
      const auto gram = std::string_view(marked).substr(starts[i], starts[i + n] - starts[i]);
      const std::uint64_t hash = hash_characters(gram);
      vector[static_cast<std::size_t>(hash >> 1) % vector.size()] += (hash & 1) != 0 ? 1.0f : -1.0f;
    }
  float square = 0;
  for (const float value : vector) square += value * value;
  if (square > 0)
    for (float& value : vector) value /= std::sqrt(square);
}

// A row per word.
inline std::vector<float> form_vectors(std::span<const std::string_view> words, std::size_t first,
                                       std::size_t last, std::size_t width) {
  if (first < 1 || width < 1) throw std::invalid_argument("orders and width must be at least 1");
  std::vector<float> matrix(words.size() * width);
  InterruptCheck interrupt_check;
  for (std::size_t i = 0; i < words.size(); ++i) {
    interrupt_check.tick(words[i].size() * (last - first + 1));
    form_vector(words[i], first, last, std::span(matrix).subspan(i * width, width));
  }
  return matrix;
}

}  // namespace tertium
