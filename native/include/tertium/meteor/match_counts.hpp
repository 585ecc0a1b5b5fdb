// METEOR's sufficient statistics: how many words of both texts are matched, by the kind of their match and by
// whether they are function words. Linear in the words and the matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/meteor/matches.hpp"

namespace tertium {

// The columns: lengths and function words of hypothesis and reference; for each kind of match, the content
// words and then the function words that it covers in both; chunks; matched words of both.
inline constexpr std::size_t kMatchCounts = 4 + 4 * kMatchKinds + 3;

// The chosen matches of many pairs, as the aligner gave them.
struct ChosenMatches {
  std::span<const std::int32_t> numbers;  // five for each match: see Match
  std::span<const std::int64_t> offsets;  // per reference, in matches
  std::span<const std::int32_t> chunks;   // per reference

  std::size_t size() const { return numbers.size() / kMatchWidth; }
  Match operator[](std::int64_t m) const {
    const auto row = numbers.subspan(static_cast<std::size_t>(m) * kMatchWidth, kMatchWidth);
    return {row[0], row[1], row[2], row[3], static_cast<MatchKind>(row[4])};
  }
};

class MatchCounter {
 public:
  // is_function_word has an entry for each word of the vocabulary.
  MatchCounter(const TextPairs& pairs, const ChosenMatches& chosen,
               std::span<const std::uint8_t> is_function_word)
      : pairs_(pairs), chosen_(chosen), is_function_word_(is_function_word) {}

  // Fills in the row of segment i and its reference r. A pair that is aligned word for word in one chunk
  // counts no chunk.
  void count(std::size_t i, std::size_t r, std::span<double, kMatchCounts> row) const {
    for (auto m = chosen_.offsets[r]; m < chosen_.offsets[r + 1]; ++m) {
      const Match match = chosen_[m];
      check(match, pairs_.hypothesis(i).size(), pairs_.reference(r).size());
      const auto kind = static_cast<std::size_t>(match.kind);
      count_side(pairs_.hypothesis(i), match.hypothesis, match.hypothesis_length, row, kind, 0);
      count_side(pairs_.reference(r), match.reference, match.reference_length, row, kind, 1);
    }
    count_text(pairs_.hypothesis(i), row, 0);
    count_text(pairs_.reference(r), row, 1);
    const bool is_whole = row[kMatched] == row[0] && row[kMatched + 1] == row[1] && chosen_.chunks[r] == 1;
    row[kChunks] = is_whole ? 0 : chosen_.chunks[r];
  }

 private:
  static constexpr std::size_t kChunks = kMatchCounts - 3, kMatched = kMatchCounts - 2;
  using Text = std::span<const std::int32_t>;

  // Throws unless the match is within its texts and of a known kind.
  static void check(const Match& match, std::size_t hypothesis_size, std::size_t reference_size) {
    const auto fits = [](std::int32_t begin, std::int32_t length, std::size_t size) {
      return begin >= 0 && length >= 0 &&
             static_cast<std::size_t>(begin) + static_cast<std::size_t>(length) <= size;
    };
    const auto kind = static_cast<std::int32_t>(match.kind);
    if (!fits(match.hypothesis, match.hypothesis_length, hypothesis_size) ||
        !fits(match.reference, match.reference_length, reference_size) || kind < 0 ||
        kind >= static_cast<std::int32_t>(kMatchKinds))
      throw std::invalid_argument("a match lies outside its texts");
  }

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

  TextPairs pairs_;
  ChosenMatches chosen_;
  std::span<const std::uint8_t> is_function_word_;
};

// Throws unless every reference has its matches.
inline void check_matches(const TextPairs& pairs, const ChosenMatches& chosen) {
  check_offsets(chosen.offsets, chosen.size());
  if (chosen.offsets.size() != pairs.n_references() + 1 || chosen.chunks.size() != pairs.n_references())
    throw std::invalid_argument("every pair needs its matches and its chunks");
}

// Fills rows, which are zero, with the counts of every pair.
inline void count_matches(const TextPairs& pairs, const ChosenMatches& chosen,
                          std::span<const std::uint8_t> is_function_word, std::span<double> rows,
                          std::size_t threads) {
  check_matches(pairs, chosen);
  check_range(pairs.hypotheses.ids, 0, is_function_word.size(),
              "is_function_word needs an entry for every word");
  check_range(pairs.references.column.ids, 0, is_function_word.size(),
              "is_function_word needs an entry for every word");
  const MatchCounter counter(pairs, chosen, is_function_word);
  parallel_for(pairs.size(), threads, [&] {
    return [&](std::size_t i) {
      for (const std::size_t r : pairs.references_of(i))
        counter.count(i, r, rows.subspan(r * kMatchCounts).first<kMatchCounts>());
    };
  });
}

}  // namespace tertium
