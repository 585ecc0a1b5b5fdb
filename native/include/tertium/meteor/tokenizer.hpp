// The tokeniser of METEOR 1.5's option -norm, as observed: Moses-like rules that even out quotation
// marks and dashes, split hyphenated words and drop the points of acronyms. Linear in the text's length.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tertium/base/interning.hpp"
#include "tertium/base/named.hpp"
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

namespace tertium {

// How an apostrophe between letters is split: it's -> it 's; l'eau -> l' eau; any -> alone.
enum class Apostrophes : std::uint8_t { with_right, with_left, alone };

// The names of the styles; the language table in Python says which one a language has.
inline constexpr Named<Apostrophes> kApostrophes[] = {
    {"with_right", Apostrophes::with_right},
    {"with_left", Apostrophes::with_left},
    {"alone", Apostrophes::alone},
};

// Abbreviations after which a full stop is not split off; the second kind only before a number.
struct Abbreviations {
  std::unordered_set<std::string> always, before_number;
};

namespace meteor {

// The rules, one after another over the whole text. Keeps its buffers between texts.
template <typename Char>
class Rules {
 public:
  using String = std::basic_string<Char>;
  using View = std::basic_string_view<Char>;

  Rules(Apostrophes apostrophes, const Abbreviations& abbreviations)
      : apostrophes_(apostrophes), abbreviations_(&abbreviations) {}

  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) {
    text_.assign(1, ' ');
    Kind::read(text, text_);
    text_.push_back(' ');
    replace_pairs('\'', '"');
    split_symbols();
    split_commas();
    split_hyphens();
    split_apostrophes();
    cut_words();
    for (std::size_t i = 0; i < words_.size(); ++i)
      emit_word(words_[i], i + 1 < words_.size() ? words_[i + 1] : View(), emit);
  }

 private:
  using Kind = TextKind<Char>;
  static constexpr std::size_t kNowhere = View::npos;

  // Replaces each pair of this character by another character.
  void replace_pairs(Char twice, Char by) {
    std::size_t kept = text_.find(twice);
    while (kept != kNowhere && text_[kept + 1] != twice) kept = text_.find(twice, kept + 1);
    if (kept == kNowhere) return;
    for (std::size_t i = kept; i < text_.size(); ++i) {
      const bool pair = text_[i] == twice && i + 1 < text_.size() && text_[i + 1] == twice;
      text_[kept++] = pair ? by : text_[i];
      i += pair;
    }
    text_.resize(kept);
  }

  void split_symbols() {
    next_.clear();
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (Kind::stays_put(text_[i]) && !(text_[i] == '.' && text_[i + 1] == '.')) continue;
      next_.append(text_, copied, i - copied).push_back(' ');
      if (text_[i] == '.')
        for (; text_[i] == '.'; ++i) next_.push_back(Kind::kHiddenPoint);  // a token, however many
      else
        next_.push_back(text_[i++]);
      next_.push_back(' ');
      copied = i--;
    }
    if (copied > 0) take_over(copied);
  }

  // Replaces the mark wherever it is between such characters, from left to right and without overlap: the
  // right-hand character of one match is not the left-hand one of the next.
  template <typename Left, typename Right>
  void replace_between(const Left& left, char mark, const Right& right, std::string_view by) {
    const auto wanted = static_cast<typename decltype(text_)::value_type>(mark);  // always ASCII
    std::size_t copied = 0;
    std::size_t first_left = 0;
    for (std::size_t at = text_.find(wanted, 1); at != kNowhere; at = text_.find(wanted, at + 1)) {
      if (at <= first_left || at + 1 == text_.size() || !left(text_[at - 1]) || !right(text_[at + 1]))
        continue;
      if (copied == 0) next_.clear();
      next_.append(text_, copied, at - copied).append(by.begin(), by.end());
      copied = at + 1;
      first_left = at + 2;
    }
    if (copied > 0) take_over(copied);
  }

  // The new text is the replaced part up to here, followed by the unchanged rest.
  void take_over(std::size_t copied) {
    next_.append(text_, copied, kNowhere);
    text_.swap(next_);
  }

  void split_commas() {
    const auto no_digit = [](Char c) { return !is_digit(wide(c)); };
    const auto digit = [](Char c) { return is_digit(wide(c)); };
    replace_between(no_digit, ',', no_digit, " , ");
    replace_between(digit, ',', no_digit, " , ");
    replace_between(no_digit, ',', digit, " , ");
  }

  void split_hyphens() {
    replace_pairs('-', '-');
    const auto before = [](Char c) { return is_word_character(wide(c)) || c == '.'; };
    replace_between(before, '-', [](Char c) { return is_word_character(wide(c)); }, " ");
  }

  void split_apostrophes() {
    if (text_.find('\'') == kNowhere) return;
    const auto letter = [](Char c) { return is_letter(wide(c)); };
    const auto no_letter = [](Char c) { return !is_letter(wide(c)); };
    const auto no_word = [](Char c) { return !is_word_character(wide(c)); };
    switch (apostrophes_) {
      case Apostrophes::alone:
        return isolate('\'');
      case Apostrophes::with_left:
        replace_between(no_letter, '\'', no_letter, " ' ");
        replace_between(no_letter, '\'', letter, " ' ");
        replace_between(letter, '\'', no_letter, " ' ");
        return replace_between(letter, '\'', letter, "' ");
      case Apostrophes::with_right:
        replace_between(no_letter, '\'', no_letter, " ' ");
        replace_between(no_word, '\'', letter, " ' ");
        replace_between(letter, '\'', no_letter, " ' ");
        replace_between(letter, '\'', letter, " '");
        return replace_between([](Char c) { return is_digit(wide(c)); }, '\'',
                               [](Char c) { return c == 's'; }, " '");
    }
  }

  void isolate(Char mark) {
    next_.clear();
    for (const Char c : text_) {
      if (c == mark) next_.push_back(' ');
      next_.push_back(c);
      if (c == mark) next_.push_back(' ');
    }
    text_.swap(next_);
  }

  void cut_words() {
    words_.clear();
    const View text = text_;
    std::size_t begin = 0;  // the text begins and ends with a space
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != Char{' '}) continue;
      if (i > begin) words_.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }

  template <typename Emit>
  void emit_word(View word, View following, const Emit& emit) {
    const bool has_stop = word.size() > 1 && word.back() == '.';
    if (!has_stop) return emit_whole(word, emit);
    const View stem = word.substr(0, word.size() - 1);
    if (is_acronym(stem)) return emit(encode(word, true));
    if (keeps_stop(stem, following)) return emit_whole(word, emit);
    emit_whole(stem, emit);
    emit(std::string_view("."));
  }

  // Emits the word as a slice of the text without copying it, if it has one byte per character. An ellipsis
  // is always copied, because its points are hidden.
  template <typename Emit>
  void emit_whole(View word, const Emit& emit) {
    if constexpr (sizeof(Char) == 1) {
      const auto room = static_cast<std::size_t>(text_.data() + text_.size() - word.data());
      if (word.front() != Kind::kHiddenPoint) return emit(std::string_view(word), room);
    }
    emit(encode(word));
  }

  static bool is_acronym(View stem) {
    if (stem.find('.') == kNowhere) return false;
    return std::any_of(stem.begin(), stem.end(), [](Char c) { return is_letter(wide(c)); });
  }

  bool keeps_stop(View stem, View following) {
    const Char first = following.empty() ? Char{' '} : following.front();
    if (first >= 'a' && first <= 'z') return true;
    const std::string name(encode(stem));
    return abbreviations_->always.contains(name) ||
           (is_digit(wide(first)) && abbreviations_->before_number.contains(name));
  }

  std::string_view encode(View word, bool drop_points = false) {
    bytes_.clear();
    for (const Char c : word) {
      if (drop_points && c == '.') continue;
      Kind::append_utf8(c == Kind::kHiddenPoint ? Char{'.'} : c, bytes_);
    }
    return bytes_;
  }

  static char32_t wide(Char c) {
    if constexpr (sizeof(Char) == 1) return static_cast<unsigned char>(c);
    return static_cast<char32_t>(c);
  }

  Apostrophes apostrophes_;
  const Abbreviations* abbreviations_;
  String text_, next_;
  std::vector<View> words_;
  std::string bytes_;
};

}  // namespace meteor

// One per thread: keeps its buffers between texts.
class MeteorTokenizer {
 public:
  MeteorTokenizer(Apostrophes apostrophes, const Abbreviations& abbreviations)
      : ascii_(apostrophes, abbreviations), unicode_(apostrophes, abbreviations) {}

  // Passes every token of the text, in its own case, to emit(std::string_view).
  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) {
    if (is_ascii(text))
      ascii_(text, emit);
    else
      unicode_(text, emit);
  }

 private:
  static bool is_ascii(std::string_view text) {
    unsigned char all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80;
  }

  meteor::Rules<char> ascii_;
  meteor::Rules<char32_t> unicode_;
};

// The tokens of many texts as ids of convert(token).
template <typename Convert = std::identity>
OwnedColumn intern_meteor_tokens(Apostrophes apostrophes, const Abbreviations& abbreviations,
                                 std::span<const std::string_view> texts, Vocabulary& vocabulary,
                                 std::size_t threads, Convert convert = {}) {
  return intern_with([&] { return MeteorTokenizer(apostrophes, abbreviations); }, texts, vocabulary, threads,
                     std::move(convert));
}

}  // namespace tertium
