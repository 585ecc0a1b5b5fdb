// Builds a table of phrases as one run of bytes (see phrase_layout.hpp), and reads the pairs of phrases from
// METEOR's files. Linear in the words of all phrases.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/dense_ids.hpp"
#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/meteor/phrase_layout.hpp"

namespace tertium {

class PhraseBuilder {
 public:
  void add(std::string_view source, std::string_view target) {
    const std::int32_t node = insert(source);
    sources_.push_back(node);
    targets_.push_back(insert(target));
  }

  std::size_t size() const { return sources_.size(); }

  // The table's bytes, as 64-bit numbers so that they are aligned for reading.
  std::vector<std::uint64_t> finish(std::string_view name) const {
    const Trie trie = lay_out();
    Writer writer;
    writer.add<char>(phrases::kName, name);
    write_words(writer);
    writer.add<std::int32_t>(phrases::kTops, trie.tops);
    writer.add<std::uint64_t>(phrases::kEdges, trie.edges);
    write_pairs(writer, trie);
    return writer.finish();
  }

 private:
  static constexpr std::int32_t kTop = INT32_MAX;  // as in the table: other nodes are named from 0

  struct Trie {
    std::vector<std::uint32_t> places;  // of each node
    std::vector<std::uint64_t> edges;
    std::vector<std::int32_t> tops;
  };

  // Gathers sections in their order.
  class Writer {
   public:
    template <typename T>
    void add(phrases::Section which, std::span<const T> values) {
      header_.sizes[which] = values.size_bytes();
      const std::size_t at = words_.size();
      words_.resize(at + phrases::padded(values.size_bytes()) / 8);
      if (!values.empty()) std::memcpy(words_.data() + at, values.data(), values.size_bytes());
    }

    std::vector<std::uint64_t> finish() {
      std::memcpy(words_.data(), &header_, sizeof header_);
      header_.checksum = phrases::sum_table(std::as_bytes(std::span(words_)));
      std::memcpy(words_.data(), &header_, sizeof header_);
      return std::move(words_);
    }

   private:
    phrases::Header header_;
    std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(sizeof(phrases::Header) / 8);
  };

  std::int32_t insert(std::string_view phrase) {
    std::int32_t node = kTop;
    while (!phrase.empty()) {
      const std::size_t end = std::min(phrase.find(' '), phrase.size());
      if (end > 0) node = extend(node, words_.intern(phrase.substr(0, end)));
      phrase.remove_prefix(std::min(end + 1, phrase.size()));
    }
    if (node == kTop) throw std::invalid_argument("a phrase needs a word");
    return node;
  }

  std::int32_t extend(std::int32_t node, std::int32_t word) {
    const std::int32_t next = nodes_.intern(pair_key(node, word));
    if (static_cast<std::size_t>(next) == parents_.size()) {
      parents_.push_back(node);
      edges_.push_back(word);
    }
    return next;
  }

  // A third of the slots stays free, so that unsuccessful lookups end soon. Parents come before their
  // children, so their slots are known.
  Trie lay_out() const {
    const std::size_t n = parents_.size() + parents_.size() / 2 + 1;
    if (n >= INT32_MAX) throw std::length_error("a table of phrases has too many phrases");
    Trie trie{
        {}, std::vector<std::uint64_t>(n, phrases::kFree), std::vector<std::int32_t>(words_.size(), -1)};
    trie.places.reserve(parents_.size());
    for (std::size_t node = 0; node < parents_.size(); ++node) {
      const bool is_top = parents_[node] == kTop;
      const std::int32_t parent =
          is_top ? kTop : static_cast<std::int32_t>(trie.places[static_cast<std::size_t>(parents_[node])]);
      const std::size_t place = put(trie.edges, pair_key(parent, edges_[node]));
      trie.places.push_back(static_cast<std::uint32_t>(place));
      if (is_top) trie.tops[static_cast<std::size_t>(edges_[node])] = static_cast<std::int32_t>(place);
    }
    return trie;
  }

  static std::size_t put(std::vector<std::uint64_t>& edges, std::uint64_t edge) {
    std::size_t at = phrases::first_place(edge, edges.size());
    while (edges[at] != phrases::kFree) at = at + 1 == edges.size() ? 0 : at + 1;
    edges[at] = edge;
    return at;
  }

  void write_words(Writer& writer) const {
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * words_.size() + 1)), ends;
    std::vector<char> letters;
    for (std::uint32_t id = 0; id < words_.size(); ++id) {
      const std::string_view word = words_.word(static_cast<std::int32_t>(id));
      letters.insert(letters.end(), word.begin(), word.end());
      if (letters.size() > UINT32_MAX) throw std::length_error("a table of phrases has too many letters");
      ends.push_back(static_cast<std::uint32_t>(letters.size()));
      std::size_t at = static_cast<std::uint32_t>(hash_bytes(word)) & (slots.size() - 1);
      while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
      slots[at] = id + 1;
    }
    writer.add<std::uint32_t>(phrases::kSlots, slots);
    writer.add<std::uint32_t>(phrases::kEnds, ends);
    writer.add<char>(phrases::kLetters, letters);
  }

  // A stable counting sort by the first phrase.
  void write_pairs(Writer& writer, const Trie& trie) const {
    const auto place = [&](std::int32_t node) { return trie.places[static_cast<std::size_t>(node)]; };
    if (sources_.size() > UINT32_MAX) throw std::length_error("a table of phrases has too many pairs");
    std::vector<std::uint32_t> starts(trie.edges.size() + 1), partners(sources_.size());
    for (const std::int32_t source : sources_) ++starts[place(source) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    auto next = starts;
    for (std::size_t pair = 0; pair < sources_.size(); ++pair)
      partners[next[place(sources_[pair])]++] = place(targets_[pair]);
    writer.add<std::uint32_t>(phrases::kStarts, starts);
    writer.add<std::uint32_t>(phrases::kPartners, partners);
  }

  Vocabulary words_;
  DenseIds nodes_;
  std::vector<std::int32_t> parents_;  // parent of each node, kTop for a single word
  std::vector<std::int32_t> edges_;    // the word that leads to each node
  std::vector<std::int32_t> sources_, targets_;
};

// Reads a paraphrase table in METEOR's format, a block of lines at a time: lines of probability, phrase,
// phrase, repeating.
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
