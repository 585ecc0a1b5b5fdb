// The classes of characters that sacreBLEU's tokenisers distinguish. The tokenisers differ in nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tertium/base/unicode.hpp"

namespace tertium::tokenizing {

// The class of a character. A `point` is split off unless it stands between digits. `unread` is the class of
// lead bytes whose characters differ in class: the whole character must be decoded.
enum class Kind : std::uint8_t { plain, space, single, point, digit, dash, unread };

constexpr std::array<Kind, 128> mteval_ascii_kinds() {
  std::array<Kind, 128> kinds{};
  const auto fill = [&](int first, int last, Kind kind) {
    for (int c = first; c <= last; ++c) kinds[static_cast<std::size_t>(c)] = kind;
  };
  // mteval-v13a's first rule: [\{-\~\[-\` -\&\(-\+\:-\@\/]
  fill('{', '~', Kind::single);
  fill('[', '`', Kind::single);
  fill('!', '&', Kind::single);
  fill('(', '+', Kind::single);
  fill(':', '@', Kind::single);
  fill('/', '/', Kind::single);
  fill('0', '9', Kind::digit);
  fill('.', '.', Kind::point);
  fill(',', ',', Kind::point);
  fill('-', '-', Kind::dash);
  fill(0x09, 0x0d, Kind::space);
  fill(0x1c, 0x20, Kind::space);
  return kinds;
}

inline constexpr std::array<Kind, 128> kMtevalKinds = mteval_ascii_kinds();

// White space beyond ASCII begins with one of these bytes (U+0085, U+00A0, U+1680, U+2000 and on, U+3000).
constexpr bool may_begin_space(unsigned char lead) { return lead == 0xc2 || (lead >= 0xe1 && lead <= 0xe3); }

struct Mteval {
  static constexpr bool padded = true;  // the tool puts a space at both ends
  // Whether characters that begin with this byte are not all plain.
  static constexpr bool reads(unsigned char lead) { return may_begin_space(lead); }
  static Kind kind(char32_t c) {
    if (c < 128) return kMtevalKinds[c];
    return is_space(c) ? Kind::space : Kind::plain;
  }
};

// sacreBLEU's zh ranges, as its comparisons of strings work: its two ranges beyond the BMP are
// written u'\u20000'..u'\u2a6d6', which Python reads as U+2000 '0', so they really cover
// U+2001..U+2A6D and U+2F81..U+2FA1. Kept for identical scores.
inline bool is_chinese(char32_t c) {
  return (c >= 0x2001 && c <= 0x2a6d) || (c >= 0x2e80 && c <= 0x2eff) || (c >= 0x2f00 && c <= 0x2fdf) ||
         (c >= 0x2ff0 && c <= 0x303f) || (c >= 0x3100 && c <= 0x312f) || (c >= 0x31a0 && c <= 0x31bf) ||
         (c >= 0x31c0 && c <= 0x31ef) || (c >= 0x3200 && c <= 0x33ff) || (c >= 0x3400 && c <= 0x4db5) ||
         (c >= 0x4e00 && c <= 0x9fbb) || (c >= 0xf900 && c <= 0xfa2d) || (c >= 0xfa30 && c <= 0xfa6a) ||
         (c >= 0xfa70 && c <= 0xfad9) || (c >= 0xfe10 && c <= 0xfe1f) || (c >= 0xfe30 && c <= 0xfe4f) ||
         (c >= 0xff00 && c <= 0xffef);
}

struct Chinese {
  static constexpr bool padded = false;
  static constexpr bool reads(unsigned char lead) { return lead == 0xc2 || (lead >= 0xe1 && lead <= 0xef); }
  static Kind kind(char32_t c) {
    if (c < 128) return kMtevalKinds[c];
    if (is_space(c)) return Kind::space;
    return is_chinese(c) ? Kind::single : Kind::plain;
  }
};

struct International {
  static constexpr bool padded = false;
  static constexpr bool reads(unsigned char) { return true; }
  static Kind kind(char32_t c) {
    if (is_space(c)) return Kind::space;
    switch (character_class(c)) {
      case CharacterClass::number:
        return Kind::digit;
      case CharacterClass::punctuation:
        return Kind::point;
      case CharacterClass::symbol:
        return Kind::single;
      default:
        return Kind::plain;
    }
  }
};

struct Whitespace {
  static constexpr bool padded = false;
  static constexpr bool reads(unsigned char lead) { return may_begin_space(lead); }
  static Kind kind(char32_t c) { return is_space(c) ? Kind::space : Kind::plain; }
};

struct EveryCharacter {
  static constexpr bool padded = false;
  static constexpr bool reads(unsigned char) { return true; }
  static Kind kind(char32_t c) { return is_space(c) ? Kind::space : Kind::single; }
};

// The class of each byte: of an ASCII character, of the characters that a lead byte begins, and plain inside
// a character.
template <typename Rules>
const std::array<Kind, 256>& byte_kinds() {
  static const std::array<Kind, 256> kinds = [] {
    std::array<Kind, 256> filled{};
    for (std::size_t byte = 0; byte < 128; ++byte) filled[byte] = Rules::kind(static_cast<char32_t>(byte));
    for (std::size_t lead = 0xc2; lead < 256; ++lead)
      if (Rules::reads(static_cast<unsigned char>(lead))) filled[lead] = Kind::unread;
    return filled;
  }();
  return kinds;
}

}  // namespace tertium::tokenizing
