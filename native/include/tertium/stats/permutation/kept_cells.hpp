// Which cells each sample keeps, laid out for reading several samples at once: as codes of four neighbouring
// cells, or as masks cell by cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/buffer_pool.hpp"

namespace tertium {

inline constexpr std::size_t kCodeCells =
    4;  // a table of 16 sums for each four cells fits a first-level cache

class KeptCodes {
 public:
  // `kept` is (samples x cells), zeros and ones; group i has the cells [offsets[i], offsets[i + 1]).
  KeptCodes(std::span<const std::uint8_t> kept, std::span<const std::int64_t> offsets, std::size_t samples)
      : padded_((samples + 3) / 4 * 4) {
    first_.push_back(0);
    for (std::size_t group = 0; group + 1 < offsets.size(); ++group)
      first_.push_back(first_.back() +
                       (static_cast<std::size_t>(offsets[group + 1] - offsets[group]) + kCodeCells - 1) /
                           kCodeCells);
    codes_.resize(first_.back() * padded_);
    const auto cells = samples == 0 ? 0 : kept.size() / samples;
    for (std::size_t sample = 0; sample < samples; ++sample)
      for (std::size_t group = 0; group + 1 < offsets.size(); ++group)
        encode(kept.subspan(sample * cells + static_cast<std::size_t>(offsets[group]),
                            static_cast<std::size_t>(offsets[group + 1] - offsets[group])),
               codes_.data() + first_[group] * padded_ + sample);
  }

  // The codes of a group's first four cells, sample by sample, up to a multiple of four samples; those of the
  // next four cells follow `padded()` places later.
  const std::uint8_t* of(std::size_t group) const { return codes_.data() + first_[group] * padded_; }
  std::size_t padded() const { return padded_; }

 private:
  void encode(std::span<const std::uint8_t> cells, std::uint8_t* codes) const {
    for (std::size_t c = 0; c < cells.size(); c += kCodeCells, codes += padded_) {
      unsigned code = 0;
      for (std::size_t i = 0; i < std::min(kCodeCells, cells.size() - c); ++i)
        code |= unsigned{cells[c + i]} << i;
      *codes = static_cast<std::uint8_t>(code);
    }
  }

  std::size_t padded_;
  std::vector<std::size_t> first_;  // of each group, among all fours of cells
  std::vector<std::uint8_t> codes_;
};

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
