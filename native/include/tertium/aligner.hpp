// METEOR's alignment of two texts (Denkowski & Lavie 2011, 2014): matches of words and phrases, and
// the beam search that picks a subset in which every word is covered at most once.
//
// The search does what METEOR 1.5 was observed to do, which is not quite what its papers say. A match
// whose words no other match covers is always taken. The others compete by the words they cover, where
// an inexact match counts half of each side's words, rounded down, so that one word for one counts
// nothing; then by fewest chunks; then by the distance of the matches passed over for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "tertium/column.hpp"
#include "tertium/parallel.hpp"
#include "tertium/phrase_matches.hpp"
#include "tertium/vocabulary.hpp"

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
  std::span<const std::int32_t> stems;   // words with equal entries share a stem
  Column synsets;                        // rising ids per word
  std::span<const std::uint64_t> masks;  // words that share a synset share a bit
};

// A bit for each of a word's synsets: most pairs of words are told apart by one comparison.
inline std::vector<std::uint64_t> synset_masks(const Column& synsets) {
  std::vector<std::uint64_t> masks(synsets.size(), 0);
  for (std::size_t word = 0; word < masks.size(); ++word)
    for (const std::int32_t synset : synsets[word])
      masks[word] |= std::uint64_t{1} << (mix64(static_cast<std::uint64_t>(synset)) % 64);
  return masks;
}

// Which kinds of matches are sought.
struct MatchKinds {
  bool exact = true, stem = true, synonym = true, paraphrase = true;
};

// Finds every possible match of two texts. Keeps its tables between calls. O(|h| x |r|) integer
// comparisons, and a step for every live partner of the phrases of both texts.
class MatchFinder {
 public:
  MatchFinder(const WordClasses& classes, const LivePhrases* phrases, MatchKinds kinds)
      : classes_(classes),
        phrases_(phrases),
        kinds_(kinds),
        index_(phrases == nullptr ? 0 : phrases->size()) {}

  // All matches of hypothesis i and reference j, sorted by their first word in the reference; those of
  // one word in METEOR's order: by kind, words by their place in the hypothesis, phrases first as the
  // reference's partners and then as the hypothesis's.
  std::span<const Match> find(const Column& hypotheses, std::size_t i, const Column& references,
                              std::size_t j) {
    found_.clear();
    if (kinds_.exact) find_words(hypotheses[i], references[j], MatchKind::exact);
    if (kinds_.stem) find_words(hypotheses[i], references[j], MatchKind::stem);
    if (kinds_.synonym) find_words(hypotheses[i], references[j], MatchKind::synonym);
    if (kinds_.paraphrase && phrases_ != nullptr) find_phrases(i, j);
    return sort(references[j].size());
  }

 private:
  void find_words(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                  MatchKind kind) {
    for (std::size_t r = 0; r < reference.size(); ++r)
      for (std::size_t h = 0; h < hypothesis.size(); ++h)
        if (agree(hypothesis[h], reference[r], kind))
          found_.push_back({static_cast<std::int32_t>(r), 1, static_cast<std::int32_t>(h), 1, kind});
  }

  bool agree(std::int32_t a, std::int32_t b, MatchKind kind) const {
    if (kind == MatchKind::exact) return a == b;
    if (a == b) return false;
    const auto one = static_cast<std::size_t>(a);
    const auto other = static_cast<std::size_t>(b);
    if (kind == MatchKind::stem) return classes_.stems[one] == classes_.stems[other];
    return (classes_.masks[one] & classes_.masks[other]) != 0 &&
           share(classes_.synsets[one], classes_.synsets[other]);
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

  void find_phrases(std::size_t i, std::size_t j) {
    const auto add = [&](const PhrasePlace& reference, const PhrasePlace& hypothesis) {
      found_.push_back(
          {reference.begin, reference.length, hypothesis.begin, hypothesis.length, MatchKind::paraphrase});
    };
    index_.read(phrases_->hypothesis(i));
    for (const PhrasePlace& place : phrases_->reference(j))
      for (const std::int32_t partner : phrases_->partners(place.phrase))
        index_.find(partner, [&](const PhrasePlace& other) { add(place, other); });
    index_.read(phrases_->reference(j));
    for (const PhrasePlace& place : phrases_->hypothesis(i))
      for (const std::int32_t partner : phrases_->partners(place.phrase))
        index_.find(partner, [&](const PhrasePlace& other) { add(other, place); });
  }

  // A stable counting sort by the first word in the reference.
  std::span<const Match> sort(std::size_t reference_length) {
    starts_.assign(reference_length + 1, 0);
    for (const Match& match : found_) ++starts_[static_cast<std::size_t>(match.reference) + 1];
    for (std::size_t r = 1; r < starts_.size(); ++r) starts_[r] += starts_[r - 1];
    sorted_.resize(found_.size());
    for (const Match& match : found_) sorted_[starts_[static_cast<std::size_t>(match.reference)]++] = match;
    return sorted_;
  }

  WordClasses classes_;
  const LivePhrases* phrases_;
  MatchKinds kinds_;
  PhraseIndex index_;
  std::vector<Match> found_, sorted_;
  std::vector<std::size_t> starts_;
};

// Chooses among the matches of one pair of texts. Keeps its tables between calls.
// O(|r| x beam x k) where k matches begin at a reference word.
class AlignmentSearch {
 public:
  explicit AlignmentSearch(std::size_t beam) : beam_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(std::span<const Match> matches, std::size_t hypothesis_length,
                      std::size_t reference_length, std::vector<Match>& chosen) {
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
    return best.chunks;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  struct Path {
    std::int32_t covered = 0;     // words, as the search counts them, of matches that have rivals
    std::int32_t chunks = 0;      // closed ones
    std::int64_t distance = 0;    // of matches that could have been taken instead
    std::int32_t next = kNone;    // the hypothesis word that would continue the open chunk
    std::int32_t free_from = 0;   // the first reference word not covered yet
    std::int32_t choice = kNone;  // the last one, an index into choices_
  };
  struct Choice {
    std::int32_t match, before;
  };
  // A way to go on from a path: with a match, or with none. Its numbers decide whether it survives.
  struct Branch {
    std::int32_t covered, chunks;
    std::int64_t distance;
    std::uint32_t order, parent;
    std::int32_t match;
  };

  static bool precedes(const Path& a, const Path& b) {
    if (a.covered != b.covered) return a.covered > b.covered;
    if (a.chunks != b.chunks) return a.chunks < b.chunks;
    return a.distance < b.distance;
  }

  void begin(std::span<const Match> matches, std::size_t hypothesis_length, std::size_t reference_length) {
    count_rivals(matches, hypothesis_length, reference_length);
    words_ = (hypothesis_length + 63) / 64;
    choices_.clear();
    fixed_.clear();
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
    rank();
  }

  void take_for_all(std::span<const Match> matches, std::size_t m) {
    fixed_.push_back(static_cast<std::int32_t>(m));
    for (Path& path : paths_) extend(path, matches[m]);
    rank();
  }

  static void close(Path& path) {
    path.chunks += path.next != kNone;
    path.next = kNone;
  }

  static void extend(Path& path, const Match& match) {
    path.chunks += breaks(path, match);
    path.next = match.hypothesis + match.hypothesis_length;
    path.free_from = match.reference + match.reference_length;
  }

  static bool breaks(const Path& path, const Match& match) {
    return path.next != kNone && path.next != match.hypothesis;
  }

  // Brings the better paths to the front; equals keep their order, which settles later ties. Paths are
  // few and nearly in order, so they are inserted one by one.
  void rank() {
    for (std::size_t i = 1; i < paths_.size(); ++i) {
      if (!precedes(paths_[i], paths_[i - 1])) continue;
      const auto at = paths_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to = std::upper_bound(paths_.begin(), at, *at, precedes);
      rotate_bits(static_cast<std::size_t>(to - paths_.begin()), i);
      std::rotate(to, at, at + 1);
    }
  }

  void rotate_bits(std::size_t to, std::size_t from) {
    const auto bits = [&](std::size_t path) {
      return used_.begin() + static_cast<std::ptrdiff_t>(path * words_);
    };
    std::rotate(bits(to), bits(from), bits(from + 1));
  }

  bool is_free(std::size_t path, const Match& match) const {
    for (std::size_t i = 0; i < count(match.hypothesis_length); ++i) {
      const std::size_t word = count(match.hypothesis) + i;
      if ((used_[path * words_ + word / 64] >> (word % 64) & 1) != 0) return false;
    }
    return true;
  }

  // Every path goes on with each free match and without any. A path pays the distance of the matches
  // that were tried before its own, so to leave all of them out costs most.
  void branch(std::span<const Match> matches, std::size_t first, std::size_t last) {
    branches_.clear();
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const Path& path = paths_[p];
      if (path.free_from > matches[first].reference) {
        add_branch(p, path.covered, path.chunks, path.distance, kNone);
        continue;
      }
      std::int64_t distance = path.distance;
      for (std::size_t m = first; m < last; ++m) {
        const Match& match = matches[m];
        if (!is_free(p, match)) continue;
        add_branch(p, path.covered + coverage(match), path.chunks + breaks(path, match), distance,
                   static_cast<std::int32_t>(m));
        distance += std::abs(match.reference - match.hypothesis);
      }
      add_branch(p, path.covered, path.chunks + (path.next != kNone), distance, kNone);
    }
    keep_best(matches, matches[first].reference);
  }

  void add_branch(std::size_t parent, std::int32_t covered, std::int32_t chunks, std::int64_t distance,
                  std::int32_t match) {
    branches_.push_back({covered, chunks, distance, static_cast<std::uint32_t>(branches_.size()),
                         static_cast<std::uint32_t>(parent), match});
  }

  static std::int32_t coverage(const Match& match) {
    if (match.kind == MatchKind::exact) return 2;
    return match.hypothesis_length / 2 + match.reference_length / 2;
  }

  void keep_best(std::span<const Match> matches, std::int32_t r) {
    const auto before = [](const Branch& a, const Branch& b) {
      if (a.covered != b.covered) return a.covered > b.covered;
      if (a.chunks != b.chunks) return a.chunks < b.chunks;
      return a.distance != b.distance ? a.distance < b.distance : a.order < b.order;
    };
    if (branches_.size() > beam_) {
      std::nth_element(branches_.begin(), branches_.begin() + static_cast<std::ptrdiff_t>(beam_),
                       branches_.end(), before);
      branches_.resize(beam_);
    }
    std::sort(branches_.begin(), branches_.end(), before);
    old_used_.swap(used_);
    old_paths_.swap(paths_);
    used_.resize(branches_.size() * words_);
    paths_.resize(branches_.size());
    for (std::size_t i = 0; i < branches_.size(); ++i) survive(branches_[i], i, matches, r);
  }

  void survive(const Branch& branch, std::size_t at, std::span<const Match> matches, std::int32_t r) {
    Path& path = paths_[at];
    path = old_paths_[branch.parent];
    std::copy_n(old_used_.begin() + static_cast<std::ptrdiff_t>(branch.parent * words_), words_,
                used_.begin() + static_cast<std::ptrdiff_t>(at * words_));
    path.distance = branch.distance;
    path.covered = branch.covered;
    if (branch.match == kNone) {
      if (path.free_from <= r) close(path);
      return;
    }
    const Match& match = matches[count(branch.match)];
    extend(path, match);
    choices_.push_back({branch.match, path.choice});
    path.choice = static_cast<std::int32_t>(choices_.size() - 1);
    for (std::size_t i = 0; i < count(match.hypothesis_length); ++i) {
      const std::size_t word = count(match.hypothesis) + i;
      used_[at * words_ + word / 64] |= std::uint64_t{1} << (word % 64);
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

  std::size_t beam_;
  std::size_t words_ = 0;  // of 64 bits, for the hypothesis words that a path has used
  std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
  std::vector<Choice> choices_;
  std::vector<std::int32_t> fixed_;
  std::vector<Path> paths_, old_paths_;
  std::vector<Branch> branches_;
  std::vector<std::uint64_t> used_, old_used_;  // path p has the bits [p * words_, (p + 1) * words_)
};

inline constexpr std::size_t kMatchWidth = 5;

struct Alignments {
  std::vector<std::int32_t> matches;  // five numbers each: see Match
  std::vector<std::int64_t> offsets;  // per reference, in matches
  std::vector<std::int32_t> chunks;   // per reference
};

// Aligns every segment with each of its references. `phrases` may be null.
inline Alignments align_texts(const Column& hypotheses, const GroupedColumn& references,
                              const WordClasses& classes, const LivePhrases* phrases, MatchKinds kinds,
                              std::size_t beam, std::size_t threads) {
  std::vector<std::vector<Match>> chosen(references.column.size());
  Alignments found;
  found.chunks.assign(chosen.size(), 0);
  parallel_for(hypotheses.size(), threads, [&] {
    return [&, finder = MatchFinder(classes, phrases, kinds),
            search = AlignmentSearch(beam)](std::size_t i) mutable {
      for (std::size_t r = references.begin(i); r < references.end(i); ++r) {
        const auto matches = finder.find(hypotheses, i, references.column, r);
        found.chunks[r] =
            search.choose(matches, hypotheses[i].size(), references.column[r].size(), chosen[r]);
      }
    };
  });
  found.offsets.push_back(0);
  for (const auto& each : chosen) {
    for (const Match& match : each) {
      const std::int32_t row[] = {match.reference, match.reference_length, match.hypothesis,
                                  match.hypothesis_length, static_cast<std::int32_t>(match.kind)};
      found.matches.insert(found.matches.end(), std::begin(row), std::end(row));
    }
    found.offsets.push_back(static_cast<std::int64_t>(found.matches.size() / kMatchWidth));
  }
  return found;
}

}  // namespace tertium
