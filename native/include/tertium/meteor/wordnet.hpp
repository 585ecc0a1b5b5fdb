// WordNet's synsets of words, looked up as METEOR 1.5 was observed to do. A few hash lookups per word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/interning.hpp"
#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"

namespace tertium {

// A word has its own synsets and those of its base forms: the bases of an irregular form, otherwise the first
// lemma that a rule of detachment gives, regardless of its part of speech.
class WordNet {
 public:
  // `lemmas` has one lemma per line and `counts` the number of its synsets; `synsets` lists them lemma by
  // lemma. `irregular` has one irregular form per line, followed by its bases.
  WordNet(std::string_view lemmas, std::span<const std::uint8_t> counts,
          std::span<const std::int32_t> synsets, std::string_view irregular)
      : synsets_(synsets.begin(), synsets.end()) {
    each_part(lemmas, '\n', [&](std::string_view lemma) { lemmas_.intern(lemma); });
    for (const std::uint8_t count : counts) starts_.push_back(starts_.back() + count);
    if (lemmas_.size() != counts.size() || starts_.back() != synsets_.size())
      throw std::invalid_argument("every lemma needs a line and a number of synsets");
    each_part(irregular, '\n', [&](std::string_view line) { add_irregular(line); });
  }

  bool has(std::string_view word) const { return lemmas_.find(word) >= 0; }

  // The bases of an irregular form; none if the word is regular or unknown.
  std::span<const std::string> irregular(std::string_view word) const {
    const std::int32_t form = forms_.find(word);
    return form < 0 ? std::span<const std::string>() : bases_[static_cast<std::size_t>(form)];
  }

  // Calls take(std::string_view) for each base form other than the word itself.
  template <typename Take>
  void each_base(std::string_view word, const Take& take) const {
    const std::int32_t form = forms_.find(word);
    if (form < 0) return detach(word, take);
    for (const std::string& base : bases_[static_cast<std::size_t>(form)]) take(base);
  }

  // Appends the word's synsets in ascending order.
  void append_synsets(std::string_view word, PooledVector<std::int32_t>& found) const {
    const std::size_t before = found.size();
    append_own(word, found);
    const std::size_t own = found.size();
    each_base(word, [&](std::string_view base) { append_own(base, found); });
    if (found.size() == own) return;
    const auto first = found.begin() + static_cast<std::ptrdiff_t>(before);
    std::sort(first, found.end());
    found.erase(std::unique(first, found.end()), found.end());
  }

  // The synsets of each word.
  OwnedColumn find(std::span<const std::string_view> words) const {
    OwnedColumn found{{}, {0}};
    found.offsets.reserve(words.size() + 1);
    for (const std::string_view word : words) {
      append_synsets(word, found.ids);
      found.offsets.push_back(static_cast<std::int64_t>(found.ids.size()));
    }
    return found;
  }

 private:
  struct Rule {
    std::string_view ending, by;
  };
  // WordNet's rules of detachment for nouns, verbs and adjectives, in its order.
  static constexpr Rule kRules[] = {
      {"s", ""},      {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"},
      {"men", "man"}, {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},    {"ed", ""},
      {"ing", "e"},   {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"},
  };
  static constexpr std::string_view kLastLetters = "sndgrt";
  static constexpr std::size_t kLongestPair = 8;  // bytes of two characters

  template <typename Take>
  static void each_part(std::string_view text, char mark, const Take& take) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(mark), text.size());
      take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void add_irregular(std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const auto form = static_cast<std::size_t>(forms_.intern(line.substr(0, end)));
    if (form == bases_.size()) bases_.emplace_back();
    bases_[form].clear();
    each_part(line.substr(std::min(end + 1, line.size())), ' ',
              [&](std::string_view base) { bases_[form].emplace_back(base); });
  }

  void append_own(std::string_view word, PooledVector<std::int32_t>& found) const {
    const std::int32_t lemma = lemmas_.find(word);
    if (lemma < 0) return;
    const auto at = static_cast<std::size_t>(lemma);
    for (std::size_t i = starts_[at]; i < starts_[at + 1]; ++i) found.push_back(synsets_[i]);
  }

  // Passes the first lemma that a rule gives to take().
  template <typename Take>
  void detach(std::string_view word, const Take& take) const {
    if (word.empty() || kLastLetters.find(word.back()) == std::string_view::npos) return;
    if (word.ends_with("ss") || (word.size() <= kLongestPair && count_code_points(word) <= 2)) return;
    for (const Rule& rule : kRules) {
      if (!word.ends_with(rule.ending)) continue;
      const std::string base = std::string(word.substr(0, word.size() - rule.ending.size())).append(rule.by);
      if (has(base)) return take(base);
    }
  }

  static std::size_t count_code_points(std::string_view word) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < word.size(); ++count) at += decode_at(word, at).length;
    return count;
  }

  Vocabulary lemmas_, forms_;
  std::vector<std::size_t> starts_ = {0};  // offset of each lemma's synsets
  std::vector<std::int32_t> synsets_;
  std::vector<std::vector<std::string>> bases_;  // of each irregular form
};

}  // namespace tertium
