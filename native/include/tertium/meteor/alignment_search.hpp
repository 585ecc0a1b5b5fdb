// The choice among the possible matches of one pair of texts, by METEOR's beam search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/meteor/beam_search.hpp"
#include "tertium/meteor/matches.hpp"
#include "tertium/meteor/path_rank.hpp"
#include "tertium/meteor/rivals.hpp"

namespace tertium {

// Chooses among the matches of one pair of texts, with the narrowest ranks that fit them.
class AlignmentSearch {
 public:
  explicit AlignmentSearch(std::size_t beam) : packed_(beam), wide_(beam) {}

  // The chosen matches in the order of the reference; returns the number of chunks they form.
  std::int32_t choose(std::span<const Match> matches, std::size_t hypothesis_length,
                      std::size_t reference_length, std::vector<Match>& chosen) {
    const auto limits = RankLimits::of(matches, hypothesis_length, reference_length);
    rivals_.read(matches, hypothesis_length, reference_length);
    if (limits.fit_one_number() && rivals_.set_words() == 1)
      return packed_.choose(PackedScale(limits), matches, rivals_, reference_length, chosen);
    return wide_.choose(WideScale(), matches, rivals_, reference_length, chosen);
  }

 private:
  Rivals rivals_;
  BeamSearch<PackedScale> packed_;
  BeamSearch<WideScale> wide_;
};

}  // namespace tertium
