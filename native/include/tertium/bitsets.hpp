// Sets of small numbers as rows of 64-bit words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tertium::bitsets {

using Word = std::uint64_t;

inline std::size_t words_for(std::size_t members) { return (members + 63) / 64; }
inline void insert(Word* set, std::size_t i) { set[i / 64] |= Word{1} << (i % 64); }
inline void erase(Word* set, std::size_t i) { set[i / 64] &= ~(Word{1} << (i % 64)); }
inline bool contains(const Word* set, std::size_t i) { return (set[i / 64] >> (i % 64)) & 1; }

// How many members lie in [from, to).
inline std::size_t count_between(const Word* set, std::size_t from, std::size_t to) {
  std::size_t count = 0;
  for (std::size_t i = from; i < to; ++i) count += contains(set, i);
  return count;
}

inline bool disjoint(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w)
    if ((a[w] & b[w]) != 0) return false;
  return true;
}

// Calls visit(member) for every member of word number w, from the smallest.
template <typename Visit>
void visit_word(Word word, std::size_t w, const Visit& visit) {
  for (; word != 0; word &= word - 1) visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
}

template <typename Visit>
void visit(const Word* set, std::size_t words, const Visit& each) {
  for (std::size_t w = 0; w < words; ++w) visit_word(set[w], w, each);
}

// From the largest member to the smallest.
template <typename Visit>
void visit_falling(const Word* set, std::size_t words, const Visit& each) {
  for (std::size_t w = words; w-- > 0;)
    for (Word word = set[w]; word != 0;) {
      const auto top = static_cast<std::size_t>(63 - std::countl_zero(word));
      word ^= Word{1} << top;
      each(64 * w + top);
    }
}

}  // namespace tertium::bitsets
