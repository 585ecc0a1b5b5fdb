// The tokeniser of METEOR 1.5's option -norm, as observed: Moses-like rules that even out quotation
// marks and dashes, split hyphenated words and drop the points of acronyms. Linear in the text's length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tertium/unicode.hpp"

namespace tertium {

// What becomes of an apostrophe between letters: it's -> it 's; l'eau -> l' eau; any -> alone.
enum class Apostrophes : std::uint8_t { with_right, with_left, alone };

// Abbreviations after which a full stop is not split off; the second kind only before a number.
struct Abbreviations {
  std::unordered_set<std::string> always, before_number;
};

// One per thread: keeps its buffers between texts.
class MeteorTokenizer {
 public:
  MeteorTokenizer(Apostrophes apostrophes, const Abbreviations& abbreviations)
      : apostrophes_(apostrophes), abbreviations_(&abbreviations) {}

  // Hands every token of the text, in its own case, to emit(std::string_view).
  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) {
    read(text);
    pair_quotes();
    split_symbols();
    split_commas();
    split_hyphens();
    split_apostrophes();
    cut_words();
    for (std::size_t i = 0; i < words_.size(); ++i)
      emit_word(words_[i], i + 1 < words_.size() ? words_[i + 1] : std::u32string_view(), emit);
  }

 private:
  // A point of an ellipsis, which later rules must not see; no text has this code point.
  static constexpr char32_t kHiddenPoint = 0x110000;

  // The letters that METEOR knows: Latin and Cyrillic; any other is a symbol that stands alone.
  static bool is_letter(char32_t c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return (c >= 0xc0 && c <= 0x17e && c != 0xd7 && c != 0xf7) || (c >= 0x400 && c <= 0x527) ||
           (c >= 0x1d00 && c <= 0x1d7f) || (c >= 0xa640 && c <= 0xa66e) || (c >= 0xa67e && c <= 0xa697);
  }
  static bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
  static bool is_word_character(char32_t c) { return is_letter(c) || is_digit(c); }
  static bool is_blank(char32_t c) { return c != 0x1680 && is_space(c); }

  void read(std::string_view text) {
    text_.assign(1, U' ');
    for (std::size_t i = 0; i < text.size();) {
      if (const char c = text[i]; c >= 'a' && c <= 'z') {  // most characters
        text_.push_back(static_cast<char32_t>(c));
        ++i;
        continue;
      }
      const auto [c, length] = decode_at(text, i);
      i += length;
      switch (c) {
        case 0x2013:  // en dash
          text_.append(U" - ");
          break;
        case 0x201c:
        case 0x201d:
          text_.push_back(U'"');
          break;
        case U'`':
        case 0x2018:
        case 0x2019:
          text_.push_back(U'\'');
          break;
        default:
          text_.push_back(is_blank(c) ? U' ' : c);
      }
    }
    text_.push_back(U' ');
  }

  // Two single quotation marks make a double one.
  void pair_quotes() { replace_pairs(U'\'', U'"'); }

  void replace_pairs(char32_t twice, char32_t by) {
    std::size_t kept = text_.find(std::u32string({twice, twice}));
    if (kept == std::u32string::npos) return;
    for (std::size_t i = kept; i < text_.size(); ++i) {
      const bool pair = text_[i] == twice && i + 1 < text_.size() && text_[i + 1] == twice;
      text_[kept++] = pair ? by : text_[i];
      i += pair;
    }
    text_.resize(kept);
  }

  // Whether a later rule decides about the character.
  static bool stays(char32_t c) {
    return is_word_character(c) || c == U' ' || c == U'.' || c == U',' || c == U'\'' || c == U'-';
  }

  void split_symbols() {
    next_.clear();
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const char32_t c = text_[i];
      if (c == U'.' && i + 1 < text_.size() && text_[i + 1] == U'.') {
        i = hide_ellipsis(i);
      } else if (stays(c)) {
        next_.push_back(c);
      } else {
        next_.push_back(U' ');
        next_.push_back(c);
        next_.push_back(U' ');
      }
    }
    text_.swap(next_);
  }

  // Two points or more are a token; returns where the last one stands.
  std::size_t hide_ellipsis(std::size_t i) {
    next_.push_back(U' ');
    for (; i < text_.size() && text_[i] == U'.'; ++i) next_.push_back(kHiddenPoint);
    next_.push_back(U' ');
    return i - 1;
  }

  // Replaces the mark wherever it stands between such characters, from left to right and without
  // overlap: the right-hand character of one place is not the left-hand one of the next.
  template <typename Left, typename Right>
  void replace_between(const Left& left, char32_t mark, const Right& right, std::u32string_view by) {
    if (text_.find(mark) == std::u32string::npos) return;
    next_.clear();
    for (std::size_t i = 0; i < text_.size(); ++i) {
      next_.push_back(text_[i]);
      if (i + 2 >= text_.size() || text_[i + 1] != mark || !left(text_[i]) || !right(text_[i + 2])) continue;
      next_.append(by).push_back(text_[i + 2]);
      i += 2;
    }
    text_.swap(next_);
  }

  void split_commas() {
    const auto no_digit = [](char32_t c) { return !is_digit(c); };
    replace_between(no_digit, U',', no_digit, U" , ");
    replace_between(is_digit, U',', no_digit, U" , ");
    replace_between(no_digit, U',', is_digit, U" , ");
  }

  void split_hyphens() {
    replace_pairs(U'-', U'-');
    const auto before = [](char32_t c) { return is_word_character(c) || c == U'.'; };
    replace_between(before, U'-', is_word_character, U" ");
  }

  void split_apostrophes() {
    const auto no_letter = [](char32_t c) { return !is_letter(c); };
    const auto no_word = [](char32_t c) { return !is_word_character(c); };
    switch (apostrophes_) {
      case Apostrophes::alone:
        return isolate(U'\'');
      case Apostrophes::with_left:
        replace_between(no_letter, U'\'', no_letter, U" ' ");
        replace_between(no_letter, U'\'', is_letter, U" ' ");
        replace_between(is_letter, U'\'', no_letter, U" ' ");
        return replace_between(is_letter, U'\'', is_letter, U"' ");
      case Apostrophes::with_right:
        replace_between(no_letter, U'\'', no_letter, U" ' ");
        replace_between(no_word, U'\'', is_letter, U" ' ");
        replace_between(is_letter, U'\'', no_letter, U" ' ");
        replace_between(is_letter, U'\'', is_letter, U" '");
        return replace_between(is_digit, U'\'', [](char32_t c) { return c == U's'; }, U" '");
    }
  }

  void isolate(char32_t mark) {
    next_.clear();
    for (const char32_t c : text_) {
      if (c == mark) next_.push_back(U' ');
      next_.push_back(c);
      if (c == mark) next_.push_back(U' ');
    }
    text_.swap(next_);
  }

  void cut_words() {
    words_.clear();
    const std::u32string_view text = text_;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t begin = text.find_first_not_of(U' ', i);
      if (begin == std::u32string_view::npos) return;
      i = std::min(text.find(U' ', begin), text.size());
      words_.push_back(text.substr(begin, i - begin));
    }
  }

  template <typename Emit>
  void emit_word(std::u32string_view word, std::u32string_view following, const Emit& emit) {
    const bool has_stop = word.size() > 1 && word.back() == U'.';
    if (!has_stop) return emit(encode(word));
    const auto stem = word.substr(0, word.size() - 1);
    if (is_acronym(stem)) return emit(encode(word, true));
    if (keeps_stop(stem, following)) return emit(encode(word));
    emit(encode(stem));
    emit(std::string_view("."));
  }

  static bool is_acronym(std::u32string_view stem) {
    bool letter = false;
    for (const char32_t c : stem) letter = letter || is_letter(c);
    return letter && stem.find(U'.') != std::u32string_view::npos;
  }

  bool keeps_stop(std::u32string_view stem, std::u32string_view following) {
    const char32_t first = following.empty() ? U' ' : following.front();
    if (first >= U'a' && first <= U'z') return true;
    const std::string name(encode(stem));
    return abbreviations_->always.contains(name) ||
           (is_digit(first) && abbreviations_->before_number.contains(name));
  }

  std::string_view encode(std::u32string_view word, bool drop_points = false) {
    bytes_.clear();
    for (const char32_t c : word) {
      if (drop_points && c == U'.') continue;
      append_utf8(c == kHiddenPoint ? U'.' : c);
    }
    return bytes_;
  }

  void append_utf8(char32_t c) {
    const auto tail = [&](int shift) { bytes_.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3f))); };
    if (c < 0x80) return bytes_.push_back(static_cast<char>(c));
    if (c < 0x800) {
      bytes_.push_back(static_cast<char>(0xc0 | (c >> 6)));
    } else if (c < 0x10000) {
      bytes_.push_back(static_cast<char>(0xe0 | (c >> 12)));
      tail(6);
    } else {
      bytes_.push_back(static_cast<char>(0xf0 | (c >> 18)));
      tail(12);
      tail(6);
    }
    tail(0);
  }

  Apostrophes apostrophes_;
  const Abbreviations* abbreviations_;
  std::u32string text_, next_;
  std::vector<std::u32string_view> words_;
  std::string bytes_;
};

}  // namespace tertium
