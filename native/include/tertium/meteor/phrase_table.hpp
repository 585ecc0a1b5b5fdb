// Pairs of phrases that mean the same, as a trie from each source phrase to its partners. Finding the phrases
// of a text takes a step for each of their words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tertium/base/dense_names.hpp"
#include "tertium/base/vocabulary.hpp"

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

  // The node of the phrase with one more word, or -1. The table is far larger than the caches, and most
  // words do not go on a phrase: two small arrays answer before it is asked.
  std::int32_t child(std::int32_t node, std::int32_t word) const {
    if (node == kTop) return of_word_[static_cast<std::size_t>(word)];
    const std::uint64_t edge = pair_key(node, word);
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
    const std::uint64_t edge = pair_key(node, word);
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

}  // namespace tertium
