// The bounds of the walks of chains.hpp on the outside of blocks, computed once for all searches of a pair.
// O(|a| |b|).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/inversion/chains.hpp"

namespace tertium {

// By (i, j) in rows of j: what precedes a block that begins at (i, j), and what follows one that ends there.
template <typename Number>
struct WalkCosts {
  std::vector<Number> before, behind;
};

template <typename Number>
class PairWalks {
 public:
  using Ids = std::span<const std::int32_t>;

  void read(ChainPair<Number>& chains, Ids a, Ids b) {
    const auto columns = static_cast<std::ptrdiff_t>(b.size() + 1);
    most_ = 0;
    read(chains.along_a, a, b, {columns, 1}, along_a);
    read(chains.along_b, b, a, {1, columns}, along_b);
  }

  Number most() const { return most_; }  // of all costs, without their signs

  WalkCosts<Number> along_a, along_b;

 private:
  struct Strides {  // where the next row of a walk's table goes, and the next column
    std::ptrdiff_t row, column;
  };

  void read(ChainBound<Number>& chain, Ids a, Ids b, Strides to, WalkCosts<Number>& out) {
    fees_.assign(chain.fees().begin(), chain.fees().end());
    const std::size_t size = (a.size() + 1) * (b.size() + 1);
    out.before.resize(size);
    write(chain.fill(a, b, fees_), to, out.before.data());
    const std::vector<std::int32_t> last_a(a.rbegin(), a.rend());
    const std::vector<std::int32_t> last_b(b.rbegin(), b.rend());
    std::reverse(fees_.begin(), fees_.end());
    out.behind.resize(size);
    write(chain.fill(last_a, last_b, fees_), {-to.row, -to.column}, &out.behind.back());
  }

  // Every word of b that a walk has to meet gives its fee back.
  void write(std::span<const Number> walks, Strides to, Number* out) {
    const std::size_t columns = fees_.size() + 1;
    for (; !walks.empty(); walks = walks.subspan(columns), out += to.row) {
      Number back{};
      Number* cell = out;
      for (std::size_t j = 0; j < columns; ++j, cell += to.column) {
        *cell = walks[j] - back;
        most_ = std::max<Number>(most_, std::abs(*cell));
        if (j < fees_.size()) back += fees_[j];
      }
    }
  }

  std::vector<Number> fees_;
  Number most_{};
};

}  // namespace tertium
