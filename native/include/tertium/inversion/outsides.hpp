// What the search of the inversion distance knows beforehand about the outside of blocks: the walks of
// chains.hpp, along a and along b, as rows of cells that the innermost loops add up. O(|a| |b|) memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/chains.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

// A bound in fine cells, `1 << shift` to a whole price; a sum of two is turned into whole prices by whole().
template <typename Cell>
struct FineCells;
template <>
struct FineCells<std::int16_t> {
  int shift = 6;

  // Takes fewer parts until costs so large fit; false if they never do.
  bool fit(std::int32_t most) {
    constexpr std::int32_t largest = 16'000;  // the sum of two is a cell as well
    while (shift > 0 && most >> (kPartsShift - shift) >= largest) --shift;
    return most >> (kPartsShift - shift) < largest;
  }
  std::int16_t cell(std::int32_t parts) const {  // rounds down: a bound stays one
    return static_cast<std::int16_t>(parts >> (kPartsShift - shift));
  }
  std::int16_t whole(std::int16_t fine) const {  // the least whole price that is no less
    return static_cast<std::int16_t>((fine + ((1 << shift) - 1)) >> shift);
  }
  std::int32_t fine(std::int32_t whole) const { return whole * (1 << shift); }
};
template <>
struct FineCells<double> {
  bool fit(double) { return true; }
  double cell(double cost) const { return cost - 1e-9 * std::abs(cost); }  // other orders round differently
  double whole(double fine) const { return fine; }
  double fine(double whole) const { return whole; }
};

// One walk's bounds: row i has what precedes a block that begins at (i, j), or follows one that ends there.
template <typename Cell>
struct OutsideRows {
  std::size_t width = 0;  // 0: the same row for every i
  std::vector<Cell> before, behind;
  const Cell* before_from(std::size_t i) const { return &before[i * width]; }
  const Cell* behind_from(std::size_t i) const { return &behind[i * width]; }
};

template <typename Cell>
class OutsideCosts {
 public:
  using Number = typename CellTraits<Cell>::Number;
  using Ids = std::span<const std::int32_t>;

  // `trust`: what the bounds are multiplied by; above 1 they no longer hold for certain. `width` cells a row;
  // those beyond |b| are zeros.
  void prepare(Ids a, Ids b, ChainPair<Number>* chains, double trust, std::size_t width) {
    fine_ = {};
    if (chains == nullptr) return forget(width);
    read(chains->along_a, a, b, trust, read_[0]);
    read(chains->along_b, b, a, trust, read_[1]);
    if (!fine_.fit(std::max(read_[0].most(), read_[1].most()))) return forget(width);
    for (OutsideRows<Cell>* rows : {&along_a, &along_b}) {
      rows->width = width;
      rows->before.assign((a.size() + 1) * width, 0);
      rows->behind.assign((a.size() + 1) * width, 0);
    }
    write(a.size(), b.size());
  }

  const FineCells<Cell>& fine() const { return fine_; }
  // What the outside of a[i0, i1) x b[j0, j1) costs at least, in fine cells.
  Number bound(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) const {
    return std::max<Number>(along_a.before_from(i0)[j0] + along_a.behind_from(i1)[j1],
                            along_b.before_from(i0)[j0] + along_b.behind_from(i1)[j1]);
  }
  // The same for the one beginning in a and the one end in b, as a function of i1 and j0.
  auto bounds_from(std::size_t i0, std::size_t j1) const {
    return [before_a = along_a.before_from(i0), before_b = along_b.before_from(i0),
            behind_a = along_a.behind_from(0) + j1, behind_b = along_b.behind_from(0) + j1,
            width = along_a.width](std::size_t i1, std::size_t j0) {
      return std::max<Number>(before_a[j0] + behind_a[i1 * width], before_b[j0] + behind_b[i1 * width]);
    };
  }

  OutsideRows<Cell> along_a, along_b;

 private:
  struct Tables {
    std::vector<Number> forwards, backwards;
    Number most() const {
      Number most{};
      for (const auto& table : {std::span(forwards), std::span(backwards)})
        for (const Number cost : table) most = std::max<Number>(most, std::abs(cost));
      return most;
    }
  };

  // Nothing is known.
  void forget(std::size_t width) {
    for (OutsideRows<Cell>* rows : {&along_a, &along_b}) {
      rows->width = 0;
      rows->before.assign(width, 0);
      rows->behind.assign(width, 0);
    }
  }

  void read(ChainBound<Number>& chain, Ids a, Ids b, double trust, Tables& tables) {
    fees_.assign(chain.fees().begin(), chain.fees().end());
    take(chain.fill(a, b, fees_), b.size() + 1, trust, tables.forwards);
    const std::vector<std::int32_t> last_a(a.rbegin(), a.rend());
    const std::vector<std::int32_t> last_b(b.rbegin(), b.rend());
    std::reverse(fees_.begin(), fees_.end());
    take(chain.fill(last_a, last_b, fees_), b.size() + 1, trust, tables.backwards);
  }

  // Every word of b that a walk has to meet gives its fee back.
  void take(std::span<const Number> walks, std::size_t columns, double trust,
            std::vector<Number>& out) const {
    out.assign(walks.begin(), walks.end());
    for (std::size_t row = 0; row < out.size(); row += columns) {
      Number back{};
      for (std::size_t j = 1; j < columns; ++j) out[row + j] -= back += fees_[j - 1];
    }
    if (trust == 1) return;
    for (Number& cost : out) cost = static_cast<Number>(static_cast<double>(cost) * trust);
  }

  void write(std::size_t n, std::size_t m) {
    const auto& [along, across] = read_;
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= m; ++j) {
        along_a.before[i * along_a.width + j] = fine_.cell(along.forwards[i * (m + 1) + j]);
        along_a.behind[i * along_a.width + j] = fine_.cell(along.backwards[(n - i) * (m + 1) + m - j]);
        along_b.before[i * along_b.width + j] = fine_.cell(across.forwards[j * (n + 1) + i]);
        along_b.behind[i * along_b.width + j] = fine_.cell(across.backwards[(m - j) * (n + 1) + n - i]);
      }
  }

  FineCells<Cell> fine_;
  Tables read_[2];
  std::vector<Number> fees_;
};

}  // namespace tertium
