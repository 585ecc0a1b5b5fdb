// Which cells samples keep, as small numbers: four neighbouring cells of a group at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

inline constexpr std::size_t kCodeCells = 4;

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

}  // namespace tertium
