// Reads a paraphrase table in METEOR's format, a block of lines at a time. Linear in the file's size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "tertium/base/unicode.hpp"
#include "tertium/meteor/phrase_builder.hpp"

namespace tertium {

// Reads METEOR's format: lines of probability, phrase, phrase, repeating.
class PhraseReader {
 public:
  // Reads whole lines. Returns the number, from 1, of the first invalid line, or 0.
  std::size_t read(std::string_view block) {
    while (!block.empty()) {
      std::string_view line = block.substr(0, std::min(block.find('\n'), block.size()));
      block.remove_prefix(std::min(line.size() + 1, block.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++lines_;
      if (!take(line)) return lines_;
    }
    return 0;
  }

  std::size_t lines() const { return lines_; }

  // The pairs read so far, from which a table is built.
  const PhraseBuilder& pairs() const { return pairs_; }

 private:
  bool take(std::string_view line) {
    switch (lines_ % 3) {
      case 1:
        return is_number(line);
      case 2:
        first_.assign(line);
        return is_phrase(line);
      default:
        if (!is_phrase(line)) return false;
        pairs_.add(first_, line);
        return true;
    }
  }

  // Digits with or without a point, and perhaps an exponent.
  static bool is_number(std::string_view line) {
    const std::size_t exponent = line.find_first_of("eE");
    if (exponent == std::string_view::npos) return is_decimal(line);
    std::string_view power = line.substr(exponent + 1);
    if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
    return is_decimal(line.substr(0, exponent)) && !power.empty() &&
           power.find_first_not_of("0123456789") == std::string_view::npos;
  }
  static bool is_decimal(std::string_view text) {
    return text.find_first_of("0123456789") != std::string_view::npos &&
           text.find_first_not_of("0123456789.") == std::string_view::npos &&
           text.find('.') == text.rfind('.');
  }
  static bool is_phrase(std::string_view line) {
    return line.find_first_not_of(' ') != std::string_view::npos &&
           line.find('\t') == std::string_view::npos && is_utf8(line);
  }

  PhraseBuilder pairs_;
  std::string first_;
  std::size_t lines_ = 0;
};

}  // namespace tertium
