// METEOR's beam search (Denkowski & Lavie 2011, 2014): of all possible matches it picks a subset in which
// every word is covered at most once. O(|r| x beam x k) where paths go on in k ways at a reference word.
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
#include "tertium/meteor/rivals.hpp"
#include "tertium/meteor/sorted_runs.hpp"

namespace tertium {

// The search with ranks of one kind. Keeps its tables between calls.
template <typename Scale>
class BeamSearch {
 public:
  explicit BeamSearch(std::size_t beam) : beam_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(const Scale& scale, std::span<const Match> matches, const Rivals& rivals,
                      std::size_t reference_length, std::vector<Match>& chosen) {
    begin(scale, rivals);
    std::size_t first = 0;
    for (std::size_t r = 0; r < reference_length; ++r) {
      std::size_t last = first;
      while (last < matches.size() && count(matches[last].reference) == r) ++last;
      if (first == last)
        leave_out(static_cast<std::int32_t>(r));
      else if (last == first + 1 && !rivals.has_rivals(first))
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
  // Paths that go on alike at a word: each match is free for all of them or for none, and breaks the open
  // chunk of all or of none. The beam is in order, so their ranks rise.
  struct Class {
    std::size_t example;  // one of them
    std::int32_t next;
    bool is_covered;  // the word is, by a match that was taken before
  };

  static bool precedes(const Path& a, const Path& b) { return a.rank < b.rank; }

  void begin(const Scale& scale, const Rivals& rivals) {
    scale_ = scale;
    needs_ = rivals.needs();
    set_words_ = rivals.set_words();
    choices_.clear();
    fixed_.clear();
    paths_.assign(1, Path{scale_.start()});
    used_.assign(set_words(), 0);
  }

  // How many 64-bit numbers a set of contested words takes.
  std::size_t set_words() const { return Scale::kOneWord ? 1 : set_words_; }

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
    if (breaks(path.next, match)) path.rank = scale_.close_chunk(path.rank);
    path.next = match.hypothesis + match.hypothesis_length;
    path.free_from = match.reference + match.reference_length;
  }

  static bool breaks(std::int32_t next, const Match& match) {
    return next != kNone && next != match.hypothesis;
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
      for (std::size_t w = 0; w < set_words(); ++w)
        used_[at * set_words() + w] = old_used_[places_[at].path * set_words() + w];
    }
  }
  struct Place {
    Rank rank;
    std::size_t path;
  };

  bool is_free(std::size_t path, std::size_t match) const {
    for (std::size_t w = 0; w < set_words(); ++w)
      if ((used_[path * set_words() + w] & needs_[match * set_words() + w]) != 0) return false;
    return true;
  }

  // Every path goes on with each free match and without any. A path pays the distance of the matches
  // that were tried before its own, so to leave all of them out costs most.
  void branch(std::span<const Match> matches, std::size_t first, std::size_t last) {
    pace_.spend(paths_.size() * (last - first) * set_words());
    sort_into_classes(matches, first, last);
    for (std::size_t c = 0; c < classes_.size(); ++c) add_ways(matches, first, last, c);
    runs_.merge(beam_);
    keep_best(matches, matches[first].reference);
  }

  void sort_into_classes(std::span<const Match> matches, std::size_t first, std::size_t last) {
    here_.assign(set_words(), 0);
    for (std::size_t m = first; m < last; ++m)
      for (std::size_t w = 0; w < set_words(); ++w) here_[w] |= needs_[m * set_words() + w];
    classes_.clear();
    runs_.clear(paths_.size());
    const std::size_t ways = last - first + 1;
    for (std::size_t p = 0; p < paths_.size(); ++p)
      runs_.add(class_of(p, matches[first].reference), p, scale_.in_order(paths_[p].rank, p * ways));
  }

  std::size_t class_of(std::size_t p, std::int32_t r) {
    const Path& path = paths_[p];
    const bool is_covered = path.free_from > r;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].is_covered == is_covered &&
          (is_covered || (classes_[c].next == path.next && agree(classes_[c].example, p))))
        return c;
    classes_.push_back({p, path.next, is_covered});
    return classes_.size() - 1;
  }

  bool agree(std::size_t p, std::size_t q) const {
    for (std::size_t w = 0; w < set_words(); ++w)
      if (((used_[p * set_words() + w] ^ used_[q * set_words() + w]) & here_[w]) != 0) return false;
    return true;
  }

  // The ways of a class and what each adds to the ranks of its paths.
  void add_ways(std::span<const Match> matches, std::size_t first, std::size_t last, std::size_t c) {
    const Class& paths = classes_[c];
    if (paths.is_covered) return runs_.add_way(c, kNone, Rank{});
    Rank change = {};
    std::size_t order = 0;
    for (std::size_t m = first; m < last; ++m) {
      if (!is_free(paths.example, m)) continue;
      const Rank taken = breaks(paths.next, matches[m]) ? scale_.close_chunk(change) : change;
      runs_.add_way(c, static_cast<std::int32_t>(m),
                    scale_.in_order(scale_.cover(taken, coverage(matches[m])), order++));
      const auto distance =
          static_cast<std::uint64_t>(std::abs(matches[m].reference - matches[m].hypothesis));
      change = scale_.pass_over(change, distance);
    }
    if (paths.next != kNone) change = scale_.close_chunk(change);
    runs_.add_way(c, kNone, scale_.in_order(change, order));
  }

  static std::int32_t coverage(const Match& match) {
    if (match.kind == MatchKind::exact) return 2;
    return match.hypothesis_length / 2 + match.reference_length / 2;
  }

  void keep_best(std::span<const Match> matches, std::int32_t r) {
    old_used_.swap(used_);
    old_paths_.swap(paths_);
    const auto best = runs_.merged();
    used_.resize(best.size() * set_words());
    paths_.resize(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) survive(best[i], i, matches, r);
  }

  void survive(const typename SortedRuns<Rank>::Item& item, std::size_t at, std::span<const Match> matches,
               std::int32_t r) {
    Path& path = paths_[at];
    path = old_paths_[item.member];
    if (item.way != kNone) {
      const Match& match = matches[count(item.way)];
      path.next = match.hypothesis + match.hypothesis_length;
      path.free_from = match.reference + match.reference_length;
      choices_.push_back({item.way, path.choice});
      path.choice = static_cast<std::int32_t>(choices_.size() - 1);
    } else if (path.free_from <= r) {
      path.next = kNone;
    }
    path.rank = scale_.without_order(item.key);
    for (std::size_t w = 0; w < set_words(); ++w) {
      const std::uint64_t more = item.way == kNone ? 0 : needs_[count(item.way) * set_words() + w];
      used_[at * set_words() + w] = old_used_[item.member * set_words() + w] | more;
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
  std::size_t set_words_ = 0;
  std::span<const std::uint64_t> needs_;  // of the matches: see Rivals
  std::vector<Choice> choices_;
  std::vector<std::int32_t> fixed_;
  std::vector<Path> paths_, old_paths_;
  std::vector<Place> places_;
  std::vector<Class> classes_;
  SortedRuns<Rank> runs_;            // the paths of each class
  std::vector<std::uint64_t> here_;  // the contested words of the matches at a word of the reference
  std::vector<std::uint64_t> used_, old_used_;  // of path p from p * set_words() on
};

}  // namespace tertium
