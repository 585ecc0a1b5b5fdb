// Finds the phrases of a table that occur in a text. One step for each of their words, and one more for each
// unsuccessful lookup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

// An occurrence of a table's phrase in a text.
struct PhrasePlace {
  std::int32_t phrase;
  std::int32_t begin;
  std::int32_t length;
};

// Searches all positions of a text together: phrases of one word first, then those of two, and so on, so that
// many memory accesses are in flight at the same time. Keeps its tables between calls.
class PhraseFinder {
 public:
  // names[id] is the table's id of a word of the texts.
  PhraseFinder(const PhraseTable& table, std::span<const std::int32_t> names)
      : table_(&table), names_(names) {}

  // Appends every phrase, or prefix of one, from left to right, shorter ones first.
  void find(std::span<const std::int32_t> text, PooledVector<PhrasePlace>& places) {
    read_words(text);
    for (std::int32_t length = 2; !asked_.empty(); ++length) {
      std::size_t kept = 0;
      for (const Question& asked : asked_) {
        const std::int32_t phrase = table_->find_longer(asked.phrase, word_after(asked), asked.place);
        if (phrase < 0) continue;
        found_.push_back({phrase, asked.begin, length});
        ++depths_[static_cast<std::size_t>(asked.begin)];
        kept += ask(kept, {phrase, asked.begin, length, 0});
      }
      asked_.resize(kept);
    }
    write_in_order(places);
  }

 private:
  // A pending lookup: whether the table has this phrase extended by the next word.
  struct Question {
    std::int32_t phrase, begin, length;
    std::size_t place;
  };

  void read_words(std::span<const std::int32_t> text) {
    words_.clear();
    for (const std::int32_t id : text) words_.push_back(names_[static_cast<std::size_t>(id)]);
    words_.push_back(kUnknownWord);  // no phrase continues past the end
    depths_.assign(text.size(), 0);
    found_.clear();
    asked_.resize(text.size());
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      const std::int32_t phrase = words_[begin] == kUnknownWord ? -1 : table_->find_top(words_[begin]);
      if (phrase < 0) continue;
      const auto at = static_cast<std::int32_t>(begin);
      found_.push_back({phrase, at, 1});
      depths_[begin] = 1;
      kept += ask(kept, {phrase, at, 1, 0});
    }
    asked_.resize(kept);
  }

  // Records a lookup unless the next word is unknown; returns how many were recorded (0 or 1).
  std::size_t ask(std::size_t at, Question question) {
    const std::int32_t word = word_after(question);
    if (word == kUnknownWord) return 0;
    question.place = table_->ask_longer(question.phrase, word);
    asked_[at] = question;
    return 1;
  }

  std::int32_t word_after(const Question& asked) const {
    return words_[static_cast<std::size_t>(asked.begin + asked.length)];
  }

  // A counting sort: the phrases that begin at a word have the lengths 1, 2, 3 and so on.
  void write_in_order(PooledVector<PhrasePlace>& places) {
    std::size_t next = places.size();
    for (std::size_t& depth : depths_) {
      const std::size_t start = next;
      next += depth;
      depth = start;
    }
    places.resize(uninitialized(next));
    for (const PhrasePlace& place : found_)
      places[depths_[static_cast<std::size_t>(place.begin)] + static_cast<std::size_t>(place.length) - 1] =
          place;
  }

  const PhraseTable* table_;
  std::span<const std::int32_t> names_;
  std::vector<std::int32_t> words_;
  std::vector<Question> asked_;
  std::vector<PhrasePlace> found_;   // by their lengths
  std::vector<std::size_t> depths_;  // number of phrases that begin at each word; then their output position
};

}  // namespace tertium
