// Pairs of phrases that mean the same, as a trie from each source phrase to its partners, read where it lies
// (see phrase_layout.hpp). Finding the phrases of a text takes a step for each of their words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/base/dense_names.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/meteor/phrase_layout.hpp"

namespace tertium {

// A word's id in a phrase table, where it has none.
inline constexpr std::int32_t kUnknownWord = -1;

// A phrase of a table where it stands in a text.
struct PhrasePlace {
  std::int32_t phrase;
  std::int32_t begin;
  std::int32_t length;
};

// A view of a table; phrases are numbered by the nodes of a trie. A pair that was added twice counts twice:
// METEOR sees two competing matches where its table repeats itself. The checksum tells damage; every number
// that leads to a place is checked all the same, for a file may come from anywhere.
class PhraseTable {
 public:
  // Reads all bytes once, for their sum; they must lie at a multiple of 8 and outlive the table.
  explicit PhraseTable(std::span<const std::byte> bytes) {
    if (bytes.size() < sizeof(phrases::Header) || bytes.size() % 8 != 0)
      throw phrases::Damaged("it is cut off");
    phrases::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != phrases::kMagic) throw phrases::Damaged("it is of another version or machine");
    if (header.checksum != phrases::sum_table(bytes))
      throw phrases::Damaged("its content does not fit its checksum");
    place_sections(header, bytes);
    check_shape();
  }

  std::string_view name() const { return {name_.data(), name_.size()}; }
  // All pairs that were added.
  std::size_t size() const { return partners_.size(); }
  std::size_t phrases() const { return edges_.size(); }

  // The partners of a phrase, in the order in which the pairs were added.
  std::span<const std::uint32_t> partners(std::int32_t phrase) const {
    return part_of(partners_, starts_, phrase);
  }

  // The table's ids of another vocabulary's words.
  std::vector<std::int32_t> translate(const Vocabulary& other) const {
    std::vector<std::int32_t> ids(other.size());
    for (std::size_t id = 0; id < ids.size(); ++id)
      ids[id] = find_word(other.word(static_cast<std::int32_t>(id)));
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

  template <typename T>
  static std::span<const T> section(std::span<const std::byte> bytes) {
    if (bytes.size() % sizeof(T) != 0) throw phrases::Damaged("a section has half a number");
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  void place_sections(const phrases::Header& header, std::span<const std::byte> bytes) {
    std::size_t at = sizeof header;
    const auto next = [&](phrases::Section which) {
      const std::uint64_t size = header.sizes[which];
      if (size > bytes.size() - at) throw phrases::Damaged("it ends within a section");
      const auto found = bytes.subspan(at, static_cast<std::size_t>(size));
      at += std::min(phrases::padded(found.size()), bytes.size() - at);
      return found;
    };
    name_ = section<char>(next(phrases::kName));
    slots_ = section<std::uint32_t>(next(phrases::kSlots));
    ends_ = section<std::uint32_t>(next(phrases::kEnds));
    letters_ = section<char>(next(phrases::kLetters));
    tops_ = section<std::int32_t>(next(phrases::kTops));
    filter_ = section<std::uint64_t>(next(phrases::kFilter));
    edges_ = section<std::uint32_t>(next(phrases::kEdges));
    kids_ = section<std::uint32_t>(next(phrases::kKids));
    starts_ = section<std::uint32_t>(next(phrases::kStarts));
    partners_ = section<std::uint32_t>(next(phrases::kPartners));
  }

  void check_shape() const {
    const bool fits = std::has_single_bit(slots_.size()) && tops_.size() == ends_.size() &&
                      filter_.size() == phrases::kFilterBits / 64 && edges_.size() < INT32_MAX &&
                      kids_.size() == edges_.size() + 1 && starts_.size() == edges_.size() + 1;
    if (!fits) throw phrases::Damaged("its sections do not fit one another");
  }

  // What belongs to a node among what belongs to all; refuses a place outside.
  static std::span<const std::uint32_t> part_of(std::span<const std::uint32_t> all,
                                                std::span<const std::uint32_t> starts, std::int32_t node) {
    const auto at = static_cast<std::size_t>(node);
    if (at + 1 >= starts.size() || starts[at] > starts[at + 1] || starts[at + 1] > all.size())
      throw phrases::Damaged("a phrase leads nowhere");
    return all.subspan(starts[at], starts[at + 1] - starts[at]);
  }

  std::int32_t find_word(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::uint32_t>(hash_bytes(text)) & mask;
    for (std::size_t tries = 0; tries < slots_.size() && slots_[at] != 0; ++tries, at = (at + 1) & mask)
      if (word(slots_[at] - 1) == text) return static_cast<std::int32_t>(slots_[at] - 1);
    return kUnknownWord;
  }

  std::string_view word(std::uint32_t id) const {
    if (id >= ends_.size()) throw phrases::Damaged("a word leads nowhere");
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    if (begin > ends_[id] || ends_[id] > letters_.size()) throw phrases::Damaged("a word leads nowhere");
    return {letters_.data() + begin, ends_[id] - begin};
  }

  // The node of the phrase with one more word, or -1. The trie is far larger than the caches, and most
  // words do not go on a phrase: two small arrays answer before it is asked.
  std::int32_t child(std::int32_t node, std::int32_t word) const {
    if (node == kTop) return checked(tops_[static_cast<std::size_t>(word)]);
    const std::size_t bit = phrases::filter_bit(pair_key(node, word));
    if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) return -1;
    const auto kids = part_of(edges_, kids_, node);
    const auto at = std::ranges::lower_bound(kids, static_cast<std::uint32_t>(word));
    if (at == kids.end() || *at != static_cast<std::uint32_t>(word)) return -1;
    return static_cast<std::int32_t>(&*at - edges_.data());
  }

  std::int32_t checked(std::int32_t node) const {
    if (node >= static_cast<std::int32_t>(edges_.size())) throw phrases::Damaged("a word leads nowhere");
    return node;
  }

  std::span<const char> name_, letters_;
  std::span<const std::uint32_t> slots_, ends_, edges_, kids_, starts_, partners_;
  std::span<const std::int32_t> tops_;
  std::span<const std::uint64_t> filter_;
};

}  // namespace tertium
