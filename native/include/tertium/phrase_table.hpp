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
#include "tertium/vocabulary.hpp"

namespace tertium {

// A word's id in a phrase table, where it has none.
inline constexpr std::int32_t kUnknownWord = -1;

// Holds its own vocabulary. A pair that is added twice counts twice: METEOR sees two competing
// matches where its table repeats itself.
class PhraseTable {
 public:
  void add(std::string_view source, std::string_view target) {
    std::int32_t node = kTop;
    for_words(source, [&](std::string_view word) { node = nodes_.name(key(node, words_.intern(word))); });
    const auto begin = static_cast<std::uint32_t>(target_words_.size());
    for_words(target, [&](std::string_view word) { target_words_.push_back(words_.intern(word)); });
    if (node == kTop || begin == target_words_.size()) throw std::invalid_argument("a phrase needs a word");
    pairs_.push_back({node, begin, static_cast<std::uint32_t>(target_words_.size())});
  }

  // Brings the partners of one source together, in the order in which they were added. To be called
  // after the last pair and before the first search.
  void freeze() {
    starts_.assign(static_cast<std::size_t>(nodes_.size()) + 1, 0);
    for (const Pair& pair : pairs_) ++starts_[static_cast<std::size_t>(pair.source) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    std::vector<Pair> grouped(pairs_.size());
    for (const Pair& pair : pairs_) grouped[next[static_cast<std::size_t>(pair.source)]++] = pair;
    pairs_.swap(grouped);
  }

  std::size_t size() const { return pairs_.size(); }

  // The table's ids of another vocabulary's words.
  std::vector<std::int32_t> translate(const Vocabulary& other) const {
    std::vector<std::int32_t> ids(other.size());
    for (std::size_t id = 0; id < ids.size(); ++id)
      ids[id] = words_.find(other.word(static_cast<std::int32_t>(id)));
    return ids;
  }

  // Calls take(length, partner) for every source phrase at the beginning of `text`, shorter ones first.
  template <typename Take>
  void find(std::span<const std::int32_t> text, const Take& take) const {
    std::int32_t node = kTop;
    for (std::size_t length = 1; length <= text.size() && text[length - 1] != kUnknownWord; ++length) {
      node = nodes_.find(key(node, text[length - 1]));
      if (node < 0) return;
      const auto at = static_cast<std::size_t>(node);
      for (std::size_t i = starts_[at]; i < starts_[at + 1]; ++i) take(length, target(pairs_[i]));
    }
  }

 private:
  static constexpr std::int32_t kTop = INT32_MAX;  // the trie's root; other nodes are named from 0

  struct Pair {
    std::int32_t source = 0;
    std::uint32_t begin = 0, end = 0;  // the partner's words in target_words_
  };

  static std::uint64_t key(std::int32_t node, std::int32_t word) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(node)) << 32) |
           static_cast<std::uint32_t>(word);
  }

  template <typename Take>
  static void for_words(std::string_view phrase, const Take& take) {
    while (!phrase.empty()) {
      const std::size_t end = std::min(phrase.find(' '), phrase.size());
      if (end > 0) take(phrase.substr(0, end));
      phrase.remove_prefix(std::min(end + 1, phrase.size()));
    }
  }

  std::span<const std::int32_t> target(const Pair& pair) const {
    return std::span(target_words_).subspan(pair.begin, pair.end - pair.begin);
  }

  Vocabulary words_;
  DenseNames nodes_;
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> target_words_;
  std::vector<std::size_t> starts_;  // partners of node n: [starts_[n], starts_[n + 1])
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

  PhraseTable finish() {
    table_.freeze();
    return std::move(table_);
  }

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

  static bool is_number(std::string_view line) {
    return !line.empty() && line.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
           line.find_first_of("0123456789") != std::string_view::npos;
  }
  static bool is_phrase(std::string_view line) {
    return line.find_first_not_of(' ') != std::string_view::npos && line.find('\t') == std::string_view::npos;
  }

  PhraseSet phrases_;
  PhraseTable table_;
  std::string first_;
  std::size_t lines_ = 0;
};

}  // namespace tertium
