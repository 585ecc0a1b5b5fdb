// METEOR's sufficient statistics: how many words of both texts are matched, by the kind of their match and by
// whether they are function words. Linear in the words and the matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/meteor/aligner.hpp"
#include "tertium/meteor/matches.hpp"

namespace tertium {

// The columns: lengths and function words of hypothesis and reference; for each kind of match, the content
// words and then the function words that it covers in both; chunks; matched words of both.
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
