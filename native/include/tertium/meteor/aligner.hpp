// METEOR's alignment of a batch of texts (Denkowski & Lavie 2011, 2014): find the matches of every pair,
// choose among them, and count what is matched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/meteor/beam_search.hpp"
#include "tertium/meteor/match_finder.hpp"
#include "tertium/meteor/matches.hpp"
#include "tertium/meteor/phrase_places.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

struct Alignments {
  PooledVector<std::int32_t> matches;  // five numbers each: see Match
  std::vector<std::int64_t> offsets;   // per reference, in matches
  std::vector<std::int32_t> chunks;    // per reference
};

// The tables of the vocabulary's words that the aligner needs.
struct AlignerTables {
  WordClasses classes;
  const PhraseTable* phrases = nullptr;     // or none
  std::span<const std::string_view> words;  // needed for phrases
};

// Classes are looked up without bounds checks: every word of the column must have its entries.
inline void check_known(const Column& column, const AlignerTables& tables, MatchKinds kinds) {
  std::size_t known = std::numeric_limits<std::size_t>::max();
  if (!tables.classes.codes.empty()) known = std::min(known, tables.classes.codes.size());
  if (kinds.stem) known = std::min(known, tables.classes.stems.size());
  if (kinds.synonym) known = std::min(known, tables.classes.rows.size());
  if (kinds.paraphrase && tables.phrases != nullptr) known = std::min(known, tables.words.size());
  check_range(column.ids, 0, known, "every word needs a code, a stem and synsets");
}

// The matches that threads choose, five numbers each: every thread writes to a store of its own.
class MatchStores {
 public:
  struct alignas(64) Store {  // in cache lines of its own
    PooledVector<std::int32_t> numbers;
  };

  explicit MatchStores(std::size_t references) : ranges_(references) {}

  // A new store, for one thread.
  Store& add() {
    const std::lock_guard lock(lock_);
    return stores_.emplace_back();
  }

  // Writes the matches of a reference.
  void write(std::size_t reference, std::span<const Match> chosen, Store& store) {
    const std::size_t begin = store.numbers.size();
    ranges_[reference] = {&store, begin, chosen.size()};
    store.numbers.resize(uninitialized(begin + chosen.size() * kMatchWidth));
    std::int32_t* out = store.numbers.data() + begin;
    for (const Match& match : chosen)
      for (const std::int32_t number : {match.reference, match.reference_length, match.hypothesis,
                                        match.hypothesis_length, static_cast<std::int32_t>(match.kind)})
        *out++ = number;
  }

  // The matches of all references, one after the other, and their offsets.
  void gather(PooledVector<std::int32_t>& matches, std::vector<std::int64_t>& offsets) const {
    std::size_t size = 0;
    for (const Store& store : stores_) size += store.numbers.size();
    matches.reserve(size);
    offsets.reserve(ranges_.size() + 1);
    offsets.push_back(0);
    for (const Range& range : ranges_) {
      const auto first = range.store->numbers.begin() + static_cast<std::ptrdiff_t>(range.begin);
      matches.insert(matches.end(), first, first + static_cast<std::ptrdiff_t>(range.size * kMatchWidth));
      offsets.push_back(offsets.back() + static_cast<std::int64_t>(range.size));
    }
  }

 private:
  struct Range {
    const Store* store = nullptr;
    std::size_t begin = 0, size = 0;  // the first number, and how many matches follow
  };
  std::mutex lock_;
  std::deque<Store> stores_;  // which stay where they are
  std::vector<Range> ranges_;
};

// The synsets and phrases that matter for a batch of texts.
class LiveTables {
 public:
  LiveTables(const AlignerTables& tables, MatchKinds kinds, const TextPairs& pairs, std::size_t threads) {
    const bool has_phrases = kinds.paraphrase && tables.phrases != nullptr;
    std::vector<std::int32_t> names(has_phrases ? tables.words.size() : 0);
    parallel_tasks(1 + kShares, threads, [&] {
      return [&](std::size_t task) {
        if (task == 0 && kinds.synonym)
          synsets_ = LiveSynsets(tables.classes.synsets, tables.classes.rows, pairs);
        if (task == 0 || names.empty()) return;
        const std::size_t first = names.size() * (task - 1) / kShares, last = names.size() * task / kShares;
        tables.phrases->find_words(tables.words.subspan(first, last - first),
                                   std::span(names).subspan(first, last - first));
      };
    });
    if (has_phrases) find_phrases(*tables.phrases, names, pairs, threads);
  }

  const LiveSynsets& synsets() const { return synsets_; }
  const LivePhrases* phrases() const { return phrases_ ? &*phrases_ : nullptr; }

 private:
  void find_phrases(const PhraseTable& table, std::span<const std::int32_t> names, const TextPairs& pairs,
                    std::size_t threads) {
    PhrasePlaces hypotheses, references;
    // made on the thread's own stack: neighbouring objects would share cache lines
    call_together(
        threads, [&] { hypotheses = PhrasePlaces(table, names, pairs.hypotheses); },
        [&] { references = PhrasePlaces(table, names, pairs.references.column); });
    phrases_.emplace(table, std::move(hypotheses), std::move(references), threads);
  }

  static constexpr std::size_t kShares = 8;  // of the words, so that the synsets can be found meanwhile

  LiveSynsets synsets_;
  std::optional<LivePhrases> phrases_;
};

// Aligns every segment with each of its references. Calls make_take() once per thread, and take(segment,
// reference, matches, chunks) with each alignment.
template <typename MakeTake>
void each_alignment(const TextPairs& pairs, const AlignerTables& tables, MatchKinds kinds, std::size_t beam,
                    std::size_t threads, const MakeTake& make_take) {
  if (beam == 0) throw std::invalid_argument("the beam must not be empty");
  check_known(pairs.hypotheses, tables, kinds);
  check_known(pairs.references.column, tables, kinds);
  const LiveTables live(tables, kinds, pairs, useful_threads(pairs.size(), threads));
  parallel_for(pairs.size(), threads, [&] {
    return
        [&, take = make_take(), finder = MatchFinder(tables.classes, live.synsets(), live.phrases(), kinds),
         search = AlignmentSearch(beam), chosen = std::vector<Match>()](std::size_t i) mutable {
          for (const std::size_t r : pairs.references_of(i)) {
            const auto matches = finder.find(pairs.hypotheses, i, pairs.references.column, r);
            const std::int32_t chunks =
                search.choose(matches, pairs.hypothesis(i).size(), pairs.reference(r).size(), chosen);
            take(i, r, std::span<const Match>(chosen), chunks);
          }
        };
  });
}

inline Alignments align_texts(const TextPairs& pairs, const AlignerTables& tables, MatchKinds kinds,
                              std::size_t beam, std::size_t threads) {
  MatchStores stores(pairs.n_references());
  Alignments found;
  found.chunks.assign(pairs.n_references(), 0);
  each_alignment(pairs, tables, kinds, beam, threads, [&] {
    return [&, &store = stores.add()](std::size_t, std::size_t r, std::span<const Match> chosen,
                                      std::int32_t chunks) {
      found.chunks[r] = chunks;
      stores.write(r, chosen, store);
    };
  });
  stores.gather(found.matches, found.offsets);
  return found;
}

// METEOR's sufficient statistics: how many words of both texts are matched, by the kind of their match and by
// whether they are function words. Linear in the words and the matches. The columns: lengths and function
// words of hypothesis and reference; for each kind of match, the content words and then the function words
// that it covers in both; chunks; matched words of both.
inline constexpr std::size_t kMatchCounts = 4 + 4 * kMatchKinds + 3;

class MatchCounter {
 public:
  // is_function_word has an entry for each word of the vocabulary.
  explicit MatchCounter(std::span<const std::uint8_t> is_function_word)
      : is_function_word_(is_function_word) {}

  using Text = std::span<const std::int32_t>;

  // Fills in a row, which is zero. A pair that is aligned word for word in one chunk counts no chunk.
  void count(Text hypothesis, Text reference, std::span<const Match> matches, std::int32_t chunks,
             std::span<double, kMatchCounts> row) const {
    for (const Match& match : matches) {
      const auto kind = static_cast<std::size_t>(match.kind);
      count_side(hypothesis, match.hypothesis, match.hypothesis_length, row, kind, 0);
      count_side(reference, match.reference, match.reference_length, row, kind, 1);
    }
    count_text(hypothesis, row, 0);
    count_text(reference, row, 1);
    const bool is_whole = row[kMatched] == row[0] && row[kMatched + 1] == row[1] && chunks == 1;
    row[kChunks] = is_whole ? 0 : chunks;
  }

 private:
  static constexpr std::size_t kChunks = kMatchCounts - 3, kMatched = kMatchCounts - 2;

  void count_text(Text text, std::span<double, kMatchCounts> row, std::size_t side) const {
    row[side] = static_cast<double>(text.size());
    row[2 + side] = count_function_words(text);
  }

  void count_side(Text text, std::int32_t begin, std::int32_t length, std::span<double, kMatchCounts> row,
                  std::size_t kind, std::size_t side) const {
    const Text covered = text.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
    const double functional = count_function_words(covered);
    row[4 + 4 * kind + side] += length - functional;
    row[4 + 4 * kind + 2 + side] += functional;
    row[kMatched + side] += length;
  }

  double count_function_words(Text text) const {
    int count = 0;
    for (const std::int32_t id : text) count += is_function_word_[static_cast<std::size_t>(id)];
    return count;
  }

  std::span<const std::uint8_t> is_function_word_;
};

// Aligns every segment with each of its references and fills rows, which are zero, with the counts of every
// pair.
inline void count_matches(const TextPairs& pairs, const AlignerTables& tables, MatchKinds kinds,
                          std::size_t beam, std::span<const std::uint8_t> is_function_word,
                          std::span<double> rows, std::size_t threads) {
  check_range(pairs.hypotheses.ids, 0, is_function_word.size(),
              "is_function_word needs an entry for every word");
  check_range(pairs.references.column.ids, 0, is_function_word.size(),
              "is_function_word needs an entry for every word");
  const MatchCounter counter(is_function_word);
  each_alignment(pairs, tables, kinds, beam, threads, [&] {
    return [&](std::size_t i, std::size_t r, std::span<const Match> matches, std::int32_t chunks) {
      counter.count(pairs.hypothesis(i), pairs.reference(r), matches, chunks,
                    rows.subspan(r * kMatchCounts).first<kMatchCounts>());
    };
  });
}

}  // namespace tertium
