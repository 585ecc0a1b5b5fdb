// Lower bounds of the cost of the segments that remain, from a position of the stream to its end.
//
// A piece of a reference costs at least its edit distance to the most similar part of the stream, wherever
// that is. Pieces of up to 256 tokens are searched in the whole stream with bit vectors (Myers 1999):
// O(|stream| x |references| / 64) time. The number of tokens gives another bound: each surplus token costs an
// edit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "tertium/alignment/cut_problem.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/edits/myers.hpp"

namespace tertium {

class RemainingCosts {
 public:
  RemainingCosts(const CutProblem& problem, InterruptCheck& interrupts)
      : problem_(problem), types_(problem.stream.begin(), problem.stream.end()), interrupts_(interrupts) {
    number_types();
    find_edits();
    count_tokens();
    find_cuts();
  }

  // A lower bound of the cost of all segments from `segment` on, if they begin at this position and the cut
  // there is paid.
  CutCost from(std::size_t position, std::size_t segment) const {
    const std::size_t rest = problem_.stream.size() - position;
    const std::size_t surplus = rest > most_[segment] ? rest - most_[segment] : 0;
    const std::size_t lack = least_[segment] > rest ? least_[segment] - rest : 0;
    return static_cast<CutCost>(std::max({surplus, lack, edits_[segment]})) * problem_.costs.edit +
           cuts_[segment];
  }

 private:
  using Bits = std::uint64_t;
  using Tokens = std::span<const std::int32_t>;
  static constexpr std::size_t kWords = 4;
  using Places = std::array<Bits, kWords>;
  static constexpr std::size_t kLongest = kWords * 64;

  // Numbers the tokens of the stream from 0 on, so that tables of them are small.
  void number_types() {
    std::ranges::sort(types_);
    const auto end = std::unique(types_.begin(), types_.end());  // Clang 14 has no std::ranges::unique
    types_.erase(end, types_.end());
    places_.assign(types_.size(), {});
    for (const std::int32_t token : problem_.stream)
      stream_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(types_, token) - types_.begin()));
  }

  // edits_[s]: the edits of the pieces that begin at segment s or later. Consecutive short references form
  // one piece, which counts from its first segment on.
  void find_edits() {
    const auto& references = problem_.references;
    edits_.assign(problem_.n_segments() + 1, 0);
    std::vector<std::int32_t> piece;
    std::size_t first = 0;
    const auto finish = [&](std::size_t next) {
      edits_[first] += least_edits(piece);
      piece.clear();
      first = next;
    };
    for (std::size_t s = 0; s < problem_.n_segments(); ++s) {
      const Tokens tokens = references.column[references.begin(s)];
      const bool is_only = references.end(s) - references.begin(s) == 1;
      if (!is_only || piece.size() + tokens.size() > kLongest) finish(s);
      if (is_only && tokens.size() <= kLongest) {
        piece.insert(piece.end(), tokens.begin(), tokens.end());
      } else {
        edits_[s] += least_edits_of_any(s);
        first = s + 1;
      }
    }
    finish(problem_.n_segments());
    for (std::size_t s = problem_.n_segments(); s-- > 0;) edits_[s] += edits_[s + 1];
  }
  std::size_t least_edits_of_any(std::size_t segment) {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t r = problem_.references.begin(segment); r < problem_.references.end(segment); ++r) {
      const Tokens tokens = problem_.references.column[r];
      std::size_t total = 0;
      for (std::size_t i = 0; i < tokens.size(); i += kLongest)
        total += least_edits(tokens.subspan(i, std::min(kLongest, tokens.size() - i)));
      least = std::min(least, total);
    }
    return least;
  }

  // The edit distance between a piece of at most kLongest tokens and the most similar part of the stream.
  std::size_t least_edits(Tokens piece) {
    if (piece.empty()) return 0;
    mark(piece);
    const std::size_t n_words = (piece.size() + 63) / 64;
    const std::size_t least = n_words == kWords
                                  ? search(piece.size(), std::integral_constant<std::size_t, kWords>{})
                                  : search(piece.size(), n_words);
    unmark();
    interrupts_.tick(stream_.size() * n_words);
    return least;
  }
  // `n_words` is a constant where all pieces are long, so that the loop over words is unrolled.
  template <typename Count>
  std::size_t search(std::size_t length, Count n_words) const {
    std::array<MyersColumn<Bits>, kWords> columns;
    columns.fill({~Bits{0}, 0});
    const Bits last = Bits{1} << ((length - 1) % 64);
    std::size_t edits = length, least = length;
    for (const std::size_t type : stream_) {
      MyersCarry<Bits> carry{1, 0};  // the part may begin anywhere
      MyersStep<Bits> step{};
      for (std::size_t w = 0; w < n_words; ++w) step = myers_step(places_[type][w], columns[w], carry);
      edits += (step.Ph & last) != 0;
      edits -= (step.Mh & last) != 0;
      least = std::min(least, edits);
    }
    return least;
  }
  // places_[type]: the tokens of the piece that cost less than an edit in place of this token of the stream.
  void mark(Tokens piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (problem_.costs.is_soft()) {
        mark_similar(piece[i], i);
      } else if (const auto at = std::ranges::lower_bound(types_, piece[i]);
                 at != types_.end() && *at == piece[i]) {
        marked_.push_back(static_cast<std::size_t>(at - types_.begin()));
        mark_place(marked_.back(), i);
      }
    }
  }
  void mark_similar(std::int32_t token, std::size_t place) {
    for (std::size_t type = 0; type < types_.size(); ++type)
      if (problem_.costs.substitution(types_[type], token) < problem_.costs.edit) mark_place(type, place);
  }
  void mark_place(std::size_t type, std::size_t place) {
    places_[type][place / 64] |= Bits{1} << (place % 64);
  }
  void unmark() {
    if (problem_.costs.is_soft()) std::ranges::fill(places_, Places{});
    for (const std::size_t type : marked_) places_[type] = {};
    marked_.clear();
  }

  // least_[s], most_[s]: the least and the most tokens of the references from segment s on.
  void count_tokens() {
    const std::size_t n = problem_.n_segments();
    least_.assign(n + 1, 0);
    most_.assign(n + 1, 0);
    for (std::size_t s = n; s-- > 0;) {
      std::size_t least = std::numeric_limits<std::size_t>::max();
      for (std::size_t r = problem_.references.begin(s); r < problem_.references.end(s); ++r)
        least = std::min(least, problem_.references.column[r].size());
      least_[s] = least_[s + 1] + least;
      most_[s] = most_[s + 1] + problem_.most_tokens(s, s + 1);
    }
  }

  // cuts_[s]: the costs of the cheapest cuts behind segment s and later ones.
  void find_cuts() {
    const std::size_t width = problem_.n_positions();
    std::vector<CutCost> cheapest;
    for (std::size_t i = 0; i < problem_.cut_costs.size(); i += width)
      cheapest.push_back(*std::ranges::min_element(problem_.cut_costs.subspan(i, width)));
    cuts_.assign(problem_.n_segments() + 1, 0);
    for (std::size_t s = problem_.n_segments() - 1; s-- > 0;)
      cuts_[s] = std::min(cuts_[s + 1] + cheapest[static_cast<std::size_t>(problem_.kinds[s])], kImpossible);
  }

  const CutProblem& problem_;
  std::vector<std::int32_t> types_;  // the different tokens of the stream, sorted
  std::vector<std::size_t> stream_;  // the stream by their numbers
  std::vector<Places> places_;
  std::vector<std::size_t> marked_, edits_, least_, most_;
  std::vector<CutCost> cuts_;
  InterruptCheck& interrupts_;
};

}  // namespace tertium
