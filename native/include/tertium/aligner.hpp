// METEOR's alignment of two texts (Denkowski & Lavie 2011, 2014): matches of words and phrases, and
// the beam search that picks a subset in which every word is covered at most once.
//
// The search keeps what METEOR 1.5 was observed to do, which is not quite what its papers say:
// a match that covers only words no other match covers is always taken; the others compete by the
// words they cover, where those of an inexact match count half and each side of a match is rounded
// down, then by fewest chunks; and the position of a word plays no part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/ngrams.hpp"
#include "tertium/parallel.hpp"

namespace tertium {

// The ways in which two words or phrases can match, in the order in which METEOR tries them.
enum class MatchKind : std::int32_t { exact = 0, stem = 1, synonym = 2, paraphrase = 3 };

struct Match {
  std::int32_t reference;         // first word covered in the reference
  std::int32_t reference_length;  // words covered there
  std::int32_t hypothesis;
  std::int32_t hypothesis_length;
  MatchKind kind;
};

// What is known of each word of the vocabulary; a column may be empty, and then nothing matches so.
struct WordClasses {
  std::span<const std::int32_t> stems;  // words with equal entries share a stem
  Column synsets;                       // rising ids per word
};

// Pairs of phrases that mean the same, in either direction. A pair listed twice counts twice: METEOR
// sees two competing matches where its table repeats itself.
class PhrasePairs {
 public:
  PhrasePairs(const Column& first, const Column& second) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      add(first[i], second[i]);
      add(second[i], first[i]);
    }
    group();
  }

  bool empty() const { return targets_.empty(); }

  // Calls take(length, partner) for every phrase that begins at the start of `text`.
  template <typename Take>
  void find(std::span<const std::int32_t> text, const Take& take) const {
    std::int32_t node = kTop;
    for (std::size_t length = 1; length <= text.size(); ++length) {
      node = nodes_.find(key(node, text[length - 1]));
      if (node < 0) return;
      const auto at = static_cast<std::size_t>(node);
      for (std::size_t i = starts_[at]; i < starts_[at + 1]; ++i) take(length, targets_[i]);
    }
  }

 private:
  static constexpr std::int32_t kTop = INT32_MAX;  // the trie's root; other nodes are named from 0
  static std::uint64_t key(std::int32_t node, std::int32_t word) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(node)) << 32) |
           static_cast<std::uint32_t>(word);
  }

  void add(std::span<const std::int32_t> source, std::span<const std::int32_t> target) {
    std::int32_t node = kTop;
    for (const std::int32_t word : source) node = nodes_.name(key(node, word));
    sources_.push_back(node);
    targets_.push_back(target);
  }

  // Brings the targets of one node together, in the order in which they were added.
  void group() {
    starts_.assign(static_cast<std::size_t>(nodes_.size()) + 1, 0);
    for (const std::int32_t node : sources_) ++starts_[static_cast<std::size_t>(node) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    std::vector<std::span<const std::int32_t>> grouped(targets_.size());
    for (std::size_t i = 0; i < targets_.size(); ++i)
      grouped[next[static_cast<std::size_t>(sources_[i])]++] = targets_[i];
    targets_.swap(grouped);
  }

  DenseNames nodes_;
  std::vector<std::int32_t> sources_;
  std::vector<std::span<const std::int32_t>> targets_;
  std::vector<std::size_t> starts_;
};

// Which kinds of matches are sought.
struct MatchKinds {
  bool exact = true, stem = true, synonym = true, paraphrase = true;
};

// Finds every possible match of two texts. Keeps its tables between calls. O(|h| x |r|) integer
// comparisons, and a walk through the phrases that begin at each reference word.
class MatchFinder {
 public:
  MatchFinder(const WordClasses& classes, const PhrasePairs& phrases, MatchKinds kinds)
      : classes_(classes), phrases_(phrases), kinds_(kinds) {}

  // Matches by their first word in the reference, then by kind, then by their first word in the hypothesis.
  void find(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
            std::vector<Match>& matches) {
    matches.clear();
    for (std::size_t r = 0; r < reference.size(); ++r) {
      if (kinds_.exact) find_words(hypothesis, reference, r, MatchKind::exact, matches);
      if (kinds_.stem) find_words(hypothesis, reference, r, MatchKind::stem, matches);
      if (kinds_.synonym) find_words(hypothesis, reference, r, MatchKind::synonym, matches);
      if (kinds_.paraphrase) find_phrases(hypothesis, reference, r, matches);
    }
  }

 private:
  void find_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                  std::size_t r, MatchKind kind, std::vector<Match>& matches) const {
    for (std::size_t h = 0; h < hypothesis.size(); ++h)
      if (agree(hypothesis[h], reference[r], kind))
        matches.push_back({static_cast<std::int32_t>(r), 1, static_cast<std::int32_t>(h), 1, kind});
  }

  bool agree(std::int32_t a, std::int32_t b, MatchKind kind) const {
    switch (kind) {
      case MatchKind::exact:
        return a == b;
      case MatchKind::stem:
        return a != b &&
               classes_.stems[static_cast<std::size_t>(a)] == classes_.stems[static_cast<std::size_t>(b)];
      default:
        return a != b && share(classes_.synsets[static_cast<std::size_t>(a)],
                               classes_.synsets[static_cast<std::size_t>(b)]);
    }
  }

  static bool share(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i] == b[j]) return true;
      if (a[i] < b[j])
        ++i;
      else
        ++j;
    }
    return false;
  }

  void find_phrases(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                    std::size_t r, std::vector<Match>& matches) const {
    phrases_.find(reference.subspan(r), [&](std::size_t length, std::span<const std::int32_t> partner) {
      for (std::size_t h = 0; h + partner.size() <= hypothesis.size(); ++h)
        if (std::equal(partner.begin(), partner.end(), hypothesis.begin() + static_cast<std::ptrdiff_t>(h)))
          matches.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(length),
                             static_cast<std::int32_t>(h), static_cast<std::int32_t>(partner.size()),
                             MatchKind::paraphrase});
    });
  }

  WordClasses classes_;
  const PhrasePairs& phrases_;
  MatchKinds kinds_;
};

// Chooses among the matches of one pair of texts. Keeps its tables between calls.
// O(|r| x beam x k log(beam x k)) where k matches begin at a reference word.
class AlignmentSearch {
 public:
  explicit AlignmentSearch(std::size_t beam) : beam_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(std::span<const Match> matches, std::size_t hypothesis_length,
                      std::size_t reference_length, std::vector<Match>& chosen) {
    begin(matches, hypothesis_length, reference_length);
    for (std::size_t r = 0; r < reference_length; ++r) {
      const std::size_t first = begins_[r];
      const std::size_t last = begins_[r + 1];
      if (first == last)
        leave_out(static_cast<std::int32_t>(r));
      else if (last == first + 1 && !has_rivals(matches[first]))
        for (Path& path : paths_) take(path, matches, first);
      else
        branch(matches, first, last);
    }
    for (Path& path : paths_) close(path);
    const Path& best = *std::min_element(paths_.begin(), paths_.end(), precedes);
    collect(matches, best, chosen);
    return best.chunks;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  struct Path {
    std::int32_t covered = 0;     // words, as the search counts them
    std::int32_t chunks = 0;      // closed ones
    std::int64_t distance = 0;    // of matches that could have been taken instead
    std::int32_t next = kNone;    // the hypothesis word that would continue the open chunk
    std::int32_t free_from = 0;   // the first reference word not covered yet
    std::int32_t choice = kNone;  // the last one, an index into choices_
    std::size_t used = 0;         // where the bits of its hypothesis words begin in used_
  };
  struct Choice {
    std::size_t match;
    std::int32_t before;
  };
  // A way to go on from a path: with a match, or with none.
  struct Branch {
    Path path;
    std::size_t match;
  };
  static constexpr std::size_t kNoMatch = static_cast<std::size_t>(-1);

  static bool precedes(const Path& a, const Path& b) {
    if (a.covered != b.covered) return a.covered > b.covered;
    if (a.chunks != b.chunks) return a.chunks < b.chunks;
    return a.distance < b.distance;
  }

  void begin(std::span<const Match> matches, std::size_t hypothesis_length, std::size_t reference_length) {
    count_rivals(matches, hypothesis_length, reference_length);
    begins_.assign(reference_length + 1, 0);
    for (const Match& match : matches) ++begins_[static_cast<std::size_t>(match.reference) + 1];
    for (std::size_t r = 1; r < begins_.size(); ++r) begins_[r] += begins_[r - 1];
    words_ = (hypothesis_length + 63) / 64;
    choices_.clear();
    paths_.assign(1, Path{});
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

  void leave_out(std::int32_t r) {
    for (Path& path : paths_)
      if (path.free_from <= r) close(path);
  }

  static void close(Path& path) {
    path.chunks += path.next != kNone;
    path.next = kNone;
  }

  void take(Path& path, std::span<const Match> matches, std::size_t m) {
    extend(path, matches[m]);
    remember(path, matches, m);
  }

  static void extend(Path& path, const Match& match) {
    path.chunks += path.next != kNone && path.next != match.hypothesis;
    path.covered +=
        match.kind == MatchKind::exact ? 2 : match.hypothesis_length / 2 + match.reference_length / 2;
    path.next = match.hypothesis + match.hypothesis_length;
    path.free_from = match.reference + match.reference_length;
  }

  void remember(Path& path, std::span<const Match> matches, std::size_t m) {
    choices_.push_back({m, path.choice});
    path.choice = static_cast<std::int32_t>(choices_.size() - 1);
    for (std::size_t i = 0; i < count(matches[m].hypothesis_length); ++i) {
      const std::size_t word = count(matches[m].hypothesis) + i;
      used_[path.used + word / 64] |= std::uint64_t{1} << (word % 64);
    }
  }

  bool is_free(const Path& path, const Match& match) const {
    for (std::size_t i = 0; i < count(match.hypothesis_length); ++i) {
      const std::size_t word = count(match.hypothesis) + i;
      if ((used_[path.used + word / 64] >> (word % 64) & 1) != 0) return false;
    }
    return true;
  }

  // Every path goes on with each free match and without any. A path pays the distance of the matches
  // that were tried before its own, so to leave all of them out costs most.
  void branch(std::span<const Match> matches, std::size_t first, std::size_t last) {
    branches_.clear();
    for (const Path& path : paths_) {
      if (path.free_from > matches[first].reference) {
        branches_.push_back({path, kNoMatch});
        continue;
      }
      Path parent = path;
      for (std::size_t m = first; m < last; ++m) {
        if (!is_free(path, matches[m])) continue;
        branches_.push_back({parent, m});
        extend(branches_.back().path, matches[m]);
        parent.distance += std::abs(matches[m].reference - matches[m].hypothesis);
      }
      close(parent);
      branches_.push_back({parent, kNoMatch});
    }
    keep_best(matches);
  }

  void keep_best(std::span<const Match> matches) {
    order_.resize(branches_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    const std::size_t kept = std::min(beam_, order_.size());
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(order_.begin(), end, order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (precedes(branches_[a].path, branches_[b].path)) return true;
      return a < b && !precedes(branches_[b].path, branches_[a].path);
    });
    old_used_.swap(used_);
    used_.resize(kept * words_);
    paths_.clear();
    for (auto at = order_.begin(); at != end; ++at) survive(branches_[*at], matches);
  }

  void survive(const Branch& branch, std::span<const Match> matches) {
    paths_.push_back(branch.path);
    Path& path = paths_.back();
    path.used = (paths_.size() - 1) * words_;
    std::copy_n(old_used_.begin() + static_cast<std::ptrdiff_t>(branch.path.used), words_,
                used_.begin() + static_cast<std::ptrdiff_t>(path.used));
    if (branch.match != kNoMatch) remember(path, matches, branch.match);
  }

  void collect(std::span<const Match> matches, const Path& path, std::vector<Match>& chosen) const {
    chosen.clear();
    for (std::int32_t at = path.choice; at != kNone; at = choices_[count(at)].before)
      chosen.push_back(matches[choices_[count(at)].match]);
    std::reverse(chosen.begin(), chosen.end());
  }

  static std::size_t count(std::int32_t number) { return static_cast<std::size_t>(number); }

  std::size_t beam_;
  std::size_t words_ = 0;
  std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
  std::vector<std::size_t> begins_;  // matches that begin at reference word r: [begins_[r], begins_[r + 1])
  std::vector<Choice> choices_;
  std::vector<Path> paths_;
  std::vector<Branch> branches_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> used_, old_used_;
};

struct Alignments {
  std::vector<std::int32_t> matches;  // five numbers each: see Match
  std::vector<std::int64_t> offsets;  // per reference, in matches
  std::vector<std::int32_t> chunks;   // per reference
};

// Aligns every segment with each of its references.
inline Alignments align_texts(const Column& hypotheses, const GroupedColumn& references,
                              const WordClasses& classes, const PhrasePairs& phrases, MatchKinds kinds,
                              std::size_t beam, std::size_t threads) {
  const std::size_t pairs = references.column.size();
  std::vector<std::vector<Match>> chosen(pairs);
  Alignments found;
  found.chunks.assign(pairs, 0);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, finder = MatchFinder(classes, phrases, kinds), search = AlignmentSearch(beam),
            matches = std::vector<Match>()](std::size_t i) mutable {
      for (std::size_t r = references.begin(i); r < references.end(i); ++r) {
        finder.find(hypotheses[i], references.column[r], matches);
        found.chunks[r] =
            search.choose(matches, hypotheses[i].size(), references.column[r].size(), chosen[r]);
      }
    };
  });
  found.offsets.push_back(0);
  for (const auto& each : chosen) {
    for (const Match& match : each)
      found.matches.insert(found.matches.end(),
                           {match.reference, match.reference_length, match.hypothesis,
                            match.hypothesis_length, static_cast<std::int32_t>(match.kind)});
    found.offsets.push_back(static_cast<std::int64_t>(found.matches.size() / 5));
  }
  return found;
}

}  // namespace tertium
