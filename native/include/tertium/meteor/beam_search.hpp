// METEOR's beam search (Denkowski & Lavie 2011, 2014): it selects a subset of all possible matches in which
// every word is covered at most once. O(|r| x beam x k) if k matches begin at a reference word, plus the time
// to sort that many paths.
//
// The search does what METEOR 1.5 was observed to do, which is not quite what its papers say. A match
// whose words no other match covers is always taken. The others compete by the words they cover, where
// an inexact match counts half of each side's words, rounded down, so that one word for one counts
// nothing; then by fewest chunks; then by the distance of the matches passed over for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/shortcuts.hpp"
#include "tertium/meteor/matches.hpp"
#include "tertium/meteor/path_ranks.hpp"

namespace tertium {

// The words of the hypothesis that several matches cover. The search must remember which of them a path has
// used; words that only one match covers need not be remembered. So few words are contested that a set of
// them nearly always fits into one number, however long the texts are. O(words covered by all matches). Keeps
// its tables between calls.
class ContestedWords {
 public:
  void read(std::span<const Match> matches, std::size_t hypothesis_length, std::size_t reference_length) {
    count_cover(matches, hypothesis_length, reference_length);
    number_contested();
    has_rivals_.assign(matches.size(), 0);
    needs_.assign(matches.size() * set_words_, 0);
    for (std::size_t m = 0; m < matches.size(); ++m) {
      interrupt_check_.tick(set_words_);
      mark(matches[m], m);
    }
  }

  // Whether another match covers one of the match's words, in either text.
  bool has_rivals(std::size_t match) const { return has_rivals_[match] != 0; }
  // How many 64-bit numbers a set of contested words takes.
  std::size_t set_words() const { return set_words_; }
  // The contested words that the matches cover: match m has the numbers [m * set_words, (m + 1) * set_words).
  std::span<const std::uint64_t> needs() const { return needs_; }

 private:
  static constexpr std::int32_t kUncontested = -1;

  void count_cover(std::span<const Match> matches, std::size_t hypothesis_length,
                   std::size_t reference_length) {
    hypothesis_.assign(hypothesis_length, 0);
    reference_.assign(reference_length, 0);
    for (const Match& match : matches) {
      for (std::int32_t i = 0; i < match.hypothesis_length; ++i) ++hypothesis_[place(match.hypothesis + i)];
      for (std::int32_t i = 0; i < match.reference_length; ++i) ++reference_[place(match.reference + i)];
    }
  }

  // From the number of matches that cover a word of the hypothesis to its number among the contested ones.
  void number_contested() {
    std::int32_t next = 0;
    for (std::int32_t& word : hypothesis_) word = word > 1 ? next++ : kUncontested;
    set_words_ = place(next) / 64 + 1;
  }

  void mark(const Match& match, std::size_t m) {
    for (std::int32_t i = 0; i < match.hypothesis_length; ++i) {
      const std::int32_t number = hypothesis_[place(match.hypothesis + i)];
      if (number == kUncontested) continue;
      has_rivals_[m] = 1;
      needs_[m * set_words_ + place(number) / 64] |= std::uint64_t{1} << (number % 64);
    }
    for (std::int32_t i = 0; i < match.reference_length; ++i)
      if (reference_[place(match.reference + i)] > 1) has_rivals_[m] = 1;
  }

  static std::size_t place(std::int32_t number) { return static_cast<std::size_t>(number); }

  InterruptCheck interrupt_check_;
  std::size_t set_words_ = 0;
  std::vector<std::int32_t> hypothesis_, reference_;  // of each word, how many matches cover it
  std::vector<std::uint8_t> has_rivals_;
  std::vector<std::uint64_t> needs_;
};

// The search with ranks of one kind. Keeps its tables between calls.
template <typename Scale>
class BeamSearch {
 public:
  explicit BeamSearch(std::size_t beam) : beam_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(const Scale& scale, std::span<const Match> matches, const ContestedWords& contested,
                      std::size_t reference_length, std::vector<Match>& chosen) {
    begin(scale, contested);
    std::size_t first = 0;
    for (std::size_t r = 0; r < reference_length; ++r) {
      std::size_t last = first;
      while (last < matches.size() && count(matches[last].reference) == r) ++last;
      if (first == last)
        leave_out(static_cast<std::int32_t>(r));
      else if (last == first + 1 && !contested.has_rivals(first))
        take_for_all(matches, first);
      else
        branch(matches, first, last);
      first = last;
    }
    leave_out(static_cast<std::int32_t>(reference_length));
    collect(matches, paths_.front(), chosen);
    return scale_.chunks(paths_.front().rank) + closed_;
  }

 private:
  static constexpr std::int32_t kNone = -1;
  using Rank = typename Scale::Rank;

  struct Path {
    Rank rank = {};               // of matches that have rivals
    std::int32_t next = kNone;    // the hypothesis word that would continue the open chunk
    std::int32_t free_from = 0;   // the first reference word not covered yet
    std::int32_t choice = kNone;  // the last one, an index into choices_
  };
  struct Choice {
    std::int32_t match, before;
  };
  // The effect of a match on a path's rank: the gain if it is taken, and the cost of passing it over.
  struct Option {
    Rank gain, distance;
    std::int32_t match, hypothesis;
    const std::uint64_t* needs;  // its contested words
  };
  // A continuation of a path: with a match, or with none.
  struct Branch {
    std::uint32_t parent;
    std::int32_t match;
  };
  // The place where the next continuation is written, and the maximum over the paths' best ranks.
  struct Ways {
    Rank* rank;
    Branch* branch;
    Rank highest = {};
  };

  void begin(const Scale& scale, const ContestedWords& contested) {
    scale_ = scale;
    needs_ = contested.needs();
    set_words_ = contested.set_words();
    choices_.clear();
    fixed_.clear();
    takes_shortcuts_ = takes_shortcuts();
    paths_.assign(1, Path{scale_.start()});
    used_.assign(set_words(), 0);
    together_ = true;
    next_ = kNone;
    free_from_ = closed_ = 0;
  }

  // How many 64-bit numbers a set of contested words takes.
  std::size_t set_words() const { return Scale::kOneWord ? 1 : set_words_; }

  // As long as all paths are in the same state, a change that applies to all of them is recorded once: their
  // order stays the same.
  void leave_out(std::int32_t r) {
    if (!takes_shortcuts_) part();
    if (together_) return leave_out_together(r);
    together_ = true;
    for (Path& path : paths_) {
      if (path.free_from > r) {
        together_ = false;
        continue;
      }
      if (path.next != kNone) path.rank = scale_.close_chunk(path.rank);
      path.next = kNone;
    }
    next_ = kNone;
    free_from_ = r;
    put_in_order();
  }

  void leave_out_together(std::int32_t r) {
    if (free_from_ > r || next_ == kNone) return;
    ++closed_;
    next_ = kNone;
  }

  // Takes a match whose words no path has covered.
  void take_for_all(std::span<const Match> matches, std::size_t m) {
    fixed_.push_back(static_cast<std::int32_t>(m));
    if (!takes_shortcuts_) part();
    if (together_) {
      closed_ += breaks(next_, matches[m]);
    } else {
      for (Path& path : paths_)
        if (breaks(path.next, matches[m])) path.rank = scale_.close_chunk(path.rank);
      put_in_order();
    }
    together_ = true;
    next_ = matches[m].hypothesis + matches[m].hypothesis_length;
    free_from_ = matches[m].reference + matches[m].reference_length;
  }

  // Gives each path its own state again.
  void part() {
    if (!together_) return;
    together_ = false;
    for (Path& path : paths_) {
      path.next = next_;
      path.free_from = free_from_;
    }
  }

  static bool breaks(std::int32_t next, const Match& match) {
    return next != kNone && next != match.hypothesis;
  }

  // Sorts the paths, better ones first; equal paths keep their order, which decides later ties. Usually they
  // are sorted already.
  void put_in_order() {
    const auto precedes = [](const Path& a, const Path& b) { return a.rank < b.rank; };
    if (std::is_sorted(paths_.begin(), paths_.end(), precedes)) return;
    ranks_.clear();
    for (const Path& path : paths_) ranks_.push_back(path.rank);
    const auto [lowest, highest] = std::minmax_element(ranks_.begin(), ranks_.end());
    const auto order = best_ranks_.find(ranks_, paths_.size(), *lowest, *highest);
    old_used_.swap(used_);
    old_paths_.swap(paths_);
    used_.resize(old_used_.size());
    paths_.resize(old_paths_.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
      paths_[at] = old_paths_[count(order[at])];
      for (std::size_t w = 0; w < set_words(); ++w)
        used_[at * set_words() + w] = old_used_[count(order[at]) * set_words() + w];
    }
  }

  // Continues every path with each free match and without any. A path pays the distance of the matches that
  // were tried before its own, so leaving all of them out costs most.
  void branch(std::span<const Match> matches, std::size_t first, std::size_t last) {
    interrupt_check_.tick(paths_.size() * (last - first) * set_words());
    part();
    read_options(matches, first, last);
    const Rank highest = write_branches(matches[first].reference);
    keep_best(matches, matches[first].reference,
              best_ranks_.find(ranks_, beam_, paths_.front().rank + best_gain_, highest));
  }

  void read_options(std::span<const Match> matches, std::size_t first, std::size_t last) {
    options_.clear();
    std::int32_t most = 0;
    for (std::size_t m = first; m < last; ++m) {
      most = std::max(most, coverage(matches[m]));
      const auto distance =
          static_cast<std::uint64_t>(std::abs(matches[m].reference - matches[m].hypothesis));
      options_.push_back({scale_.cover(Rank{}, coverage(matches[m])), scale_.pass_over(Rank{}, distance),
                          static_cast<std::int32_t>(m), matches[m].hypothesis, &needs_[m * set_words()]});
    }
    best_gain_ = scale_.cover(Rank{}, most);
  }

  // Writes all continuations of all paths. Returns a rank above which none is among the best: each path of a
  // full beam has a continuation at or below it.
  Rank write_branches(std::int32_t r) {
    ranks_.resize(paths_.size() * (options_.size() + 1));
    branches_.resize(ranks_.size());
    Ways ways{ranks_.data(), branches_.data()};
    for (std::size_t p = 0; p < paths_.size(); ++p) extend(p, r, ways);
    ranks_.resize(static_cast<std::size_t>(ways.rank - ranks_.data()));
    const bool is_bounded = takes_shortcuts_ && paths_.size() >= beam_;
    return is_bounded ? ways.highest : *std::max_element(ranks_.begin(), ranks_.end());
  }

  // Writes the continuations of a path. Which matches are free is unpredictable, so each is written, and
  // counted only if it is free.
  void extend(std::size_t p, std::int32_t r, Ways& ways) const {
    const Path& path = paths_[p];
    const std::uint64_t* const used = &used_[p * set_words()];
    const auto parent = static_cast<std::uint32_t>(p);
    Rank rank = path.rank, best = Scale::worst();
    Ways at = ways;
    if (path.free_from <= r) {
      const std::int32_t next = path.next;
      const Rank closed = next == kNone ? Rank{} : scale_.close_chunk(Rank{});
      for (const Option& option : options_) {
        const bool is_open = is_free(used, option.needs);
        const Rank taken = rank + option.gain + (next == option.hypothesis ? Rank{} : closed);
        *at.rank = taken;
        *at.branch = {parent, option.match};
        best = (is_open & (taken < best)) ? taken : best;
        at.rank += is_open;
        at.branch += is_open;
        rank = rank + (is_open ? option.distance : Rank{});
      }
      rank = rank + closed;
    }
    *at.rank = rank;
    *at.branch = {parent, kNone};
    ways = {at.rank + 1, at.branch + 1, std::max(ways.highest, std::min(best, rank))};
  }

  bool is_free(const std::uint64_t* used, const std::uint64_t* needs) const {
    std::uint64_t shared = 0;
    for (std::size_t w = 0; w < set_words(); ++w) shared |= used[w] & needs[w];
    return shared == 0;
  }

  void keep_best(std::span<const Match> matches, std::int32_t r, std::span<const std::int32_t> best) {
    old_used_.swap(used_);
    old_paths_.swap(paths_);
    used_.resize(best.size() * set_words());
    paths_.resize(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) survive(count(best[i]), i, matches, r);
  }

  void survive(std::size_t number, std::size_t at, std::span<const Match> matches, std::int32_t r) {
    const Branch& branch = branches_[number];
    Path& path = paths_[at];
    path = old_paths_[branch.parent];
    path.rank = ranks_[number];
    if (branch.match != kNone) {
      const Match& match = matches[count(branch.match)];
      path.next = match.hypothesis + match.hypothesis_length;
      path.free_from = match.reference + match.reference_length;
      choices_.push_back({branch.match, path.choice});
      path.choice = static_cast<std::int32_t>(choices_.size() - 1);
    } else if (path.free_from <= r) {
      path.next = kNone;
    }
    for (std::size_t w = 0; w < set_words(); ++w) {
      const std::uint64_t more = branch.match == kNone ? 0 : needs_[count(branch.match) * set_words() + w];
      used_[at * set_words() + w] = old_used_[branch.parent * set_words() + w] | more;
    }
  }

  // Collects the path's own choices and those common to all paths, in the order of the reference.
  void collect(std::span<const Match> matches, const Path& path, std::vector<Match>& chosen) {
    for (std::int32_t at = path.choice; at != kNone; at = choices_[count(at)].before)
      fixed_.push_back(choices_[count(at)].match);
    std::sort(fixed_.begin(), fixed_.end());
    chosen.clear();
    for (const std::int32_t m : fixed_) chosen.push_back(matches[count(m)]);
  }

  static std::size_t count(std::int32_t number) { return static_cast<std::size_t>(number); }

  InterruptCheck interrupt_check_;
  Scale scale_;
  std::size_t beam_;
  std::size_t set_words_ = 0;
  std::span<const std::uint64_t> needs_;  // of the matches: see ContestedWords
  bool takes_shortcuts_ = true;
  bool together_ = true;  // all paths have this next_ and free_from_; their own values are out of date
  std::int32_t next_ = kNone, free_from_ = 0;
  std::int32_t closed_ = 0;  // chunks that all paths have closed, which their ranks do not count
  std::vector<Choice> choices_;
  std::vector<std::int32_t> fixed_;
  std::vector<Path> paths_, old_paths_;
  std::vector<Rank> ranks_;  // of paths, or of continuations
  std::vector<Option> options_;
  Rank best_gain_ = {};
  std::vector<Branch> branches_;  // the continuations
  BestRanks<Scale> best_ranks_;
  std::vector<std::uint64_t> used_, old_used_;  // the set of path p begins at p * set_words()
};

// Chooses among the matches of one pair of texts, with the narrowest ranks that fit them.
class AlignmentSearch {
 public:
  explicit AlignmentSearch(std::size_t beam) : packed_(beam), wide_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(std::span<const Match> matches, std::size_t hypothesis_length,
                      std::size_t reference_length, std::vector<Match>& chosen) {
    const auto limits = RankLimits::of(matches, hypothesis_length, reference_length);
    contested_.read(matches, hypothesis_length, reference_length);
    if (limits.fit_one_number() && contested_.set_words() == 1 && takes_shortcuts())
      return packed_.choose(PackedScale(limits), matches, contested_, reference_length, chosen);
    return wide_.choose(WideScale(), matches, contested_, reference_length, chosen);
  }

 private:
  ContestedWords contested_;
  BeamSearch<PackedScale> packed_;
  BeamSearch<WideScale> wide_;
};

}  // namespace tertium
