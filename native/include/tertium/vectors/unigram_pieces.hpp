// Words into pieces by a unigram model (Kudo 2018, Subword Regularization): of all ways to cut a word, the
// one whose pieces have the least sum of prices, where a piece's price is -ln of its probability. For a word
// of n characters, O(n times the longest piece) lookups.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tertium/base/interning.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/unicode.hpp"

namespace tertium {

class UnigramPieces {
 public:
  UnigramPieces(std::span<const std::string_view> pieces, std::span<const float> prices)
      : prices_(prices.begin(), prices.end()) {
    if (pieces.size() != prices.size()) throw std::invalid_argument("every piece needs a price");
    rows_.reserve(pieces.size());
    for (const std::string_view piece : pieces) {
      if (!rows_.emplace(piece, static_cast<std::int32_t>(rows_.size())).second)
        throw std::invalid_argument("a piece stands twice in the table");
      longest_ = std::max(longest_, piece.size());
    }
    unknown_price_ = kUnknownExtra + (prices_.empty() ? 0.0f : std::ranges::max(prices_));
  }

  // The rows of each word's pieces, left to right; characters that no piece covers are left out.
  OwnedColumn cut(std::span<const std::string_view> words) const {
    OwnedColumn column;
    column.offsets.push_back(0);
    std::vector<Step> steps;
    InterruptCheck interrupt_check;
    for (const std::string_view word : words) {
      interrupt_check.tick(word.size() * longest_);
      cut_word(word, steps, column.ids);
      column.offsets.push_back(static_cast<std::int64_t>(column.ids.size()));
    }
    return column;
  }

 private:
  // As SentencePiece has it: a character outside the table costs so much more than its dearest piece.
  static constexpr float kUnknownExtra = 10.0f;

  // The cheapest way to a place in the word: its price, and the last piece with its beginning.
  struct Step {
    double price = std::numeric_limits<double>::infinity();
    std::size_t begin = 0;
    std::int32_t row = -1;

    void offer(double other_price, std::size_t other_begin, std::int32_t other_row) {
      if (other_price < price) *this = {other_price, other_begin, other_row};
    }
  };

  void cut_word(std::string_view word, std::vector<Step>& steps, PooledVector<std::int32_t>& rows) const {
    steps.assign(word.size() + 1, Step{});
    steps[0].price = 0;
    for (std::size_t begin = 0; begin < word.size();) {
      const std::size_t character = decode_at(word, begin).length;
      steps[begin + character].offer(steps[begin].price + unknown_price_, begin, -1);
      offer_pieces(word, begin, steps);
      begin += character;
    }
    const std::size_t first = rows.size();
    for (std::size_t end = word.size(); end > 0; end = steps[end].begin)
      if (steps[end].row >= 0) rows.push_back(steps[end].row);
    std::reverse(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end());
  }

  void offer_pieces(std::string_view word, std::size_t begin, std::vector<Step>& steps) const {
    const std::size_t last = std::min(word.size(), begin + longest_);
    for (std::size_t end = begin; end < last;) {
      end += decode_at(word, end).length;
      const auto found = end <= last ? rows_.find(std::string(word.substr(begin, end - begin))) : rows_.end();
      if (found == rows_.end()) continue;
      const float price = prices_[static_cast<std::size_t>(found->second)];
      steps[end].offer(steps[begin].price + price, begin, found->second);
    }
  }

  std::unordered_map<std::string, std::int32_t> rows_;
  std::vector<float> prices_;
  std::size_t longest_ = 0;
  float unknown_price_ = 0;
};

}  // namespace tertium
