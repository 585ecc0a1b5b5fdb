// Builds a table of phrases as one run of bytes (see phrase_layout.hpp). Linear in the words of all phrases,
// but for sorting the children of each node.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tertium/base/dense_names.hpp"
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

  // The table's bytes, in 64-bit numbers so that they lie where the table may be read.
  std::vector<std::uint64_t> finish(std::string_view name) const {
    const Trie trie = lay_out();
    Writer writer;
    writer.add<char>(phrases::kName, name);
    write_words(writer);
    writer.add<std::int32_t>(phrases::kTops, trie.tops);
    writer.add<std::uint64_t>(phrases::kFilter, trie.filter);
    writer.add<std::uint32_t>(phrases::kEdges, trie.edges);
    writer.add<std::uint32_t>(phrases::kKids, trie.kids);
    write_pairs(writer, trie.numbers);
    return writer.finish();
  }

 private:
  static constexpr std::int32_t kTop = INT32_MAX;  // as in the table: other nodes are named from 0

  // The nodes in the order in which they are met, level by level; those of a node's children by their words.
  struct Trie {
    std::vector<std::uint32_t> numbers;  // the new number of each node
    std::vector<std::uint32_t> edges, kids;
    std::vector<std::int32_t> tops;
    std::vector<std::uint64_t> filter;
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
    const std::int32_t next = nodes_.name(pair_key(node, word));
    if (static_cast<std::size_t>(next) == parents_.size()) {
      parents_.push_back(node);
      edges_.push_back(static_cast<std::uint32_t>(word));
    }
    return next;
  }

  Trie lay_out() const {
    const std::size_t n = parents_.size();
    const auto [starts, children] = group_children();
    Trie trie{std::vector<std::uint32_t>(n),
              {},
              {},
              std::vector<std::int32_t>(words_.size(), -1),
              std::vector<std::uint64_t>(phrases::kFilterBits / 64)};
    std::vector<std::uint32_t> order;  // the old number of each new one
    order.reserve(n);
    const auto append = [&](std::size_t parent) {
      for (std::size_t c = starts[parent]; c < starts[parent + 1]; ++c) {
        trie.numbers[children[c]] = static_cast<std::uint32_t>(order.size());
        order.push_back(children[c]);
        trie.edges.push_back(edges_[children[c]]);
      }
    };
    append(n);
    for (std::size_t i = 0; i < order.size(); ++i) trie.tops[trie.edges[i]] = static_cast<std::int32_t>(i);
    for (std::size_t i = 0; i < order.size(); ++i) {
      trie.kids.push_back(static_cast<std::uint32_t>(order.size()));
      append(order[i]);
      for (std::size_t kid = trie.kids.back(); kid < order.size(); ++kid)
        mark(trie.filter, pair_key(static_cast<std::int32_t>(i), static_cast<std::int32_t>(trie.edges[kid])));
    }
    trie.kids.push_back(static_cast<std::uint32_t>(order.size()));
    return trie;
  }

  static void mark(std::vector<std::uint64_t>& filter, std::uint64_t edge) {
    const std::size_t bit = phrases::filter_bit(edge);
    filter[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

  struct Groups {
    std::vector<std::uint32_t> starts, members;
  };

  // The children of every node by rising words; those of the root come last.
  Groups group_children() const {
    const std::size_t n = parents_.size();
    Groups groups{std::vector<std::uint32_t>(n + 2), std::vector<std::uint32_t>(n)};
    const auto parent = [&](std::size_t node) {
      return parents_[node] == kTop ? n : static_cast<std::size_t>(parents_[node]);
    };
    for (std::size_t node = 0; node < n; ++node) ++groups.starts[parent(node) + 1];
    std::partial_sum(groups.starts.begin(), groups.starts.end(), groups.starts.begin());
    auto next = groups.starts;
    for (std::size_t node = 0; node < n; ++node)
      groups.members[next[parent(node)]++] = static_cast<std::uint32_t>(node);
    for (std::size_t p = 0; p <= n; ++p)
      std::sort(groups.members.begin() + groups.starts[p], groups.members.begin() + groups.starts[p + 1],
                [&](std::uint32_t a, std::uint32_t b) { return edges_[a] < edges_[b]; });
    return groups;
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
  void write_pairs(Writer& writer, std::span<const std::uint32_t> numbers) const {
    const auto renamed = [&](std::int32_t node) { return numbers[static_cast<std::size_t>(node)]; };
    if (sources_.size() > UINT32_MAX) throw std::length_error("a table of phrases has too many pairs");
    std::vector<std::uint32_t> starts(numbers.size() + 1), partners(sources_.size());
    for (const std::int32_t source : sources_) ++starts[renamed(source) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    auto next = starts;
    for (std::size_t pair = 0; pair < sources_.size(); ++pair)
      partners[next[renamed(sources_[pair])]++] = renamed(targets_[pair]);
    writer.add<std::uint32_t>(phrases::kStarts, starts);
    writer.add<std::uint32_t>(phrases::kPartners, partners);
  }

  Vocabulary words_;
  DenseNames nodes_;
  std::vector<std::int32_t> parents_;  // of each node, kTop if it is a single word
  std::vector<std::uint32_t> edges_;   // the word that leads to each node
  std::vector<std::int32_t> sources_, targets_;
};

}  // namespace tertium
