// Sets of small numbers as rows of 64-bit words: membership, union and iteration work on 64 positions at a
// time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tertium::bitsets {

using Word = std::uint64_t;

inline std::size_t words_for(std::size_t members) { return (members + 63) / 64; }
inline void insert(Word* set, std::size_t i) { set[i / 64] |= Word{1} << (i % 64); }
inline bool contains(const Word* set, std::size_t i) { return (set[i / 64] >> (i % 64)) & 1; }

// Calls visit(member) for every member of word number w, from the smallest.
template <typename Visit>
void visit_word(Word word, std::size_t w, const Visit& visit) {
  for (; word != 0; word &= word - 1) visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
}

template <typename Visit>
void visit(const Word* set, std::size_t words, const Visit& each) {
  for (std::size_t w = 0; w < words; ++w) visit_word(set[w], w, each);
}

}  // namespace tertium::bitsets
