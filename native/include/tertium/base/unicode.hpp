// UTF-8 decoding, and the few character classes that tokenisers need. Code points are decoded one at a time
// and only where a tokeniser needs them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "tertium/base/unicode_tables.hpp"

namespace tertium {

struct Decoded {
  char32_t code_point;
  std::size_t length;
};

// The code point at text[i]; the text is valid UTF-8 (Python made it).
inline Decoded decode_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i + k]));
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0) return {((lead & 0x1f) << 6) | (byte(1) & 0x3f), 2};
  if (lead < 0xf0) return {((lead & 0x0f) << 12) | ((byte(1) & 0x3f) << 6) | (byte(2) & 0x3f), 3};
  return {((lead & 0x07) << 18) | ((byte(1) & 0x3f) << 12) | ((byte(2) & 0x3f) << 6) | (byte(3) & 0x3f), 4};
}

// Whether the bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF.
inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    for (std::uint64_t eight; i + 8 <= text.size(); i += 8) {  // most text is mostly ASCII
      std::memcpy(&eight, text.data() + i, 8);
      if ((eight & 0x8080808080808080ULL) != 0) break;
    }
    if (i == text.size()) break;
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length > text.size() - i || (lead >= 0x80 && lead < 0xc2) || lead > 0xf4) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    const char32_t c = decode_at(text, i).code_point;
    if ((length == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
        (length == 4 && (c < 0x10000 || c > 0x10ffff)))
      return false;
    i += length;
  }
  return true;
}

inline bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

inline bool is_ascii_space(char c) {
  return c == 0x20 || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
}

// White space as in Python's str.split().
inline bool is_space(char32_t c) {
  if (c <= 0x20) return c == 0x20 || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
  if (c < 0x1680) return c == 0x85 || c == 0xa0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

enum class CharacterClass : std::uint8_t { other, number, punctuation, symbol };

// The general category's first letter, from a flat table of all planes filled on first use.
inline CharacterClass character_class(char32_t c) {
  static const std::vector<CharacterClass> table = [] {
    std::vector<CharacterClass> filled(0x110000, CharacterClass::other);
    const auto fill = [&](const auto& ranges, CharacterClass value) {
      for (const auto& [first, last] : ranges)
        for (char32_t code = first; code <= last; ++code) filled[code] = value;
    };
    fill(kNumberRanges, CharacterClass::number);
    fill(kPunctuationRanges, CharacterClass::punctuation);
    fill(kSymbolRanges, CharacterClass::symbol);
    return filled;
  }();
  return table[c];
}

// Drops white space at both ends, as str.strip() does; `left` false keeps the beginning (rstrip).
inline std::string_view strip(std::string_view text, bool left) {
  std::size_t begin = 0;
  while (left && begin < text.size()) {
    const auto [c, length] = decode_at(text, begin);
    if (!is_space(c)) break;
    begin += length;
  }
  std::size_t end = text.size();
  while (end > begin) {
    std::size_t start = end - 1;
    while (start > begin && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
    if (!is_space(decode_at(text, start).code_point)) break;
    end = start;
  }
  return text.substr(begin, end - begin);
}

}  // namespace tertium
