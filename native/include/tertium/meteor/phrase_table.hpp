// Pairs of phrases with the same meaning, as a trie from each source phrase to its partners, used in place
// (see phrase_layout.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tertium/base/dense_ids.hpp"
#include "tertium/base/prefetch.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/meteor/phrase_layout.hpp"

namespace tertium {

// The id of a word that a phrase table does not have.
inline constexpr std::int32_t kUnknownWord = -1;

// A view of a table; phrases are numbered by their slots. A pair that was added twice counts twice: METEOR
// sees two competing matches where its table repeats a pair. The checksum detects damage; every index is
// checked nevertheless, because a file may come from anywhere.
class PhraseTable {
 public:
  // Reads all bytes once, to verify the checksum. They must be aligned to 8 bytes and outlive the table.
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
    const auto at = static_cast<std::size_t>(phrase);
    if (at + 1 >= starts_.size() || starts_[at] > starts_[at + 1] || starts_[at + 1] > partners_.size())
      throw phrases::Damaged("a phrase leads nowhere");
    return partners_.subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }

  // Writes the ids of words, or kUnknownWord. The memory that a lookup reads is prefetched for many words
  // before the next step: the slot, where its word begins, and the letters.
  void find_words(std::span<const std::string_view> words, std::span<std::int32_t> ids) const {
    std::array<std::size_t, 64> slots;
    for (std::size_t first = 0; first < words.size(); first += slots.size()) {
      const auto some = words.subspan(first, std::min(slots.size(), words.size() - first));
      for (std::size_t i = 0; i < some.size(); ++i) prefetch(&slots_[slots[i] = first_slot(some[i])]);
      for (std::size_t i = 0; i < some.size(); ++i) prefetch(begin_of(slots_[slots[i]]));
      for (std::size_t i = 0; i < some.size(); ++i)
        prefetch(letters_.data() + std::min<std::size_t>(*begin_of(slots_[slots[i]]), letters_.size()));
      for (std::size_t i = 0; i < some.size(); ++i) ids[first + i] = find_word(some[i], slots[i]);
    }
  }

  // The phrase of a single word of the table, or -1.
  std::int32_t find_top(std::int32_t word) const {
    const std::int32_t phrase = tops_[static_cast<std::size_t>(word)];
    if (phrase >= static_cast<std::int32_t>(edges_.size())) throw phrases::Damaged("a word leads nowhere");
    return phrase;
  }

  // The slot where the phrase with one more word is looked up first. It is prefetched for find_longer().
  std::size_t ask_longer(std::int32_t phrase, std::int32_t word) const {
    const std::size_t place = phrases::first_place(pair_key(phrase, word), edges_.size());
    prefetch(&edges_[place]);
    return place;
  }

  // The phrase with one more word, or -1.
  std::int32_t find_longer(std::int32_t phrase, std::int32_t word, std::size_t place) const {
    const std::uint64_t edge = pair_key(phrase, word);
    for (std::size_t tries = 0; tries < edges_.size() && edges_[place] != phrases::kFree; ++tries) {
      if (edges_[place] == edge) return static_cast<std::int32_t>(place);
      place = place + 1 == edges_.size() ? 0 : place + 1;
    }
    return -1;
  }

  // Prefetch the data for partners(): first the offsets, then, when these have arrived, the partners.
  void ask_partners(std::int32_t phrase) const { prefetch(&starts_[static_cast<std::size_t>(phrase)]); }
  void ask_first_partner(std::int32_t phrase) const {
    prefetch(partners_.data() +
             std::min<std::size_t>(starts_[static_cast<std::size_t>(phrase)], partners_.size()));
  }

 private:
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
    edges_ = section<std::uint64_t>(next(phrases::kEdges));
    starts_ = section<std::uint32_t>(next(phrases::kStarts));
    partners_ = section<std::uint32_t>(next(phrases::kPartners));
  }

  void check_shape() const {
    const bool fits = std::has_single_bit(slots_.size()) && tops_.size() == ends_.size() && !edges_.empty() &&
                      edges_.size() < INT32_MAX && starts_.size() == edges_.size() + 1;
    if (!fits) throw phrases::Damaged("its sections do not fit one another");
  }

  std::size_t first_slot(std::string_view text) const {
    return static_cast<std::uint32_t>(hash_bytes(text)) & (slots_.size() - 1);
  }

  // Where the offset of a slot's word is; of any word if the slot is empty or damaged.
  const std::uint32_t* begin_of(std::uint32_t slot) const {
    static constexpr std::uint32_t nowhere = 0;
    return slot < 2 || slot > ends_.size() ? &nowhere : &ends_[slot - 2];
  }

  std::int32_t find_word(std::string_view text, std::size_t at) const {
    const std::size_t mask = slots_.size() - 1;
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

  std::span<const char> name_, letters_;
  std::span<const std::uint32_t> slots_, ends_, starts_, partners_;
  std::span<const std::int32_t> tops_;
  std::span<const std::uint64_t> edges_;
};

}  // namespace tertium
