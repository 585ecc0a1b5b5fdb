// The paraphrases of two texts according to a table. A table has millions of pairs and a sentence a few dozen
// phrases: a batch first selects the pairs that occur in it, and each text searches only those.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/meteor/phrase_finder.hpp"
#include "tertium/meteor/phrase_set.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

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
    if (!references_.has(static_cast<std::uint32_t>(phrase)))
      each_in([&](std::uint32_t partner) { return references_.has(partner); });
    else if (!hypotheses_.has(static_cast<std::uint32_t>(phrase)))
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
