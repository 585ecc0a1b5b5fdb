// Rows of the edit distance between a stream of tokens and references, with integer costs.
//
// row[i] is the cost of the best path that has consumed i tokens of the stream. add_tokens() extends the
// paths by tokens of a reference: O(|stream| x |tokens|), 8 or 16 tokens at a time, one per lane. Lane l
// works on position t - l in step t, so that all lanes depend on earlier steps only (the anti-diagonals of
// Wozniak 1997).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/alignment/cut_problem.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/simd.hpp"

namespace tertium {

namespace cut_rows {

using Lanes = simd::Int32x8;
inline constexpr std::size_t kLanes = Lanes::kLanes;
// The widest strip: two registers, whose chains of dependent instructions run in parallel.
inline constexpr std::size_t kStrip = 2 * kLanes;
// Never equal: before and after the stream, and lanes without a token.
inline constexpr std::int32_t kNoStream = -1;
inline constexpr std::int32_t kNoToken = -2;

// The costs of substituting the stream's tokens in the lanes by the tokens of a strip, by equality.
template <std::size_t Registers>
struct EqualTokens {
  Lanes tokens[Registers];
  Lanes stream[Registers];
  Lanes edit;

  TERTIUM_INLINE EqualTokens(const EditCosts& costs, std::span<const std::int32_t> strip)
      : edit(Lanes::all(costs.edit)) {
    for (std::size_t g = 0; g < Registers; ++g) {
      std::int32_t lanes[kLanes];
      for (std::size_t l = 0; l < kLanes; ++l)
        lanes[l] = g * kLanes + l < strip.size() ? strip[g * kLanes + l] : kNoToken;
      tokens[g] = Lanes::load(lanes);
      stream[g] = Lanes::all(kNoStream);
    }
  }
  TERTIUM_INLINE void take(const std::int32_t* next) {
    for (std::size_t g = Registers - 1; g > 0; --g) stream[g] = simd::shift_in(stream[g - 1], stream[g]);
    stream[0] = simd::shift_in(Lanes::load(next + 1 - kLanes), stream[0]);
  }
  TERTIUM_INLINE Lanes costs(std::size_t g) const {
    return simd::select(stream[g] == tokens[g], Lanes::all(0), edit);
  }
};

// The same from a table.
template <std::size_t Registers>
struct SoftTokens {
  const std::uint8_t* rows[Registers * kLanes];
  const std::int32_t* next = nullptr;
  std::size_t taken = 0;
  std::size_t used;
  CutCost edit, step;

  SoftTokens(const EditCosts& costs, std::span<const std::int32_t> strip)
      : used(strip.size()), edit(costs.edit), step(costs.step) {
    for (std::size_t l = 0; l < Registers * kLanes; ++l)
      rows[l] = l < used ? costs.table.data() + static_cast<std::size_t>(strip[l]) * costs.n_types : nullptr;
  }
  TERTIUM_INLINE void take(const std::int32_t* at) {
    next = at;
    ++taken;
  }
  TERTIUM_INLINE Lanes costs(std::size_t g) const {
    CutCost lanes[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::size_t lane = g * kLanes + l;
      const std::int32_t type = lane < used && lane < taken ? *(next - lane) : kNoStream;
      lanes[l] = type < 0 ? edit : step * rows[lane][type];
    }
    return Lanes::load(lanes);
  }
};

// Extends row[0, n] in place by a strip of tokens; behind it lie kStrip impossible costs. stream[i] is the
// token before position i. Both may be read up to kLanes numbers before their beginning. A lane without a
// token passes its costs on.
template <typename Tokens, std::size_t Registers>
TERTIUM_INLINE void add_strip(CutCost* row, std::size_t n, const std::int32_t* stream, const EditCosts& costs,
                              std::span<const std::int32_t> strip) {
  constexpr std::size_t width = Registers * kLanes;
  Tokens tokens(costs, strip);
  Lanes last[Registers], diagonal[Registers], deletion[Registers];
  const Lanes insertion = Lanes::all(costs.edit);
  for (std::size_t g = 0; g < Registers; ++g) {
    last[g] = diagonal[g] = Lanes::all(kImpossible);
    CutCost lanes[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] = g * kLanes + l < strip.size() ? costs.edit : 0;
    deletion[g] = Lanes::load(lanes);
  }
  for (std::size_t t = 0; t < n + width; ++t) {
    tokens.take(stream + t);
    for (std::size_t g = Registers; g-- > 0;) {
      const Lanes before = g > 0 ? last[g > 0 ? g - 1 : 0] : Lanes::load(row + t + 1 - kLanes);
      const Lanes above = simd::shift_in(before, last[g]);
      last[g] = simd::min(simd::min(last[g] + insertion, above + deletion[g]), diagonal[g] + tokens.costs(g));
      diagonal[g] = above;
    }
    if (t + 1 >= width) row[t + 1 - width] = last[Registers - 1][kLanes - 1];
  }
}

template <std::size_t Registers>
void add_strip_of(CutCost* row, std::size_t n, const std::int32_t* stream, const EditCosts& costs,
                  std::span<const std::int32_t> strip) {
  if (costs.is_soft()) return add_strip<SoftTokens<Registers>, Registers>(row, n, stream, costs, strip);
  simd::dispatch([&]() TERTIUM_ALWAYS_INLINE {
    add_strip<EqualTokens<Registers>, Registers>(row, n, stream, costs, strip);
  });
}

}  // namespace cut_rows

// A row over positions [0, n] of a stream, or of a part of it, padded for the strips before and behind it.
class CutRow {
 public:
  explicit CutRow(std::size_t positions, CutCost cost = kImpossible)
      : costs_(kBefore + positions + cut_rows::kStrip, kImpossible) {
    std::fill_n(data(), positions, cost);
  }

  std::size_t size() const { return costs_.size() - kBefore - cut_rows::kStrip; }
  CutCost& operator[](std::size_t i) { return costs_[kBefore + i]; }
  CutCost operator[](std::size_t i) const { return costs_[kBefore + i]; }
  CutCost* data() { return costs_.data() + kBefore; }

 private:
  static constexpr std::size_t kBefore = cut_rows::kLanes;
  std::vector<CutCost> costs_;
};

// The stream, padded before and behind, as add_tokens() reads it.
class PaddedStream {
 public:
  explicit PaddedStream(std::span<const std::int32_t> tokens)
      : tokens_(kBefore + tokens.size() + cut_rows::kStrip, cut_rows::kNoStream) {
    std::ranges::copy(tokens, tokens_.begin() + kBefore);
  }
  // The token before each position, from position `first` on.
  const std::int32_t* before(std::size_t first) const { return tokens_.data() + kBefore - 1 + first; }

 private:
  static constexpr std::size_t kBefore = cut_rows::kLanes + 1;
  std::vector<std::int32_t> tokens_;
};

// Extends the paths of a row over positions [first, first + row.size()) by the tokens of a reference. Every
// cost must be at most an insertion above the one before it.
inline void add_tokens(CutRow& row, const PaddedStream& stream, std::size_t first, const EditCosts& costs,
                       std::span<const std::int32_t> tokens, InterruptCheck& interrupts) {
  std::size_t done = 0;
  while (done < tokens.size()) {
    const std::size_t count = std::min(tokens.size() - done, cut_rows::kStrip);
    const auto strip = tokens.subspan(done, count);
    if (count <= cut_rows::kLanes)
      cut_rows::add_strip_of<1>(row.data(), row.size() - 1, stream.before(first), costs, strip);
    else
      cut_rows::add_strip_of<2>(row.data(), row.size() - 1, stream.before(first), costs, strip);
    interrupts.tick(row.size() * 4);
    done += count;
  }
}

}  // namespace tertium
