// Java's hash of a string, by which METEOR 1.5 compares words and stems: two different words with the same
// hash are equal to it, so they must be equal here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"

namespace tertium {

// s[0] 31^(n-1) + ... + s[n-1] over UTF-16 units, modulo 2^32. Linear.
inline std::int32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto [c, length] = decode_at(text, i);
    i += length;
    if (c < 0x10000) {
      hash = hash * 31 + c;
    } else {
      hash = hash * 31 + (0xd800 + ((c - 0x10000) >> 10));
      hash = hash * 31 + (0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  }
  return static_cast<std::int32_t>(hash);
}

inline std::vector<std::int32_t> java_hashes(std::span<const std::string_view> texts) {
  std::vector<std::int32_t> hashes;
  hashes.reserve(texts.size());
  for (const std::string_view text : texts) hashes.push_back(java_hash(text));
  return hashes;
}

// The hashes of a vocabulary's words, from a certain one on.
inline std::vector<std::int32_t> java_hashes(const Vocabulary& vocabulary, std::size_t first) {
  std::vector<std::int32_t> hashes;
  for (std::size_t id = first; id < vocabulary.size(); ++id)
    hashes.push_back(java_hash(vocabulary.word(static_cast<std::int32_t>(id))));
  return hashes;
}

}  // namespace tertium
