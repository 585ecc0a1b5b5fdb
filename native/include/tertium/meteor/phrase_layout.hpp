// How a table of phrases lies in a file or in memory: one run of bytes that is used as it stands, so that a
// process opens a table of millions of pairs by mapping it, and processes share its pages.
//
// A header of 64-bit numbers, then sections, each from a multiple of 8 bytes on:
//
//   name     the table's name, as bytes
//   slots    uint32: an open-addressing table of words by hash, 1 + the word's number, 0 if free
//   ends     uint32 per word: where its bytes end
//   letters  the words' bytes, one after the other
//   tops     int32 per word: the node of the word alone, -1 if no phrase begins with it
//   filter   uint64: a bit for each edge of the trie, by hash; most words do not go on a phrase
//   edges    uint32 per node: the word that leads to it; the children of a node lie together, by rising words
//   kids     uint32 per node, and one more: its first child; its last is before the next node's first
//   starts   uint32 per node, and one more: its first partner in
//   partners uint32 per pair: the node of the second phrase, in the order in which pairs were added
//
// Numbers have the machine's own order of bytes; a table from a machine of the other order does not open.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

#include "tertium/base/vocabulary.hpp"

namespace tertium::phrases {

inline constexpr std::uint64_t kMagic = 0x3150'4d55'4954'5254ULL;  // "TRTIUMP1"
inline constexpr std::size_t kFilterBits = std::size_t{1} << 23;

enum Section : std::size_t {
  kName,
  kSlots,
  kEnds,
  kLetters,
  kTops,
  kFilter,
  kEdges,
  kKids,
  kStarts,
  kPartners,
  kSections
};

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t checksum = 0;                       // of all that follows it
  std::array<std::uint64_t, kSections> sizes = {};  // of the sections, in bytes
};
static_assert(sizeof(Header) % 8 == 0);

// A table that cannot be used.
struct Damaged : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

// Four chains of multiplications that do not wait for one another: as fast as memory can be read. Any
// change of one 64-bit number changes the sum. The number of bytes must be a multiple of 8.
inline std::uint64_t sum_bytes(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0x9fb21c651e98df25ULL;
  std::array<std::uint64_t, 4> lanes = {1, 2, 3, bytes.size()};
  const auto take = [&](std::size_t lane, std::size_t at) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    lanes[lane] = std::rotl((lanes[lane] ^ word) * kOdd, 29);
  };
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32)
    for (std::size_t lane = 0; lane < 4; ++lane) take(lane, at + 8 * lane);
  for (; at + 8 <= bytes.size(); at += 8) take(0, at);
  std::uint64_t sum = 0;
  for (const std::uint64_t lane : lanes) sum = mix64(sum ^ lane);
  return sum;
}

inline std::uint64_t sum_table(std::span<const std::byte> table) {
  return sum_bytes(table.subspan(offsetof(Header, sizes)));
}

// The bit of an edge of the trie in the filter.
inline std::size_t filter_bit(std::uint64_t edge) { return mix64(edge) % kFilterBits; }

}  // namespace tertium::phrases
