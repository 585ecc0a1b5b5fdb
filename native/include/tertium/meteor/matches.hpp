// Matches of words and phrases between a hypothesis and a reference, and what they are found by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "tertium/base/checks.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/named.hpp"

namespace tertium {

// The ways in which two words or phrases can match, in the order in which METEOR tries them.
enum class MatchKind : std::int32_t { exact = 0, stem = 1, synonym = 2, paraphrase = 3 };
inline constexpr Named<MatchKind> kMatchKindNames[] = {
    {"exact", MatchKind::exact},
    {"stem", MatchKind::stem},
    {"synonym", MatchKind::synonym},
    {"paraphrase", MatchKind::paraphrase},
};
inline constexpr std::size_t kMatchKinds = std::size(kMatchKindNames);

struct Match {
  std::int32_t reference;         // first word covered in the reference
  std::int32_t reference_length;  // words covered there
  std::int32_t hypothesis;
  std::int32_t hypothesis_length;
  MatchKind kind;
};
inline constexpr std::size_t kMatchWidth = 5;  // numbers

// The words for which a match counts in the search: an inexact one for half of each side's, rounded down.
inline std::int32_t coverage(const Match& match) {
  if (match.kind == MatchKind::exact) return 2;
  return match.hypothesis_length / 2 + match.reference_length / 2;
}

// The classes of each word of the vocabulary. A column may be empty: then no words match in that way.
struct WordClasses {
  std::span<const std::int32_t> codes;  // words with equal entries are equal; if empty, only a word itself
  std::span<const std::int32_t> stems;  // words with equal entries share a stem
  Column synsets;                       // rows of ids, none twice; not negative
  std::span<const std::int32_t> rows;   // of each word, in synsets
};

// The kinds of matches to look for.
struct MatchKinds {
  bool exact = false, stem = false, synonym = false, paraphrase = false;

  void add(MatchKind kind) {
    switch (kind) {
      case MatchKind::exact:
        exact = true;
        break;
      case MatchKind::stem:
        stem = true;
        break;
      case MatchKind::synonym:
        synonym = true;
        break;
      case MatchKind::paraphrase:
        paraphrase = true;
        break;
    }
  }
};

}  // namespace tertium
