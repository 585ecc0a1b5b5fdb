// Random bits that say which rows samples keep, in the order in which numpy draws them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/stats/random/pcg64.hpp"

namespace tertium {

// Random bits in the order of `Generator.integers(2, dtype=bool)`.
class RandomBits {
 public:
  RandomBits(Pcg64& generator, std::size_t count) : words_((count + 31) / 32 + 2, 0) {
    for (std::size_t i = 0; i + 2 < words_.size(); ++i) words_[i] = generator.next32();
  }

  // At least 32 bits from a place on, the first one lowest; zeros beyond the end.
  std::uint64_t at(std::size_t place) const {
    const std::uint64_t both = words_[place / 32] | std::uint64_t{words_[place / 32 + 1]} << 32;
    return both >> (place % 32);
  }

 private:
  PooledVector<std::uint32_t> words_;
};

// The bits of samples that keep or exchange `rows` rows each.
struct KeptRows {
  const RandomBits& bits;
  std::size_t rows;

  // Whether a sample keeps the rows from `begin` on, the lowest bit first.
  std::uint64_t at(std::size_t sample, std::size_t begin) const { return bits.at(sample * rows + begin); }
};

}  // namespace tertium
