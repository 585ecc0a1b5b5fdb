// The layout of a phrase table in a file or in memory: one run of bytes that is used as it is, so that a
// process opens a table of millions of pairs by mapping it, and processes share its pages.
//
// A header of 64-bit numbers, then sections, each from a multiple of 8 bytes on:
//
//   name     the table's name, as bytes
//   slots    uint32: an open-addressing table of words by hash, 1 + the word's number, 0 if free
//   ends     uint32 per word: where its bytes end
//   letters  the words' bytes, one after the other
//   tops     int32 per word: the place of the word alone, -1 if no phrase begins with it
//   edges    uint64 per place: an open-addressing table of the trie's nodes, each under its parent's place
//   and
//            the word that leads from there to it; all ones if free
//   starts   uint32 per place, and one more: its first partner in
//   partners uint32 per pair: the place of the second phrase, in the order in which pairs were added
//
// The trie is far larger than the caches. A node is found with one memory access at a computed address, so
// that many accesses can be in flight at once.
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

inline constexpr std::uint64_t kMagic = 0x3250'4d55'4954'5254ULL;  // "TRTIUMP2"
inline constexpr std::uint64_t kFree = ~std::uint64_t{0};

enum Section : std::size_t { kName, kSlots, kEnds, kLetters, kTops, kEdges, kStarts, kPartners, kSections };

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t checksum = 0;                       // of all that follows it
  std::array<std::uint64_t, kSections> sizes = {};  // of the sections, in bytes
};
static_assert(sizeof(Header) % 8 == 0);

// Thrown for a table that cannot be used.
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

// The first slot to probe for an edge among `places` slots (fewer than 2^32); then the slots after it.
inline std::size_t first_place(std::uint64_t edge, std::size_t places) {
  return static_cast<std::size_t>((mix64(edge) >> 32) * places >> 32);
}

}  // namespace tertium::phrases
