// Which of a pair's possible matches compete, and for which words of the hypothesis. O(words covered by all
// matches).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/meteor/matches.hpp"

namespace tertium {

// The search must remember which contested words a path has used; words that only one match covers need not
// be remembered. So few words are contested that a set of them nearly always fits into one number, however
// long the texts are. Keeps its tables between calls.
class Rivals {
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

}  // namespace tertium
