// Cuts a stream of tokens into the segments of its references with the least total cost: edits of every
// segment against its closest reference, plus the costs of the cuts (the criterion of mwerSegmenter: Matusov,
// Leusch, Bender & Ney 2005).
//
// Exact. A beam search finds some segmentation, whose cost is an upper bound. The second search leaves out
// positions whose cost, plus a lower bound of what remains (remaining_costs.hpp), exceeds it. Time is at most
// O(|stream| x |references|), in strips of 16 tokens; for a translation of the references it is a small part.
//
// A row of costs is kept at every q-th segment only, q growing with the square root of the number of
// segments; the way back repeats a few rows over a window of the stream. The window is wide enough if the
// repeated costs reach the known least cost; if not, it is doubled. So memory is O(|stream| x
// sqrt(segments)), and the way back costs little.
//
// Edits depend on the order of words. If words without a counterpart in their segment cost something in any
// order, each cut is moved between its neighbours afterwards until no cut can be moved at a profit.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tertium/alignment/cut_problem.hpp"
#include "tertium/alignment/cut_rows.hpp"
#include "tertium/alignment/remaining_costs.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"

namespace tertium {

// positions[s] is where segment s begins; the last one is the end of the stream. margins[s] is how much more
// the second best place of the cut before segment s costs, with its neighbours fixed; kImpossible if there is
// none.
struct Segmentation {
  std::vector<std::int64_t> positions;
  std::vector<CutCost> margins;
};

class StreamCutter {
 public:
  explicit StreamCutter(const CutProblem& problem)
      : problem_(problem),
        stream_(problem.stream),
        takes_shortcuts_(takes_shortcuts()),
        every_(
            takes_shortcuts_
                ? std::max<std::size_t>(
                      1, static_cast<std::size_t>(std::sqrt(static_cast<double>(problem.n_segments()))) / 4)
                : 1) {
    const auto longest = problem.stream.size() + problem.most_tokens(0, problem.n_segments());
    if (static_cast<double>(longest) * problem.costs.edit >= kImpossible / 2)
      throw std::invalid_argument("the texts are too long for the costs");
  }

  Segmentation cut() {
    const std::size_t n = problem_.n_segments();
    const CutCost bound = takes_shortcuts_ ? search_beam() : 2 * kImpossible;
    const RemainingCosts remaining(problem_, interrupts_);
    PartialRow row;
    for (std::size_t s = 0; s < n; ++s) {
      if (s % every_ == 0) kept_.push_back(row);
      pass_segment(row, s, last_useful(row, s, remaining, bound));
      row.trim([&](std::size_t i, CutCost cost) { return cost + remaining.from(i, s + 1) > bound; });
    }
    positions_.assign(n + 1, 0);
    positions_[n] = problem_.stream.size();
    CutCost reached = row.at(problem_.stream.size());
    for (std::size_t block = kept_.size(); block-- > 0;) reached = trace_block(block, reached);
    auto margins = settle_cuts();
    return {{positions_.begin(), positions_.end()}, std::move(margins)};
  }

 private:
  // A row over the positions from `first` on; all others are impossible. A new one is at the beginning.
  struct PartialRow {
    std::size_t first = 0;
    CutRow costs{1, 0};

    std::size_t last() const { return first + costs.size() - 1; }
    CutCost at(std::size_t i) const { return i < first || i > last() ? kImpossible : costs[i - first]; }
    CutCost least() const {
      CutCost least = costs[0];
      for (std::size_t i = 1; i < costs.size(); ++i) least = std::min(least, costs[i]);
      return least;
    }
    void resize(std::size_t new_first, std::size_t new_last) {
      CutRow other(new_last - new_first + 1);
      for (std::size_t i = std::max(first, new_first); i <= std::min(last(), new_last); ++i)
        other[i - new_first] = costs[i - first];
      first = new_first;
      costs = std::move(other);
    }
    // Leaves out useless positions at both ends; one position always remains.
    template <typename IsUseless>
    void trim(IsUseless is_useless) {
      std::size_t from = first, to = last();
      while (from < to && is_useless(from, at(from))) ++from;
      while (to > from && is_useless(to, at(to))) --to;
      resize(from, to);
    }
  };

  // The cost of a segmentation that is found fast: each row keeps only the positions near its least cost.
  CutCost search_beam() {
    const std::size_t end = problem_.stream.size();
    const CutCost edit = problem_.costs.edit;
    PartialRow row;
    for (std::size_t s = 0; s < problem_.n_segments(); ++s) {
      pass_segment(row, s, std::min(row.last() + problem_.most_tokens(s, s + 1) + kBeam, end));
      const CutCost limit = row.least() + static_cast<CutCost>(kBeam) * edit;
      row.trim([&](std::size_t, CutCost cost) { return cost > limit; });
    }
    CutCost found = kImpossible;
    for (std::size_t i = row.first; i <= row.last(); ++i)
      found = std::min(found, row.at(i) + static_cast<CutCost>(end - i) * edit);
    return found;
  }

  // The last position at the end of a segment that a path from this row may reach below the bound. A path
  // beyond `near` contains an insertion for each further token.
  std::size_t last_useful(const PartialRow& row, std::size_t segment, const RemainingCosts& remaining,
                          CutCost bound) const {
    const CutCost least = row.least();
    const std::size_t end = problem_.stream.size();
    const std::size_t near = std::min(row.last() + problem_.most_tokens(segment, segment + 1), end);
    const auto cost = [&](std::size_t i) {
      return least + static_cast<CutCost>(i - near) * problem_.costs.edit + remaining.from(i, segment + 1);
    };
    std::size_t last = near;
    while (last < end && cost(last + 1) <= bound) ++last;
    return last;
  }

  // Extends a row to the end of a segment, up to this position, and pays for the cut there.
  void pass_segment(PartialRow& row, std::size_t segment, std::size_t last) {
    row.resize(row.first, last);
    pass_segment(row.costs, row.first, segment);
    if (segment + 1 < problem_.n_segments()) pay_for_cut(row.costs, row.first, segment);
  }
  // Extends a row from the beginning of a segment to its end, by the best of its references.
  void pass_segment(CutRow& row, std::size_t first, std::size_t segment) {
    const auto& references = problem_.references;
    const std::size_t begin = references.begin(segment), end = references.end(segment);
    insert_words(row);
    if (end - begin == 1) return add(row, first, begin);
    const CutRow start = row;
    add(row, first, begin);
    for (std::size_t r = begin + 1; r < end; ++r) {
      CutRow other = start;
      add(other, first, r);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::min(row[i], other[i]);
    }
  }
  // Lets paths begin a segment with insertions; add_tokens() only puts insertions behind tokens.
  void insert_words(CutRow& row) const {
    for (std::size_t i = 1; i < row.size(); ++i) row[i] = std::min(row[i], row[i - 1] + problem_.costs.edit);
  }
  void add(CutRow& row, std::size_t first, std::size_t reference) {
    add_tokens(row, stream_, first, problem_.costs, problem_.references.column[reference], interrupts_);
  }
  void pay_for_cut(CutRow& row, std::size_t first, std::size_t segment) const {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = std::min(row[i] + problem_.cut(segment, first + i), kImpossible);  // no overflow
  }

  // Finds the cuts of a block of segments whose end is known and has been reached at this cost; returns the
  // cost at which its beginning was reached.
  CutCost trace_block(std::size_t block, CutCost reached) {
    const std::size_t begin = block * every_, end = std::min(begin + every_, problem_.n_segments());
    const std::size_t last = positions_[end];
    std::size_t width = takes_shortcuts_ ? 2 * problem_.most_tokens(begin, end) + 64 : last;
    for (;; width *= 2) {
      const std::size_t first = last - std::min(width, last);
      const auto rows = repeat_rows(block, begin, end, first, last);
      if (rows.back()[last - first] != reached) {  // the best path begins before the window
        if (first == 0) throw std::logic_error("the way back does not reach the least cost");
        continue;
      }
      for (std::size_t s = end; s-- > begin;) reached = trace_segment(rows[s - begin], first, s, reached);
      return reached;
    }
  }
  // The rows at the beginning of each segment of a block and at the end of its last one, from `first` on.
  std::vector<CutRow> repeat_rows(std::size_t block, std::size_t begin, std::size_t end, std::size_t first,
                                  std::size_t last) {
    CutRow row(last - first + 1);
    for (std::size_t i = first; i <= last; ++i) row[i - first] = kept_[block].at(i);
    std::vector<CutRow> rows{row};
    for (std::size_t s = begin; s < end; ++s) {
      pass_segment(row, first, s);
      if (s + 1 < end) pay_for_cut(row, first, s);
      rows.push_back(row);
    }
    return rows;
  }

  // Finds where the path begins its segment that ends at the known position with this cost; returns the cost
  // there, without that of the cut.
  CutCost trace_segment(const CutRow& start, std::size_t first, std::size_t segment, CutCost reached) {
    const std::size_t last = positions_[segment + 1];
    std::size_t width = takes_shortcuts_ ? 2 * problem_.most_tokens(segment, segment + 1) + 16 : last;
    for (;; width *= 2) {
      const std::size_t from = std::max(first, last - std::min(width, last));
      for (std::size_t r = problem_.references.begin(segment); r < problem_.references.end(segment); ++r) {
        const auto [cost, origin] = trace_reference(start, first, from, last, problem_.references.column[r]);
        if (cost != reached) continue;
        positions_[segment] = origin;
        const CutCost at_start = start[origin - first];
        return segment == 0 ? at_start : at_start - problem_.cut(segment - 1, origin);
      }
      if (from == first) throw std::logic_error("the way back does not reach the least cost");
    }
  }
  // The least cost at position `last` of a path that begins in [from, last], and where that path begins.
  std::pair<CutCost, std::size_t> trace_reference(const CutRow& start, std::size_t first, std::size_t from,
                                                  std::size_t last, std::span<const std::int32_t> tokens) {
    const std::size_t n = last - from + 1;
    costs_.resize(n);
    origins_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      costs_[i] = start[from + i - first];
      origins_[i] = from + i;
    }
    for (std::size_t i = 1; i < n; ++i) take_if_less(i, costs_[i - 1] + problem_.costs.edit, origins_[i - 1]);
    for (const std::int32_t token : tokens) trace_token(from, n, token);
    interrupts_.tick(n * tokens.size());
    return {costs_[n - 1], origins_[n - 1]};
  }
  void trace_token(std::size_t from, std::size_t n, std::int32_t token) {
    CutCost diagonal = costs_[0];
    std::size_t diagonal_origin = origins_[0];
    costs_[0] += problem_.costs.edit;
    for (std::size_t i = 1; i < n; ++i) {
      const CutCost above = costs_[i];
      const std::size_t above_origin = origins_[i];
      costs_[i] = diagonal + problem_.costs.substitution(problem_.stream[from + i - 1], token);
      origins_[i] = diagonal_origin;
      take_if_less(i, above + problem_.costs.edit, above_origin);
      take_if_less(i, costs_[i - 1] + problem_.costs.edit, origins_[i - 1]);
      diagonal = above;
      diagonal_origin = above_origin;
    }
  }
  void take_if_less(std::size_t i, CutCost cost, std::size_t origin) {
    if (cost >= costs_[i]) return;
    costs_[i] = cost;
    origins_[i] = origin;
  }

  // Moves cuts where words without a counterpart cost something; returns the margins. Every move makes the
  // total less, so there is an end. Without such costs no cut can be moved at a profit.
  std::vector<CutCost> settle_cuts() {
    std::vector<CutCost> margins(problem_.n_segments(), kImpossible);
    std::vector<bool> is_due(problem_.n_segments() + 1, true);
    for (bool has_moved = true; has_moved;) {
      has_moved = false;
      for (std::size_t s = 1; s < problem_.n_segments(); ++s) {
        if (!is_due[s]) continue;
        is_due[s] = false;
        auto costs = place_costs(s);
        std::size_t at = positions_[s] - positions_[s - 1];
        const auto best = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
        if (costs[best] < costs[at]) {
          at = best;
          positions_[s] = positions_[s - 1] + at;
          is_due[s - 1] = is_due[s + 1] = has_moved = true;
        }
        const CutCost least = std::exchange(costs[at], kImpossible);
        const CutCost second = *std::ranges::min_element(costs);
        margins[s] = second >= kImpossible ? kImpossible : second - least;
      }
    }
    return margins;
  }
  // The costs of both segments beside a cut, for each of its places between the neighbouring cuts.
  std::vector<CutCost> place_costs(std::size_t segment) {
    const std::size_t first = positions_[segment - 1], last = positions_[segment + 1];
    auto costs = prefix_costs(segment - 1, first, last, false);
    const auto right = prefix_costs(segment, first, last, true);
    for (std::size_t i = 0; i < costs.size(); ++i)
      costs[i] = std::min(costs[i] + problem_.cut(segment - 1, first + i) + right[costs.size() - 1 - i],
                          kImpossible);
    return costs;
  }
  // The costs of a segment for the first 0, 1, 2... tokens of stream[first, last), or for the last ones.
  std::vector<CutCost> prefix_costs(std::size_t segment, std::size_t first, std::size_t last, bool reversed) {
    const auto window = problem_.stream.subspan(first, last - first);
    std::vector<CutCost> best(window.size() + 1, kImpossible);
    for (std::size_t r = problem_.references.begin(segment); r < problem_.references.end(segment); ++r) {
      const auto tokens = problem_.references.column[r];
      costs_.resize(best.size());
      for (std::size_t i = 0; i < best.size(); ++i) costs_[i] = static_cast<CutCost>(i) * problem_.costs.edit;
      for (std::size_t j = 0; j < tokens.size(); ++j)
        prefix_token(window, tokens[reversed ? tokens.size() - 1 - j : j], reversed);
      if (problem_.word > 0) add_unmatched(window, tokens, reversed);
      for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], costs_[i]);
    }
    return best;
  }
  void prefix_token(std::span<const std::int32_t> window, std::int32_t token, bool reversed) {
    const CutCost edit = problem_.costs.edit;
    CutCost diagonal = costs_[0];
    costs_[0] += edit;
    for (std::size_t i = 1; i <= window.size(); ++i) {
      const std::int32_t word = window[reversed ? window.size() - i : i - 1];
      const CutCost above = costs_[i];
      costs_[i] =
          std::min({diagonal + problem_.costs.substitution(word, token), above + edit, costs_[i - 1] + edit});
      diagonal = above;
    }
    interrupts_.tick(window.size());
  }

  // Adds the costs of words without a counterpart, in any order.
  void add_unmatched(std::span<const std::int32_t> window, std::span<const std::int32_t> tokens,
                     bool reversed) {
    free_.clear();
    for (const std::int32_t token : tokens) ++free_[token];
    std::size_t matched = 0;
    costs_[0] += static_cast<CutCost>(tokens.size()) * problem_.word;
    for (std::size_t i = 1; i <= window.size(); ++i) {
      const auto found = free_.find(window[reversed ? window.size() - i : i - 1]);
      if (found != free_.end() && found->second > 0) {
        --found->second;
        ++matched;
      }
      costs_[i] += static_cast<CutCost>(std::max(i, tokens.size()) - matched) * problem_.word;
    }
  }

  static constexpr std::size_t kBeam =
      256;  // edits above the least cost of a row, wide enough for most texts

  const CutProblem& problem_;
  PaddedStream stream_;
  bool takes_shortcuts_;
  std::size_t every_;
  std::vector<PartialRow> kept_;  // the rows at the beginnings of segments 0, every_, 2 * every_...
  std::vector<std::size_t> positions_;
  std::vector<CutCost> costs_;
  std::vector<std::size_t> origins_;
  std::unordered_map<std::int32_t, std::size_t> free_;  // tokens of a reference that are not matched yet
  InterruptCheck interrupts_;
};

// Substitution costs by spelling: the edit distance of two words over the longer length, in `steps` steps;
// words that differ by more than half are different words. O(|rows| x |columns|) distances.
template <typename Distance>
void fill_spelling_costs(const Column& rows, const Column& columns, std::uint8_t steps,
                         std::span<std::uint8_t> costs) {
  Distance distance;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    check_interrupts();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t longer = std::max(rows[r].size(), columns[c].size());
      const std::size_t shorter = std::min(rows[r].size(), columns[c].size());
      auto& cost = costs[r * columns.size() + c];
      cost = steps;
      if (2 * shorter < longer) continue;
      const std::size_t edits = longer == 0 ? 0 : distance.distance(rows[r], columns[c]);
      if (2 * edits <= longer)
        cost = longer == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(edits * steps / longer);
    }
  }
}

}  // namespace tertium
