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
  std::span<const std::int32_t> codes;  // words with equal entries are equal; if empty, only a word itself
  std::span<const std::int32_t> stems;  // words with equal entries share a stem
  Column synsets;                       // ids per word, none twice
  std::size_t n_synsets = 0;            // all ids are below it
};

// Which words of one text belong to a synset. Emptied in constant time; one per thread.
class SynsetIndex {
 public:
  explicit SynsetIndex(std::size_t synsets) : first_(synsets) {}

  void read(std::span<const std::int32_t> text, const Column& synsets) {
    ++epoch_;
    entries_.clear();
    for (std::size_t place = 0; place < text.size(); ++place)
      for (const std::int32_t synset : synsets[static_cast<std::size_t>(text[place])]) {
        First& first = first_[static_cast<std::size_t>(synset)];
        entries_.push_back({static_cast<std::int32_t>(place), first.epoch == epoch_ ? first.entry : kNone});
        first = {epoch_, static_cast<std::int32_t>(entries_.size() - 1)};
      }
  }

  template <typename Take>
  void find(std::int32_t synset, const Take& take) const {
    const First& first = first_[static_cast<std::size_t>(synset)];
    if (first.epoch != epoch_) return;
    for (std::int32_t e = first.entry; e != kNone; e = entries_[static_cast<std::size_t>(e)].next)
      take(entries_[static_cast<std::size_t>(e)].place);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  struct First {
    std::uint32_t epoch = 0;  // of 2^32 texts per thread, none sees an old one's
    std::int32_t entry = kNone;
  };
  struct Entry {
    std::int32_t place, next;
  };
  std::vector<First> first_;
  std::vector<Entry> entries_;
  std::uint32_t epoch_ = 0;
};

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
        index_(phrases == nullptr ? 0 : phrases->size()),
        synsets_(kinds.synonym ? classes.n_synsets : 0) {}

  // All matches of hypothesis i and reference j, sorted by their first word in the reference; those of
  // one word in METEOR's order: by kind, words by their place in the hypothesis, phrases first as the
  // reference's partners and then as the hypothesis's.
  std::span<const Match> find(const Column& hypotheses, std::size_t i, const Column& references,
                              std::size_t j) {
    found_.clear();
    const auto hypothesis = hypotheses[i];
    const auto reference = references[j];
    gather(hypothesis, classes_.codes, hypothesis_codes_);
    gather(reference, classes_.codes, reference_codes_);
    if (kinds_.exact)
      find_words(hypothesis.size(), reference.size(), MatchKind::exact,
                 [&](std::size_t h, std::size_t r) { return are_equal(h, r); });
    if (kinds_.stem) find_stems(hypothesis, reference);
    if (kinds_.synonym) find_synonyms(hypothesis, reference);
    if (kinds_.paraphrase && phrases_ != nullptr) find_phrases(i, j);
    return sort(reference.size());
  }

 private:
  template <typename Agree>
  void find_words(std::size_t hypothesis_length, std::size_t reference_length, MatchKind kind,
                  const Agree& agree) {
    for (std::size_t r = 0; r < reference_length; ++r)
      for (std::size_t h = 0; h < hypothesis_length; ++h)
        if (agree(h, r))
          found_.push_back({static_cast<std::int32_t>(r), 1, static_cast<std::int32_t>(h), 1, kind});
  }

  void find_stems(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    gather(hypothesis, classes_.stems, hypothesis_stems_);
    gather(reference, classes_.stems, reference_stems_);
    find_words(hypothesis.size(), reference.size(), MatchKind::stem, [&](std::size_t h, std::size_t r) {
      return hypothesis_stems_[h] == reference_stems_[r] && !are_equal(h, r);
    });
  }

  void find_synonyms(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference) {
    synsets_.read(hypothesis, classes_.synsets);
    seen_.assign(hypothesis.size(), -1);
    for (std::size_t r = 0; r < reference.size(); ++r) {
      const auto from = static_cast<std::ptrdiff_t>(found_.size());
      for (const std::int32_t synset : classes_.synsets[static_cast<std::size_t>(reference[r])])
        synsets_.find(synset, [&](std::int32_t h) { add_synonym(r, h); });
      std::sort(found_.begin() + from, found_.end(),
                [](const Match& a, const Match& b) { return a.hypothesis < b.hypothesis; });
    }
  }

  // Words that share several synsets match once.
  void add_synonym(std::size_t r, std::int32_t h) {
    auto& seen = seen_[static_cast<std::size_t>(h)];
    if (seen == static_cast<std::int32_t>(r) || are_equal(static_cast<std::size_t>(h), r)) return;
    seen = static_cast<std::int32_t>(r);
    found_.push_back({seen, 1, h, 1, MatchKind::synonym});
  }

  bool are_equal(std::size_t h, std::size_t r) const { return hypothesis_codes_[h] == reference_codes_[r]; }

  static void gather(std::span<const std::int32_t> text, std::span<const std::int32_t> of_word,
                     std::vector<std::int32_t>& values) {
    if (of_word.empty()) return values.assign(text.begin(), text.end());
    values.clear();
    for (const std::int32_t id : text) values.push_back(of_word[static_cast<std::size_t>(id)]);
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
  std::vector<std::int32_t> hypothesis_codes_, reference_codes_, hypothesis_stems_, reference_stems_;
  SynsetIndex synsets_;
  std::vector<std::int32_t> seen_;  // the reference word for which a hypothesis word was last found
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
    return best.rank.chunks();
  }

 private:
  static constexpr std::int32_t kNone = -1;

  // What decides between partial alignments, smaller first: words left uncovered (of a large number,
  // in the upper half) and closed chunks, then distance, then the order of their making.
  struct Rank {
    std::uint64_t quality = kNothingCovered;
    std::uint64_t rest = 0;

    static constexpr std::uint64_t kNothingCovered = std::uint64_t{1} << 63;
    // Beams of 1,000 leave room for 260,000 matches at a word, and distances for 4,000 equal words.
    static constexpr unsigned kOrderBits = 28;

    void cover(std::int32_t words) { quality -= static_cast<std::uint64_t>(words) << 32; }
    void close_chunk() { ++quality; }
    std::int32_t chunks() const { return static_cast<std::int32_t>(quality & 0xffffffff); }
    bool operator<(const Rank& other) const {
      return quality != other.quality ? quality < other.quality : rest < other.rest;
    }
  };

  struct Path {
    Rank rank;                    // of matches that have rivals; its order is zero
    std::int32_t next = kNone;    // the hypothesis word that would continue the open chunk
    std::int32_t free_from = 0;   // the first reference word not covered yet
    std::int32_t choice = kNone;  // the last one, an index into choices_
  };
  struct Choice {
    std::int32_t match, before;
  };
  // A way to go on from a path: with a match, or with none.
  struct Branch {
    std::uint32_t parent;
    std::int32_t match;
  };

  static constexpr Rank kUnbounded{~std::uint64_t{0}, ~std::uint64_t{0}};

  static bool precedes(const Path& a, const Path& b) { return a.rank < b.rank; }

  void begin(std::span<const Match> matches, std::size_t hypothesis_length, std::size_t reference_length) {
    count_rivals(matches, hypothesis_length, reference_length);
    words_ = (hypothesis_length + 63) / 64;
    mark_words(matches);
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

  void mark_words(std::span<const Match> matches) {
    needed_.assign(matches.size() * words_, 0);
    for (std::size_t m = 0; m < matches.size(); ++m)
      for (std::size_t i = 0; i < count(matches[m].hypothesis_length); ++i) {
        const std::size_t word = count(matches[m].hypothesis) + i;
        needed_[m * words_ + word / 64] |= std::uint64_t{1} << (word % 64);
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

  static void close(Path& path) {
    if (path.next == kNone) return;
    path.rank.close_chunk();
    path.next = kNone;
  }

  static void extend(Path& path, const Match& match) {
    if (breaks(path, match)) path.rank.close_chunk();
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
    bound_ = kUnbounded;
    const std::uint64_t gain = largest_gain(matches.subspan(first, last - first));
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const Path& path = paths_[p];
      if (!(Rank{path.rank.quality - gain, path.rank.rest} < bound_)) break;
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
        rank.rest += distance << Rank::kOrderBits;
      }
      if (path.next != kNone) rank.close_chunk();
      add_branch(p, kNone, rank);
    }
    keep_best(matches, matches[first].reference);
  }

  static std::uint64_t largest_gain(std::span<const Match> matches) {
    std::int32_t most = 0;
    for (const Match& match : matches) most = std::max(most, coverage(match));
    return static_cast<std::uint64_t>(most) << 32;
  }

  static std::int32_t coverage(const Match& match) {
    if (match.kind == MatchKind::exact) return 2;
    return match.hypothesis_length / 2 + match.reference_length / 2;
  }

  static Rank with_match(Rank rank, const Path& path, const Match& match) {
    if (breaks(path, match)) rank.close_chunk();
    rank.cover(coverage(match));
    return rank;
  }

  // Keeps the best in order. Most are not much better than those before them and find their place at once.
  void add_branch(std::size_t parent, std::int32_t match, Rank rank) {
    rank.rest += branches_.size();
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
    constexpr std::uint64_t kOrder = (std::uint64_t{1} << Rank::kOrderBits) - 1;
    const Branch& branch = branches_[rank.rest & kOrder];
    Path& path = paths_[at];
    path = old_paths_[branch.parent];
    if (branch.match != kNone) {
      extend(path, matches[count(branch.match)]);
      choices_.push_back({branch.match, path.choice});
      path.choice = static_cast<std::int32_t>(choices_.size() - 1);
    } else if (path.free_from <= r) {
      path.next = kNone;
    }
    path.rank = rank;
    path.rank.rest &= ~kOrder;
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

  std::size_t beam_;
  std::size_t words_ = 0;  // of 64 bits, for a set of hypothesis words
  std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
  std::vector<std::uint64_t> needed_;  // match m covers the words [m * words_, (m + 1) * words_)
  std::vector<Choice> choices_;
  std::vector<std::int32_t> fixed_;
  std::vector<Path> paths_, old_paths_;
  std::vector<Rank> ranks_;
  Rank bound_;  // a branch that is not better than this will not survive
  std::vector<Branch> branches_;
  std::vector<std::uint64_t> used_, old_used_;  // path p has used the words [p * words_, (p + 1) * words_)
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
