// Pairs of phrases that mean the same, as a trie from each source phrase to its partners.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/ngrams.hpp"
#include "tertium/unicode.hpp"
#include "tertium/vocabulary.hpp"

namespace tertium {

// A word's id in a phrase table, where it has none.
inline constexpr std::int32_t kUnknownWord = -1;

// A phrase of a table where it stands in a text.
struct PhrasePlace {
  std::int32_t phrase;
  std::int32_t begin;
  std::int32_t length;
};

// Holds its own vocabulary; phrases are numbered by the nodes of a trie. A pair that is added twice
// counts twice: METEOR sees two competing matches where its table repeats itself.
class PhraseTable {
 public:
  struct Pair {
    std::int32_t source = 0, target = 0;
  };

  void add(std::string_view source, std::string_view target) {
    pairs_.push_back({insert(source), insert(target)});
  }

  // In the order in which they were added.
  std::span<const Pair> pairs() const { return pairs_; }
  std::size_t phrases() const { return static_cast<std::size_t>(nodes_.size()); }

  // The table's ids of another vocabulary's words.
  std::vector<std::int32_t> translate(const Vocabulary& other) const {
    std::vector<std::int32_t> ids(other.size());
    for (std::size_t id = 0; id < ids.size(); ++id)
      ids[id] = words_.find(other.word(static_cast<std::int32_t>(id)));
    return ids;
  }

  // Calls take(PhrasePlace) for every beginning of a phrase in the text, from left to right, shorter
  // ones first; names[id] is the table's id of a word of the text.
  template <typename Take>
  void find(std::span<const std::int32_t> text, std::span<const std::int32_t> names, const Take& take) const {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      std::int32_t node = kTop;
      for (std::size_t end = begin; end < text.size(); ++end) {
        const std::int32_t word = names[static_cast<std::size_t>(text[end])];
        node = word == kUnknownWord ? -1 : child(node, word);
        if (node < 0) break;
        take(PhrasePlace{node, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end - begin + 1)});
      }
    }
  }

 private:
  static constexpr std::int32_t kTop = INT32_MAX;  // the trie's root; other nodes are named from 0

  static std::uint64_t key(std::int32_t node, std::int32_t word) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(node)) << 32) |
           static_cast<std::uint32_t>(word);
  }

  // The node of the phrase with one more word, or -1. The table is far larger than the caches, and most
  // words do not go on a phrase: two small arrays answer before it is asked.
  std::int32_t child(std::int32_t node, std::int32_t word) const {
    if (node == kTop) return of_word_[static_cast<std::size_t>(word)];
    const std::uint64_t edge = key(node, word);
    return may_have(edge) ? nodes_.find(edge) : -1;
  }

  static constexpr std::size_t kFilterBits = std::size_t{1} << 23;
  static std::size_t filter_bit(std::uint64_t edge) { return mix64(edge) % kFilterBits; }
  bool may_have(std::uint64_t edge) const {
    const std::size_t bit = filter_bit(edge);
    return (filter_[bit / 64] >> (bit % 64) & 1) != 0;
  }

  std::int32_t extend(std::int32_t node, std::string_view text) {
    const std::int32_t word = words_.intern(text);
    if (of_word_.size() < words_.size()) of_word_.resize(words_.size(), -1);
    const std::uint64_t edge = key(node, word);
    const std::int32_t next = nodes_.name(edge);
    if (node == kTop) of_word_[static_cast<std::size_t>(word)] = next;
    const std::size_t bit = filter_bit(edge);
    filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    return next;
  }

  std::int32_t insert(std::string_view phrase) {
    std::int32_t node = kTop;
    while (!phrase.empty()) {
      const std::size_t end = std::min(phrase.find(' '), phrase.size());
      if (end > 0) node = extend(node, phrase.substr(0, end));
      phrase.remove_prefix(std::min(end + 1, phrase.size()));
    }
    if (node == kTop) throw std::invalid_argument("a phrase needs a word");
    return node;
  }

  Vocabulary words_;
  DenseNames nodes_;
  std::vector<std::int32_t> of_word_;  // the node of each word alone, -1 if no phrase begins with it
  std::vector<std::uint64_t> filter_ = std::vector<std::uint64_t>(kFilterBits / 64);
  std::vector<Pair> pairs_;
};

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
  PhraseReader(const Column& texts, const Vocabulary& vocabulary) : phrases_(texts, vocabulary, kLongest) {}

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
