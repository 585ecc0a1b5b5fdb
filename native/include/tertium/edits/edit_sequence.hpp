// One shortest sequence of edits that turns the hypothesis into the reference. Which one matters, because
// shortest sequences can differ in their number of matches: this is the one that rapidfuzz, and with it
// jiwer, reports. From the end of both texts, inserting a word of the reference is preferred; then, where it
// is better than stepping over both words, deleting one of the hypothesis. O(|h| x |r| / 64) time; columns
// are kept at every k-th position of the hypothesis, k = sqrt(|h|), and computed again in between, so memory
// is O(sqrt(|h|) x |r| / 64).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/edits/beam_distance.hpp"
#include "tertium/edits/levenshtein.hpp"
#include "tertium/edits/myers.hpp"

namespace tertium {

// Keeps its tables between calls; one per thread.
class EditSequence {
 public:
  // The edits from left to right.
  std::vector<std::int32_t> trace(std::span<const std::int32_t> hypothesis,
                                  std::span<const std::int32_t> reference) {
    std::vector<std::int32_t> edits;
    visit(hypothesis, reference, [&](Edit edit) { edits.push_back(static_cast<std::int32_t>(edit)); });
    std::ranges::reverse(edits);
    return edits;
  }

  struct Counts {
    std::size_t matches = 0, edits = 0;
  };
  Counts count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    Counts counts;
    visit(hypothesis, reference, [&](Edit edit) { ++(edit == Edit::keep ? counts.matches : counts.edits); });
    return counts;
  }

 private:
  using Bits = std::uint64_t;
  using Cells = MyersColumn<Bits>;

  // Calls see(edit) for each edit from right to left. Common ends are kept word by word, which decides ties
  // as in rapidfuzz.
  template <typename See>
  void visit(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference, See&& see) {
    const auto [inner_hypothesis, inner_reference] = levenshtein::trim(hypothesis, reference);
    const auto prefix = static_cast<std::size_t>(inner_hypothesis.data() - hypothesis.data());
    const std::size_t suffix = hypothesis.size() - prefix - inner_hypothesis.size();
    for (std::size_t k = 0; k < suffix; ++k) see(Edit::keep);
    begin(inner_hypothesis, inner_reference);
    walk(see);
    for (std::size_t k = 0; k < prefix; ++k) see(Edit::keep);
  }

  // Computes the columns that are kept: column j compares the first j words of the hypothesis.
  void begin(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    if (hypothesis.empty() || reference.empty()) return;
    words_ = (reference.size() + 63) / 64;
    every_ = takes_shortcuts()
                 ? static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(hypothesis.size()))))
                 : 1;
    block_ = static_cast<std::size_t>(-1);
    masks_.index(reference);
    kept_.clear();
    column_.assign(words_, {~Bits{0}, 0});
    for (std::size_t j = 0; j < hypothesis.size(); ++j) {
      if (j % every_ == 0) kept_.insert(kept_.end(), column_.begin(), column_.end());
      advance(hypothesis[j], column_);
    }
  }

  void advance(std::int32_t symbol, std::span<Cells> column) {
    interrupt_check_.tick(words_);
    auto row = masks_.row(symbol);
    MyersCarry<Bits> carry;
    for (std::size_t w = 0; w < words_; ++w) myers_step(row.at(w), column[w], carry);
  }

  template <typename See>
  void walk(See& see) {
    std::size_t i = reference_.size(), j = hypothesis_.size();
    while (i > 0 && j > 0) {
      if (is_set(cells(i, j).Pv, i)) {  // D(i, j) is D(i-1, j) + 1
        see(Edit::insert);
        --i;
        continue;
      }
      --j;
      if (j > 0 && is_set(cells(i, j).Mv, i)) {  // D(i, j) is D(i-1, j) - 1
        see(Edit::remove);
        continue;
      }
      --i;
      see(hypothesis_[j] == reference_[i] ? Edit::keep : Edit::substitute);
    }
    for (; i > 0; --i) see(Edit::insert);
    for (; j > 0; --j) see(Edit::remove);
  }

  static bool is_set(Bits bits, std::size_t i) { return (bits >> ((i - 1) % 64) & 1) != 0; }

  // The 64 cells with D(i, j), for i and j from 1.
  Cells cells(std::size_t i, std::size_t j) {
    if (const std::size_t block = (j - 1) / every_; block != block_) fill(block);
    return filled_[((j - 1) % every_) * words_ + (i - 1) / 64];
  }

  // Computes the columns block * every_ + 1 to (block + 1) * every_ from the kept one before them.
  void fill(std::size_t block) {
    block_ = block;
    const std::size_t first = block * every_;
    const std::size_t n = std::min(every_, hypothesis_.size() - first);
    filled_.resize(n * words_);
    const Cells* before = &kept_[block * words_];
    for (std::size_t k = 0; k < n; ++k) {
      const std::span<Cells> column(&filled_[k * words_], words_);
      std::copy_n(before, words_, column.begin());
      advance(hypothesis_[first + k], column);
      before = column.data();
    }
  }

  InterruptCheck interrupt_check_;
  SparseMasks masks_;
  std::span<const std::int32_t> hypothesis_, reference_;
  std::size_t words_ = 0, every_ = 1, block_ = 0;
  std::vector<Cells> column_, kept_, filled_;
};

// A row per segment: matches, edits, and the lengths of the hypothesis and of the reference with the fewest
// edits, the first one on a tie.
inline void edit_sequence_statistics(const TextPairs& pairs, std::size_t threads, std::span<double> rows) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, sequence = EditSequence()](std::size_t i) mutable {
      auto best = EditSequence::Counts{0, static_cast<std::size_t>(-1)};
      std::size_t length = 0;
      for (const std::size_t r : pairs.references_of(i)) {
        const auto counts = sequence.count(pairs.hypothesis(i), pairs.reference(r));
        if (counts.edits >= best.edits) continue;
        best = counts;
        length = pairs.reference(r).size();
      }
      const auto row = rows.subspan(4 * i, 4);
      row[0] = static_cast<double>(best.matches);
      row[1] = static_cast<double>(best.edits);
      row[2] = static_cast<double>(pairs.hypothesis(i).size());
      row[3] = static_cast<double>(length);
    };
  });
}

}  // namespace tertium
