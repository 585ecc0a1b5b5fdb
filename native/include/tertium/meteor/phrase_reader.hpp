// Reads a paraphrase table in METEOR's format, a block of lines at a time, and keeps only the pairs that can
// match the texts at hand: of a million pairs a few thousand. Linear in the file's size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/dense_names.hpp"
#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

// The phrases of a column of texts, by hash: a false friend only keeps a pair that never matches.
class PhraseSet {
 public:
  PhraseSet(const Column& texts, const Vocabulary& vocabulary, std::size_t longest) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto text = texts[i];
      for (std::size_t begin = 0; begin < text.size(); ++begin) {
        std::uint64_t hash = kSeed;
        for (std::size_t end = begin; end < text.size() && end < begin + longest; ++end) {
          hash = extend(hash, vocabulary.word(text[end]));
          hashes_.name(hash);
        }
      }
    }
  }

  bool contains(std::string_view phrase) const {
    std::uint64_t hash = kSeed;
    while (!phrase.empty()) {
      const std::size_t end = std::min(phrase.find(' '), phrase.size());
      hash = extend(hash, phrase.substr(0, end));
      phrase.remove_prefix(std::min(end + 1, phrase.size()));
    }
    return hashes_.find(hash) >= 0;
  }

 private:
  static constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15ULL;
  static std::uint64_t extend(std::uint64_t hash, std::string_view word) {
    return mix64(hash * 31 + hash_bytes(word));
  }
  DenseNames hashes_;
};

// Reads METEOR's format (lines of probability, phrase, phrase, repeating) block by block and keeps the
// pairs of which one side is a phrase of the texts.
class PhraseReader {
 public:
  PhraseReader(const Column& texts, const Vocabulary& vocabulary)
      : phrases_(checked(texts, vocabulary), vocabulary, kLongest) {}

  // Takes whole lines. Returns the number, from 1, of the first line that is wrong, or 0.
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

  PhraseTable finish() { return std::move(table_); }

 private:
  static constexpr std::size_t kLongest = 16;  // words; METEOR's tables have at most 7

  static const Column& checked(const Column& texts, const Vocabulary& vocabulary) {
    check_range(texts.ids, 0, vocabulary.size(), "a word is not in the vocabulary");
    return texts;
  }

  bool take(std::string_view line) {
    switch (lines_ % 3) {
      case 1:
        return is_number(line);
      case 2:
        first_.assign(line);
        return is_phrase(line);
      default:
        if (!is_phrase(line)) return false;
        if (phrases_.contains(first_) || phrases_.contains(line)) table_.add(first_, line);
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

  PhraseSet phrases_;
  PhraseTable table_;
  std::string first_;
  std::size_t lines_ = 0;
};

}  // namespace tertium
