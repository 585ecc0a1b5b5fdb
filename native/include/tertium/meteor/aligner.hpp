// METEOR's alignment of a batch of texts (Denkowski & Lavie 2011, 2014): find the matches of every pair,
// then choose among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/meteor/alignment_search.hpp"
#include "tertium/meteor/match_finder.hpp"
#include "tertium/meteor/matches.hpp"
#include "tertium/meteor/phrase_places.hpp"
#include "tertium/meteor/phrase_table.hpp"

namespace tertium {

struct Alignments {
  std::vector<std::int32_t> matches;  // five numbers each: see Match
  std::vector<std::int64_t> offsets;  // per reference, in matches
  std::vector<std::int32_t> chunks;   // per reference
};

// The tables of the vocabulary's words that the aligner needs.
struct AlignerTables {
  WordClasses classes;
  const PhraseTable* phrases = nullptr;        // or none
  std::span<const std::int32_t> phrase_words;  // of each word, its id in the table of phrases
};

// Classes are looked up without bounds checks: every word of the column must have its entries.
inline void check_known(const Column& column, const AlignerTables& tables, MatchKinds kinds) {
  const auto check = [&](std::size_t known) {
    check_range(column.ids, 0, known, "every word needs a code, a stem and synsets");
  };
  if (!tables.classes.codes.empty()) check(tables.classes.codes.size());
  if (kinds.stem) check(tables.classes.stems.size());
  if (kinds.synonym) check(tables.classes.synsets.size());
  if (kinds.paraphrase && tables.phrases != nullptr) check(tables.phrase_words.size());
}

// Five numbers for each match, pair after pair.
inline void write_matches(std::span<const std::vector<Match>> chosen, Alignments& found) {
  found.offsets.push_back(0);
  for (const auto& each : chosen) {
    for (const Match& match : each) {
      const std::int32_t row[] = {match.reference, match.reference_length, match.hypothesis,
                                  match.hypothesis_length, static_cast<std::int32_t>(match.kind)};
      found.matches.insert(found.matches.end(), std::begin(row), std::end(row));
    }
    found.offsets.push_back(static_cast<std::int64_t>(found.matches.size() / kMatchWidth));
  }
}

// Aligns every segment with each of its references.
inline Alignments align_texts(const TextPairs& pairs, const AlignerTables& tables, MatchKinds kinds,
                              std::size_t beam, std::size_t threads) {
  if (beam == 0) throw std::invalid_argument("the beam must not be empty");
  check_known(pairs.hypotheses, tables, kinds);
  check_known(pairs.references.column, tables, kinds);
  std::optional<LivePhrases> live;
  if (kinds.paraphrase && tables.phrases != nullptr)
    live.emplace(*tables.phrases, tables.phrase_words, pairs, threads);
  const LivePhrases* phrases = live ? &*live : nullptr;
  const LiveSynsets synsets =
      kinds.synonym ? LiveSynsets(tables.classes.synsets, tables.classes.n_synsets, pairs) : LiveSynsets();
  std::vector<std::vector<Match>> chosen(pairs.n_references());
  Alignments found;
  found.chunks.assign(chosen.size(), 0);
  parallel_for(pairs.size(), threads, [&] {
    return [&, finder = MatchFinder(tables.classes, synsets, phrases, kinds),
            search = AlignmentSearch(beam)](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i)) {
        const auto matches = finder.find(pairs.hypotheses, i, pairs.references.column, r);
        found.chunks[r] =
            search.choose(matches, pairs.hypothesis(i).size(), pairs.reference(r).size(), chosen[r]);
      }
    };
  });
  write_matches(chosen, found);
  return found;
}

}  // namespace tertium
