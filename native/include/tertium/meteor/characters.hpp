// The letters, digits and blanks of METEOR 1.5's normaliser, and how it reads a text: ASCII as bytes, any
// other text as code points.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tertium/base/unicode.hpp"

namespace tertium::meteor {

// The letters that METEOR knows: Latin and Cyrillic; any other is a symbol that stands alone.
inline bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return (c >= 0xc0 && c <= 0x17e && c != 0xd7 && c != 0xf7) || (c >= 0x400 && c <= 0x527) ||
         (c >= 0x1d00 && c <= 0x1d7f) || (c >= 0xa640 && c <= 0xa66e) || (c >= 0xa67e && c <= 0xa697);
}
inline bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
inline bool is_word_character(char32_t c) { return is_letter(c) || is_digit(c); }
inline bool is_blank(char32_t c) { return c != 0x1680 && is_space(c); }

// Whether a later rule than that of symbols decides about the character.
inline bool stays(char32_t c) {
  return is_word_character(c) || c == U' ' || c == U'.' || c == U',' || c == U'\'' || c == U'-';
}

inline std::array<bool, 0x80> make_ascii_stays() {
  std::array<bool, 0x80> table{};
  for (char32_t c = 0; c < 0x80; ++c) table[c] = stays(c);
  return table;
}
inline const std::array<bool, 0x80> kAsciiStays = make_ascii_stays();

// The character that each ASCII character is read as.
inline std::array<char, 0x80> make_ascii_read() {
  std::array<char, 0x80> table{};
  for (char32_t c = 0; c < 0x80; ++c) table[c] = c == U'`' ? '\'' : is_blank(c) ? ' ' : static_cast<char>(c);
  return table;
}
inline const std::array<char, 0x80> kAsciiRead = make_ascii_read();

// How each kind of text is stored: ASCII as bytes, any other as code points. A point of an ellipsis, which
// later rules must not see, becomes a character that no text contains.
template <typename Char>
struct TextKind;

template <>
struct TextKind<char> {
  static constexpr char kHiddenPoint = '\x80';

  static void read(std::string_view text, std::string& out) {
    const std::size_t begin = out.size();
    out.append(text);
    for (std::size_t i = begin; i < out.size(); ++i) out[i] = kAsciiRead[static_cast<unsigned char>(out[i])];
  }
  static bool stays_put(char c) { return kAsciiStays[static_cast<unsigned char>(c)]; }
  static void append_utf8(char c, std::string& bytes) { bytes.push_back(c); }
};

template <>
struct TextKind<char32_t> {
  static constexpr char32_t kHiddenPoint = 0x110000;

  static void read(std::string_view text, std::u32string& out) {
    for (std::size_t i = 0; i < text.size();) {
      const auto [c, length] = decode_at(text, i);
      i += length;
      switch (c) {
        case 0x2013:  // en dash
          out.append(U" - ");
          break;
        case 0x201c:
        case 0x201d:
          out.push_back(U'"');
          break;
        case U'`':
        case 0x2018:
        case 0x2019:
          out.push_back(U'\'');
          break;
        default:
          out.push_back(is_blank(c) ? U' ' : c);
      }
    }
  }
  static bool stays_put(char32_t c) { return c < 0x80 ? kAsciiStays[c] : stays(c); }
  static void append_utf8(char32_t c, std::string& bytes) {
    const auto tail = [&](int shift) { bytes.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3f))); };
    if (c < 0x80) return bytes.push_back(static_cast<char>(c));
    if (c < 0x800) {
      bytes.push_back(static_cast<char>(0xc0 | (c >> 6)));
    } else if (c < 0x10000) {
      bytes.push_back(static_cast<char>(0xe0 | (c >> 12)));
      tail(6);
    } else {
      bytes.push_back(static_cast<char>(0xf0 | (c >> 18)));
      tail(12);
      tail(6);
    }
    tail(0);
  }
};

}  // namespace tertium::meteor
