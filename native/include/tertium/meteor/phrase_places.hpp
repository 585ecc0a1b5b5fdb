// The paraphrases of two texts according to a table. A table has millions of pairs and a sentence a few dozen
// phrases: a batch first selects the pairs that occur in it, and each text searches only those.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

// An occurrence of a table's phrase in a text.
struct PhrasePlace {
  std::int32_t phrase;
  std::int32_t begin;
  std::int32_t length;
};

// Finds the phrases of a table that occur in a text. It searches all positions together: phrases of one word
// first, then those of two, and so on, so that many memory accesses are in flight at the same time. One step
// for each word of a phrase, and one more for each unsuccessful lookup. Keeps its tables between calls.
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

// The phrases of a table that occur in a batch of texts: far fewer than all, but scattered among them. One
// bit per phrase of the table. Most phrases that are looked up are not in the set, and the bits stay in the
// cache.
class PhraseSet {
 public:
  void clear(std::size_t phrases) { bits_.assign(phrases / 64 + 1, 0); }

  bool has(std::uint32_t phrase) const {
    return phrase / 64 < bits_.size() && (bits_[phrase / 64] >> (phrase % 64) & 1) != 0;
  }
  // Returns whether the phrase is new. It must be one of the table's.
  bool add(std::uint32_t phrase) {
    const std::uint64_t bit = std::uint64_t{1} << (phrase % 64);
    const bool is_new = (bits_[phrase / 64] & bit) == 0;
    bits_[phrase / 64] |= bit;
    return is_new;
  }

 private:
  friend class PhraseNumbers;
  PooledVector<std::uint64_t> bits_;
};

// Numbers the phrases of two sets from 0 on, each by how many come before it.
class PhraseNumbers {
 public:
  // The sets must be of one table.
  PhraseNumbers(const PhraseSet& one, const PhraseSet& other) : words_(uninitialized(one.bits_.size())) {
    simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { unite(one, other); });  // an instruction counts bits
  }

  std::size_t size() const { return size_; }
  // The number of a phrase of either set.
  std::int32_t operator[](std::uint32_t phrase) const {
    const Word& word = words_[phrase / 64];
    const std::uint64_t below = word.bits & ((std::uint64_t{1} << (phrase % 64)) - 1);
    return static_cast<std::int32_t>(word.before) + std::popcount(below);
  }

 private:
  struct Word {
    std::uint64_t bits;
    std::uint32_t before;
  };

  TERTIUM_INLINE void unite(const PhraseSet& one, const PhraseSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] = {one.bits_[w] | other.bits_[w], size_};
      size_ += static_cast<std::uint32_t>(std::popcount(words_[w].bits));
    }
  }

  PooledVector<Word> words_;
  std::uint32_t size_ = 0;
};

// The phrases of each text of a column.
class PhrasePlaces {
 public:
  PhrasePlaces() = default;
  PhrasePlaces(const PhraseTable& table, std::span<const std::int32_t> names, const Column& texts)
      : offsets_(1, 0) {
    PhraseFinder finder(table, names);
    present_.clear(table.phrases());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      finder.find(texts[i], places_);
      for (std::size_t p = offsets_.back(); p < places_.size(); ++p)
        if (present_.add(static_cast<std::uint32_t>(places_[p].phrase)))
          phrases_.push_back(places_[p].phrase);
      offsets_.push_back(places_.size());
    }
  }

  bool has(std::uint32_t phrase) const { return present_.has(phrase); }
  const PhraseSet& present() const { return present_; }
  // Each phrase of the column once.
  std::span<const std::int32_t> phrases() const { return phrases_; }

  // Gives phrases their new numbers and drops those that are not live.
  void renumber(const PhraseNumbers& numbers, std::span<const std::uint8_t> is_live) {
    std::size_t kept = 0;
    std::size_t from = 0;
    for (std::size_t i = 1; i < offsets_.size(); ++i) {
      for (std::size_t p = from; p < offsets_[i]; ++p) {
        const std::int32_t number = numbers[static_cast<std::uint32_t>(places_[p].phrase)];
        places_[kept] = {number, places_[p].begin, places_[p].length};
        kept += is_live[static_cast<std::size_t>(number)];
      }
      from = offsets_[i];
      offsets_[i] = kept;
    }
  }

  std::span<const PhrasePlace> operator[](std::size_t i) const {
    return std::span(places_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  PooledVector<PhrasePlace> places_;
  std::vector<std::size_t> offsets_;
  PhraseSet present_;
  PooledVector<std::int32_t> phrases_;
};

// The part of a phrase table that a batch of texts needs: the few pairs of which both sides occur in the
// batch. Their phrases get new, dense numbers, so that one array per thread can be indexed by them.
class LivePhrases {
 public:
  LivePhrases(const PhraseTable& table, PhrasePlaces hypotheses, PhrasePlaces references, std::size_t threads)
      : hypotheses_(std::move(hypotheses)), references_(std::move(references)) {
    const PhraseNumbers numbers(hypotheses_.present(), references_.present());
    pair_up(table, numbers, threads);
    call_together(
        threads, [&] { hypotheses_.renumber(numbers, is_live_); },
        [&] { references_.renumber(numbers, is_live_); });
  }

  std::size_t size() const { return is_live_.size(); }
  std::span<const PhrasePlace> hypothesis(std::size_t i) const { return hypotheses_[i]; }
  std::span<const PhrasePlace> reference(std::size_t i) const { return references_[i]; }
  // The partners of a phrase, in the table's order.
  std::span<const std::int32_t> partners(std::int32_t phrase) const {
    const Range range = ranges_[static_cast<std::size_t>(phrase)];
    return std::span(partners_).subspan(range.begin, range.size);
  }

 private:
  struct Range {
    std::uint32_t begin = 0, size = 0;
  };
  // The pairs that one thread found, by their new numbers: each source once, and the targets of one source
  // after those of another.
  struct Pairs {
    PooledVector<std::int32_t> sources, targets;
    PooledVector<std::size_t> ends;      // of each source's targets
    PooledVector<std::uint8_t> is_live;  // of each number: whether it belongs to a pair
  };

  // Keeps the pairs of which one side is in the hypotheses and the other in the references.
  void pair_up(const PhraseTable& table, const PhraseNumbers& numbers, std::size_t threads) {
    is_live_.assign(numbers.size(), 0);
    ranges_.assign(numbers.size(), Range{});
    const std::size_t workers = useful_threads(numbers.size(), threads);
    std::vector<Pairs> parts(workers);
    on_each_worker(workers, [&](std::size_t worker) {
      Pairs live;
      live.is_live.assign(numbers.size(), 0);
      const auto each_block = [&](std::span<const std::int32_t> sources, const auto& skips) {
        for (std::size_t begin = worker * kBlock; begin < sources.size(); begin += workers * kBlock)
          pair_sources(table, numbers, sources.subspan(begin, std::min(kBlock, sources.size() - begin)),
                       skips, live);
      };
      each_block(hypotheses_.phrases(), [](std::uint32_t) { return false; });
      each_block(references_.phrases(), [&](std::uint32_t source) { return hypotheses_.has(source); });
      parts[worker] = std::move(live);
    });
    for (const Pairs& part : parts) append(part);
  }

  // Adds the partners of sources, except of those for which skips(source) holds. The table entries of later
  // sources are prefetched meanwhile.
  template <typename Skips>
  void pair_sources(const PhraseTable& table, const PhraseNumbers& numbers,
                    std::span<const std::int32_t> sources, const Skips& skips, Pairs& live) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (i + 2 * kAhead < sources.size()) table.ask_partners(sources[i + 2 * kAhead]);
      if (i + kAhead < sources.size()) table.ask_first_partner(sources[i + kAhead]);
      if (skips(static_cast<std::uint32_t>(sources[i]))) continue;
      const std::size_t before = live.targets.size();
      each_live_partner(table, sources[i], [&](std::uint32_t target) {
        live.targets.push_back(numbers[target]);
        live.is_live[static_cast<std::size_t>(live.targets.back())] = 1;
      });
      if (live.targets.size() == before) continue;
      live.sources.push_back(numbers[static_cast<std::uint32_t>(sources[i])]);
      live.is_live[static_cast<std::size_t>(live.sources.back())] = 1;
      live.ends.push_back(live.targets.size());
    }
  }

  // Calls take(partner) for the partners on the other side of a phrase that is on one side or on both.
  template <typename Take>
  void each_live_partner(const PhraseTable& table, std::int32_t phrase, const Take& take) const {
    const auto each_in = [&](const auto& has) {
      for (const std::uint32_t partner : table.partners(phrase))
        if (has(partner)) take(partner);
    };
    const auto is_in = [&](const PhrasePlaces& side) {
      return side.has(static_cast<std::uint32_t>(phrase)) || !takes_shortcuts();
    };
    if (!is_in(references_))
      each_in([&](std::uint32_t partner) { return references_.has(partner); });
    else if (!is_in(hypotheses_))
      each_in([&](std::uint32_t partner) { return hypotheses_.has(partner); });
    else
      each_in([&](std::uint32_t partner) { return references_.has(partner) || hypotheses_.has(partner); });
  }

  void append(const Pairs& part) {
    const std::size_t first = partners_.size();
    for (std::size_t i = 0, begin = 0; i < part.sources.size(); begin = part.ends[i++])
      ranges_[static_cast<std::size_t>(part.sources[i])] = {static_cast<std::uint32_t>(first + begin),
                                                            static_cast<std::uint32_t>(part.ends[i] - begin)};
    partners_.insert(partners_.end(), part.targets.begin(), part.targets.end());
    for (std::size_t number = 0; number < is_live_.size(); ++number) is_live_[number] |= part.is_live[number];
  }

  // Sources: far enough to hide the latency of memory, near enough to stay in a cache.
  static constexpr std::size_t kAhead = 8;
  // Neighbouring sources for one thread: many blocks, so that each thread gets about the same work.
  static constexpr std::size_t kBlock = 512;

  PooledVector<std::uint8_t> is_live_;  // of each number: whether it belongs to a pair
  PooledVector<Range> ranges_;          // of each number: its partners
  PooledVector<std::int32_t> partners_;
  PhrasePlaces hypotheses_, references_;
};

// Where the phrases of one text stand; one per thread.
class PhraseIndex {
 public:
  explicit PhraseIndex(std::size_t phrases) : first_(phrases), present_(phrases / 64 + 1) {}

  void read(std::span<const PhrasePlace> places) {
    for (const PhrasePlace& place : places_) present_[bit_word(place.phrase)] = 0;
    places_ = places;
    next_.resize(places.size());
    for (std::size_t i = places.size(); i-- > 0;) {  // backwards, so that lists run from left to right
      const std::int32_t phrase = places[i].phrase;
      next_[i] = has(phrase) ? first_[static_cast<std::size_t>(phrase)] : kNone;
      first_[static_cast<std::size_t>(phrase)] = static_cast<std::int32_t>(i);
      present_[bit_word(phrase)] |= bit(phrase);
    }
  }

  template <typename Take>
  void find(std::int32_t phrase, const Take& take) const {
    if (!has(phrase)) return;
    for (std::int32_t i = first_[static_cast<std::size_t>(phrase)]; i != kNone;
         i = next_[static_cast<std::size_t>(i)])
      take(places_[static_cast<std::size_t>(i)]);
  }

 private:
  static constexpr std::int32_t kNone = -1;

  static std::size_t bit_word(std::int32_t phrase) { return static_cast<std::size_t>(phrase) / 64; }
  static std::uint64_t bit(std::int32_t phrase) { return std::uint64_t{1} << (phrase % 64); }
  bool has(std::int32_t phrase) const { return (present_[bit_word(phrase)] & bit(phrase)) != 0; }

  std::vector<std::int32_t> first_;
  std::vector<std::uint64_t> present_;  // small enough to stay near: most partners are not in the text
  std::vector<std::int32_t> next_;
  std::span<const PhrasePlace> places_;
};

}  // namespace tertium
