// METEOR's beam search (Denkowski & Lavie 2011, 2014): of all possible matches it picks a subset in which
// every word is covered at most once. O(|r| x beam x k) where k matches begin at a reference word.
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
#include "tertium/meteor/matches.hpp"
#include "tertium/meteor/path_rank.hpp"

namespace tertium {

// The search with ranks of one kind. Keeps its tables between calls.
template <typename Scale>
class BeamSearch {
 public:
  explicit BeamSearch(std::size_t beam) : beam_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(const Scale& scale, std::span<const Match> matches, std::size_t hypothesis_length,
                      std::size_t reference_length, std::vector<Match>& chosen) {
    scale_ = scale;
    begin(matches, hypothesis_length, reference_length);
    std::size_t first = 0;
    for (std::size_t r = 0; r < reference_length; ++r) {
      std::size_t last = first;
      while (last < matches.size() && count(matches[last].reference) == r) ++last;
      if (first == last)
        leave_out(static_cast<std::int32_t>(r));
      else if (last == first + 1 && !has_rivals(matches[first]))
        take_for_all(matches, first);
      else
        branch(matches, first, last);
      first = last;
    }
    for (Path& path : paths_) close(path);
    const Path& best = *std::min_element(paths_.begin(), paths_.end(), precedes);
    collect(matches, best, chosen);
    return scale_.chunks(best.rank);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  using Rank = typename Scale::Rank;

  struct Path {
    Rank rank = {};               // of matches that have rivals; its order is zero
    std::int32_t next = kNone;    // the hypothesis word that would continue the open chunk
    std::int32_t free_from = 0;   // the first reference word not covered yet
    std::int32_t choice = kNone;  // the last one, an index into choices_
  };
  struct Choice {
    std::int32_t match, before;
  };
  struct Place {
    Rank rank;
    std::size_t path;
  };
  // A way to go on from a path: with a match, or with none.
  struct Branch {
    std::uint32_t parent;
    std::int32_t match;
  };

  static bool precedes(const Path& a, const Path& b) { return a.rank < b.rank; }

  void begin(std::span<const Match> matches, std::size_t hypothesis_length, std::size_t reference_length) {
    count_rivals(matches, hypothesis_length, reference_length);
    words_ = (hypothesis_length + 63) / 64;
    mark_words(matches);
    choices_.clear();
    fixed_.clear();
    paths_.assign(1, Path{scale_.start()});
    used_.assign(words_, 0);
  }

  // How many matches cover each word of either text.
  void count_rivals(std::span<const Match> matches, std::size_t hypothesis_length,
                    std::size_t reference_length) {
    hypothesis_cover_.assign(hypothesis_length, 0);
    reference_cover_.assign(reference_length, 0);
    for (const Match& match : matches) {
      for (std::size_t i = 0; i < count(match.hypothesis_length); ++i)
        ++hypothesis_cover_[count(match.hypothesis) + i];
      for (std::size_t i = 0; i < count(match.reference_length); ++i)
        ++reference_cover_[count(match.reference) + i];
    }
  }

  bool has_rivals(const Match& match) const {
    for (std::size_t i = 0; i < count(match.hypothesis_length); ++i)
      if (hypothesis_cover_[count(match.hypothesis) + i] > 1) return true;
    for (std::size_t i = 0; i < count(match.reference_length); ++i)
      if (reference_cover_[count(match.reference) + i] > 1) return true;
    return false;
  }

  void mark_words(std::span<const Match> matches) {
    needed_.assign(matches.size() * words_, 0);
    for (std::size_t m = 0; m < matches.size(); ++m) {
      pace_.spend(1);
      for (std::size_t i = 0; i < count(matches[m].hypothesis_length); ++i) {
        const std::size_t word = count(matches[m].hypothesis) + i;
        needed_[m * words_ + word / 64] |= std::uint64_t{1} << (word % 64);
      }
    }
  }

  void leave_out(std::int32_t r) {
    for (Path& path : paths_)
      if (path.free_from <= r) close(path);
    rank();
  }

  void take_for_all(std::span<const Match> matches, std::size_t m) {
    fixed_.push_back(static_cast<std::int32_t>(m));
    for (Path& path : paths_) extend(path, matches[m]);
    rank();
  }

  void close(Path& path) const {
    if (path.next == kNone) return;
    path.rank = scale_.close_chunk(path.rank);
    path.next = kNone;
  }

  void extend(Path& path, const Match& match) const {
    if (breaks(path, match)) path.rank = scale_.close_chunk(path.rank);
    path.next = match.hypothesis + match.hypothesis_length;
    path.free_from = match.reference + match.reference_length;
  }

  static bool breaks(const Path& path, const Match& match) {
    return path.next != kNone && path.next != match.hypothesis;
  }

  // Brings the better paths to the front; equals keep their order, which settles later ties. Most often
  // they are in order already; else they are nearly so, and are inserted one by one before they move.
  void rank() {
    if (std::is_sorted(paths_.begin(), paths_.end(), precedes)) return;
    places_.clear();
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const Place place{paths_[p].rank, p};
      std::size_t at = places_.size();
      places_.push_back(place);
      for (; at > 0 && place.rank < places_[at - 1].rank; --at) places_[at] = places_[at - 1];
      places_[at] = place;
    }
    old_used_.swap(used_);
    old_paths_.swap(paths_);
    used_.resize(old_used_.size());
    paths_.resize(old_paths_.size());
    for (std::size_t at = 0; at < places_.size(); ++at) {
      paths_[at] = old_paths_[places_[at].path];
      for (std::size_t w = 0; w < words_; ++w)
        used_[at * words_ + w] = old_used_[places_[at].path * words_ + w];
    }
  }

  bool is_free(std::size_t path, std::size_t match) const {
    for (std::size_t w = 0; w < words_; ++w)
      if ((used_[path * words_ + w] & needed_[match * words_ + w]) != 0) return false;
    return true;
  }

  // Every path goes on with each free match and without any. A path pays the distance of the matches
  // that were tried before its own, so to leave all of them out costs most. Paths come best first: when
  // not even the largest gain would bring one into the beam, nor will those behind it.
  void branch(std::span<const Match> matches, std::size_t first, std::size_t last) {
    branches_.clear();
    ranks_.clear();
    bound_ = Scale::worst();
    pace_.spend(paths_.size() * (last - first) * words_);
    const std::int32_t gain = largest_gain(matches.subspan(first, last - first));
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const Path& path = paths_[p];
      if (!(scale_.cover(path.rank, gain) < bound_)) break;
      if (path.free_from > matches[first].reference) {
        add_branch(p, kNone, path.rank);
        continue;
      }
      Rank rank = path.rank;
      for (std::size_t m = first; m < last; ++m) {
        if (!is_free(p, m)) continue;
        add_branch(p, static_cast<std::int32_t>(m), with_match(rank, path, matches[m]));
        const auto distance =
            static_cast<std::uint64_t>(std::abs(matches[m].reference - matches[m].hypothesis));
        rank = scale_.pass_over(rank, distance);
      }
      if (path.next != kNone) rank = scale_.close_chunk(rank);
      add_branch(p, kNone, rank);
    }
    keep_best(matches, matches[first].reference);
  }

  static std::int32_t largest_gain(std::span<const Match> matches) {
    std::int32_t most = 0;
    for (const Match& match : matches) most = std::max(most, coverage(match));
    return most;
  }

  static std::int32_t coverage(const Match& match) {
    if (match.kind == MatchKind::exact) return 2;
    return match.hypothesis_length / 2 + match.reference_length / 2;
  }

  Rank with_match(Rank rank, const Path& path, const Match& match) const {
    return scale_.cover(breaks(path, match) ? scale_.close_chunk(rank) : rank, coverage(match));
  }

  // Keeps the best in order. Most are not much better than those before them and find their place at once.
  void add_branch(std::size_t parent, std::int32_t match, Rank rank) {
    rank = scale_.in_order(rank, branches_.size());
    if (!(rank < bound_)) return;
    branches_.push_back({static_cast<std::uint32_t>(parent), match});
    std::size_t at = ranks_.size();
    if (at == beam_)
      --at;
    else
      ranks_.emplace_back();
    for (; at > 0 && rank < ranks_[at - 1]; --at) ranks_[at] = ranks_[at - 1];
    ranks_[at] = rank;
    if (ranks_.size() == beam_) bound_ = ranks_.back();
  }

  void keep_best(std::span<const Match> matches, std::int32_t r) {
    old_used_.swap(used_);
    old_paths_.swap(paths_);
    used_.resize(ranks_.size() * words_);
    paths_.resize(ranks_.size());
    for (std::size_t i = 0; i < ranks_.size(); ++i) survive(ranks_[i], i, matches, r);
  }

  void survive(Rank rank, std::size_t at, std::span<const Match> matches, std::int32_t r) {
    const std::size_t order = scale_.order(rank);
    const Branch& branch = branches_[order];
    Path& path = paths_[at];
    path = old_paths_[branch.parent];
    if (branch.match != kNone) {
      extend(path, matches[count(branch.match)]);
      choices_.push_back({branch.match, path.choice});
      path.choice = static_cast<std::int32_t>(choices_.size() - 1);
    } else if (path.free_from <= r) {
      path.next = kNone;
    }
    path.rank = scale_.in_order(rank, std::size_t{0} - order);
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t more = branch.match == kNone ? 0 : needed_[count(branch.match) * words_ + w];
      used_[at * words_ + w] = old_used_[branch.parent * words_ + w] | more;
    }
  }

  // The path's own choices and those that every path has, by their place in the reference.
  void collect(std::span<const Match> matches, const Path& path, std::vector<Match>& chosen) {
    for (std::int32_t at = path.choice; at != kNone; at = choices_[count(at)].before)
      fixed_.push_back(choices_[count(at)].match);
    std::sort(fixed_.begin(), fixed_.end());
    chosen.clear();
    for (const std::int32_t m : fixed_) chosen.push_back(matches[count(m)]);
  }

  static std::size_t count(std::int32_t number) { return static_cast<std::size_t>(number); }

  Pace pace_;
  Scale scale_;
  std::size_t beam_;
  std::size_t words_ = 0;  // of 64 bits, for a set of hypothesis words
  std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
  std::vector<std::uint64_t> needed_;  // match m covers the words [m * words_, (m + 1) * words_)
  std::vector<Choice> choices_;
  std::vector<std::int32_t> fixed_;
  std::vector<Path> paths_, old_paths_;
  std::vector<Place> places_;
  std::vector<Rank> ranks_;
  Rank bound_ = {};  // a branch that is not better than this will not survive
  std::vector<Branch> branches_;
  std::vector<std::uint64_t> used_, old_used_;  // path p has used the words [p * words_, (p + 1) * words_)
};

}  // namespace tertium
