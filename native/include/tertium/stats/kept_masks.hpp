// Which cells samples keep, cell by cell, so that neighbouring samples can be read at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tertium/base/buffer_pool.hpp"

namespace tertium {

class KeptMasks {
 public:
  // `kept` is (samples x cells), zeros and ones.
  KeptMasks(std::span<const std::uint8_t> kept, std::size_t samples)
      : padded_((samples + 7) / 8 * 8), masks_(samples == 0 ? 0 : kept.size() / samples * padded_, 0) {
    const std::size_t cells = samples == 0 ? 0 : kept.size() / samples;
    constexpr std::size_t block = 32;  // of cells, so that what is written stays in the cache
    for (std::size_t begin = 0; begin < cells; begin += block)
      for (std::size_t sample = 0; sample < samples; ++sample)
        for (std::size_t cell = begin; cell < std::min(begin + block, cells); ++cell)
          masks_[cell * padded_ + sample] = static_cast<std::uint8_t>(0 - kept[sample * cells + cell]);
  }

  // 0xff where a sample keeps a cell, for neighbouring samples up to a multiple of eight; the next cell's
  // follow `padded()` places later.
  const std::uint8_t* at(std::size_t cell, std::size_t sample) const {
    return masks_.data() + cell * padded_ + sample;
  }
  std::size_t padded() const { return padded_; }

 private:
  std::size_t padded_;
  PooledVector<std::uint8_t> masks_;
};

}  // namespace tertium
