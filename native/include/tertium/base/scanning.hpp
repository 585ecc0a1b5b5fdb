// One left-to-right scan for the tokenisers of sacreBLEU, which differ only in the classes of characters. A
// token is always a slice of the text, so nothing is copied. Linear in the length of the text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/base/byte_classes.hpp"
#include "tertium/base/unicode.hpp"

namespace tertium::tokenizing {

// The class of a character, for the tokenisers of sacreBLEU. A `point` is split off unless it stands between
// digits. `unread` is the class of lead bytes whose characters differ in class: the whole character must be
// decoded.
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

// The classes of 64 bytes: a bit mask for every class but `plain`, in the order of the classes.
using KindSets = std::array<std::uint64_t, static_cast<std::size_t>(Kind::unread)>;

inline std::uint64_t of_kind(const KindSets& sets, Kind kind) {
  return sets[static_cast<std::size_t>(kind) - 1];
}

template <typename Rules>
const ByteClasses& kind_classes() {
  static const ByteClasses classes([] {
    ByteClasses::Flags flags{};
    for (std::size_t byte = 0; byte < 256; ++byte)
      if (const Kind kind = byte_kinds<Rules>()[byte]; kind != Kind::plain)
        flags[byte] = static_cast<std::uint8_t>(1U << (static_cast<std::size_t>(kind) - 1));
    return flags;
  }());
  return classes;
}

// The classes of a text's bytes, 64 by 64; spaces follow the text.
class KindBlocks {
 public:
  KindBlocks(const ByteClasses& classes, std::string_view text)
      : size_((text.size() + ByteClasses::kBytes - 1) / ByteClasses::kBytes) {
    if (size_ > kFew) many_.resize(size_);
    blocks_ = size_ > kFew ? many_.data() : few_;
    for (std::size_t block = 0; block + 1 < size_; ++block)
      classes.find(text.data() + block * ByteClasses::kBytes, blocks_[block]);
    if (size_ > 0) classes.find(text.substr((size_ - 1) * ByteClasses::kBytes), blocks_[size_ - 1]);
  }
  KindBlocks(const KindBlocks&) = delete;
  KindBlocks& operator=(const KindBlocks&) = delete;

  std::size_t size() const { return size_; }
  const KindSets& operator[](std::size_t block) const { return blocks_[block]; }

 private:
  static constexpr std::size_t kFew = 16;  // blocks on the stack: 1,024 bytes of text; longer texts allocate
  std::size_t size_;
  KindSets few_[kFew];
  std::vector<KindSets> many_;
  KindSets* blocks_;
};

// The kind of character before the current one, as far as the rules for points and dashes need it. `spent` is
// a point that the first rule has already matched as its right-hand side.
enum class Before : std::uint8_t { edge, other, digit, spent };

// The rules of mteval, (non-digit)(point) and then (point)(non-digit), applied from left to right without
// overlap, decide for each point whether it becomes a token of its own. See tests/reference for the regular
// expressions themselves.
template <typename Rules, typename Emit>
void scan_marks(std::string_view text, const KindBlocks& blocks, const Emit& emit) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t start = kNone;  // where the open token begins
  Before before = Rules::padded ? Before::other : Before::edge;
  const auto emit_slice = [&](std::size_t begin, std::size_t end) {
    emit(std::string_view(text.data() + begin, end - begin), text.size() - begin);
  };
  const auto close = [&](std::size_t end) {
    if (start != kNone) emit_slice(start, end);
    start = kNone;
  };
  const auto alone = [&](std::size_t at, std::size_t length) {
    close(at);
    emit_slice(at, at + length);
  };
  // Whether a point that no earlier match has claimed is split off: always, except in "3.5" and at an
  // unpadded end.
  const auto splits = [&](std::size_t next) {
    if (next == text.size()) return Rules::padded;
    return Rules::kind(decode_at(text, next).code_point) != Kind::digit;
  };
  const auto& kinds = byte_kinds<Rules>();
  const auto read = [&](std::size_t i) {  // the character at a mark; returns its length
    Kind kind = kinds[static_cast<unsigned char>(text[i])];
    std::size_t length = 1;
    if (kind == Kind::unread) {
      const Decoded character = decode_at(text, i);
      kind = Rules::kind(character.code_point);
      length = character.length;
    }
    if (kind == Kind::dash) kind = before == Before::digit ? Kind::single : Kind::plain;
    switch (kind) {
      case Kind::space:
        close(i);
        before = Before::other;
        break;
      case Kind::single:
        alone(i, length);
        before = Before::other;
        break;
      case Kind::point:
        if (before == Before::other) {
          alone(i, length);
          before = Before::spent;
        } else {
          if (splits(i + length)) {
            alone(i, length);
          } else if (start == kNone) {
            start = i;
          }
          before = Before::other;
        }
        break;
      case Kind::digit:
        if (start == kNone) start = i;
        before = Before::digit;
        break;
      default:
        if (start == kNone) start = i;
        before = Before::other;
    }
    return length;
  };
  std::size_t done = 0;  // bytes
  const auto pass_plain = [&](std::size_t end) {
    if (done == end) return;
    if (start == kNone) start = done;
    before = Before::other;
  };
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const std::size_t begin = block * ByteClasses::kBytes;
    std::uint64_t marks = 0;
    for (const std::uint64_t set : blocks[block]) marks |= set;
    if (text.size() - begin < ByteClasses::kBytes) marks &= (std::uint64_t{1} << (text.size() - begin)) - 1;
    for (; marks != 0; marks &= marks - 1) {
      const std::size_t mark = begin + static_cast<std::size_t>(std::countr_zero(marks));
      pass_plain(mark);
      done = mark + read(mark);
    }
  }
  pass_plain(text.size());
  close(text.size());
}

// Whether every class is known from its byte, no two points are neighbours, and no point is at an end that
// has a rule of its own. Most texts are like this.
template <typename Rules>
bool is_simple(const KindBlocks& blocks, std::string_view text) {
  std::uint64_t odd = 0;
  std::uint64_t point_before = 0;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const std::uint64_t points = of_kind(blocks[block], Kind::point);
    odd |= of_kind(blocks[block], Kind::unread) | (points & (points << 1 | point_before));
    point_before = points >> 63;
  }
  if constexpr (!Rules::padded) {
    const auto is_point = [&](char c) {
      return byte_kinds<Rules>()[static_cast<unsigned char>(c)] == Kind::point;
    };
    if (!text.empty() && (is_point(text.front()) || is_point(text.back()))) return false;
  }
  return odd == 0;
}

// Finds the same tokens in a simple text: their begins and ends are computed for 64 bytes at once, and no
// branch depends on the bytes.
template <typename Emit>
void scan_blocks(std::string_view text, const KindBlocks& blocks, const Emit& emit) {
  const auto emit_slice = [&](std::size_t begin, std::size_t end) {
    emit(std::string_view(text.data() + begin, end - begin), text.size() - begin);
  };
  const auto take_lowest = [](std::uint64_t& bits) {
    const auto place = static_cast<std::size_t>(std::countr_zero(bits));
    bits &= bits - 1;
    return place;
  };
  // Whether the byte before is a digit, part of a word, or a token of its own.
  std::uint64_t digit_before = 0, word_before = 0, single_before = 0;
  std::size_t open = text.size();  // begin of the unfinished token, if there is one
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const std::size_t base = block * ByteClasses::kBytes;
    const KindSets& sets = blocks[block];
    const std::uint64_t digits = of_kind(sets, Kind::digit);
    const std::uint64_t points = of_kind(sets, Kind::point);
    const std::uint64_t behind_digits = digits << 1 | digit_before;
    const std::uint64_t before_digits =
        digits >> 1 | (block + 1 < blocks.size() ? of_kind(blocks[block + 1], Kind::digit) << 63 : 0);
    const std::uint64_t singles = of_kind(sets, Kind::single) | (points & ~(behind_digits & before_digits)) |
                                  (of_kind(sets, Kind::dash) & behind_digits);
    const std::uint64_t words = ~(of_kind(sets, Kind::space) | singles);
    const std::uint64_t behind_words = words << 1 | word_before;
    std::uint64_t begins = singles | (words & ~behind_words);
    std::uint64_t ends = (~words & behind_words) | singles << 1 | single_before;
    digit_before = digits >> 63;
    word_before = words >> 63;
    single_before = singles >> 63;
    if (open != text.size() && ends != 0)
      emit_slice(std::exchange(open, text.size()), base + take_lowest(ends));
    while (ends != 0) {
      const std::size_t begin = base + take_lowest(begins);
      emit_slice(begin, base + take_lowest(ends));
    }
    if (begins != 0) open = base + take_lowest(begins);
  }
  if (open != text.size()) emit_slice(open, text.size());
}

template <typename Rules, typename Emit>
void scan(std::string_view text, const Emit& emit) {
  const KindBlocks blocks(kind_classes<Rules>(), text);
  if (is_simple<Rules>(blocks, text))
    scan_blocks(text, blocks, emit);
  else
    scan_marks<Rules>(text, blocks, emit);
}

}  // namespace tertium::tokenizing
