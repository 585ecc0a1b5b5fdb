// NIST's information-weighted n-gram matches (Doddington 2002), with the pooling of mteval: an n-gram weighs
// little if its beginning predicts it. O(order x tokens) for the weights and again for the matches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/ngrams/lengths.hpp"
#include "tertium/ngrams/place_masks.hpp"

namespace tertium {

// The n-grams of a text, named in the order of first appearance: n-gram k is n-gram parents[k] (-1: none, it
// is a unigram) and tokens[k] behind it. Those whose parent occurs once are left out: they occur once as
// well, so they add no information.
struct NgramTable {
  PooledVector<std::int32_t> parents, tokens;
  PooledVector<std::int64_t> counts;
};

// The names of words: a table indexed by the word itself.
class WordNames {
 public:
  std::int32_t find(std::int32_t word) const {
    return static_cast<std::size_t>(word) < names_.size() ? names_[static_cast<std::size_t>(word)] : -1;
  }
  // Returns false if the word has a name.
  bool set(std::int32_t word, std::int32_t name) {
    if (word < 0) throw std::invalid_argument("a word has a negative number");
    const auto at = static_cast<std::size_t>(word);
    if (at >= names_.size()) names_.resize(std::max(at + 1, 2 * names_.size()), -1);
    return std::exchange(names_[at], name) < 0;
  }

 private:
  PooledVector<std::int32_t> names_;
};

// Counts n-grams of orders 1..order over a whole column, order by order. O(order x tokens).
class NgramCounter {
 public:
  explicit NgramCounter(const Column& texts) : texts_(texts), prefixes_(texts.ids.size(), -1) {}

  NgramTable count(std::size_t order) {
    for (std::size_t n = 1; n <= order; ++n) {
      if (n == 2) ids_.reserve(prefixes_.size());  // about as many n-grams have a prefix that occurs twice
      for (std::size_t i = 0; i < texts_.size(); ++i) count_text(i, n);
    }
    return std::move(table_);
  }

 private:
  static constexpr std::int32_t kLeftOut = -2;

  // prefixes_ holds the names of the (n-1)-grams at each position on entry, those of the n-grams on return.
  void count_text(std::size_t i, std::size_t n) {
    const auto tokens = texts_[i];
    const auto names =
        std::span(prefixes_).subspan(static_cast<std::size_t>(texts_.offsets[i]), tokens.size());
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      if (names[at] == kLeftOut) continue;
      const bool is_left_out = at + n > tokens.size() || (n > 1 && count_of(names[at]) < 2);
      names[at] = is_left_out ? kLeftOut : add(names[at], tokens[at + n - 1]);
    }
  }
  std::int64_t& count_of(std::int32_t name) { return table_.counts[static_cast<std::size_t>(name)]; }

  std::int32_t add(std::int32_t parent, std::int32_t token) {
    const std::int32_t name = parent < 0 ? name_word(token) : n_words_ + ids_.intern(pair_key(parent, token));
    if (static_cast<std::size_t>(name) == table_.counts.size()) {
      table_.parents.push_back(parent);
      table_.tokens.push_back(token);
      table_.counts.push_back(0);
    }
    ++count_of(name);
    return name;
  }
  std::int32_t name_word(std::int32_t token) {
    const std::int32_t known = words_.find(token);
    if (known >= 0) return known;
    words_.set(token, n_words_);
    return n_words_++;
  }

  Column texts_;
  PooledVector<std::int32_t> prefixes_;
  WordNames words_;
  std::int32_t n_words_ = 0;  // the names of longer n-grams follow theirs
  DenseIds ids_;
  NgramTable table_;
};

// The weights of n-grams by name, and the way to their names. Single words come first in the table, so the
// name of a longer n-gram follows from its id among these.
class NgramWeights {
 public:
  NgramWeights(std::span<const std::int32_t> parents, std::span<const std::int32_t> tokens,
               std::span<const double> weights)
      : weights_(weights) {
    if (parents.size() != tokens.size() || parents.size() != weights.size())
      throw std::invalid_argument("parents, tokens and weights must be of one length");
    const auto is_longer = [](std::int32_t parent) { return parent >= 0; };
    n_words_ = static_cast<std::int32_t>(std::ranges::find_if(parents, is_longer) - parents.begin());
    ids_.reserve(parents.size() - static_cast<std::size_t>(n_words_));
    for (std::size_t k = 0; k < parents.size(); ++k) add(parents[k], tokens[k], static_cast<std::int32_t>(k));
  }
  std::int32_t find(std::int32_t parent, std::int32_t token) const {
    if (parent < 0) return words_.find(token);
    const std::int32_t id = ids_.find(pair_key(parent, token));
    return id < 0 ? -1 : n_words_ + id;
  }
  double weight(std::int32_t name) const { return weights_[static_cast<std::size_t>(name)]; }

 private:
  void add(std::int32_t parent, std::int32_t token, std::int32_t name) {
    if (name >= n_words_ && parent < 0)
      throw std::invalid_argument("a single word follows longer n-grams in the table of weights");
    const bool is_new =
        parent < 0 ? words_.set(token, name) : n_words_ + ids_.intern(pair_key(parent, token)) == name;
    if (!is_new) throw std::invalid_argument("an n-gram stands twice in the table of weights");
  }

  WordNames words_;
  std::int32_t n_words_ = 0;
  DenseIds ids_;  // of n-grams of several words
  std::span<const double> weights_;
};

// Sums the weights of one segment's matches at a time; an n-gram matches as often as the reference with most
// of it has it. With one short reference, only its matches are looked up among all n-grams. Otherwise all
// n-grams of the references are, and those of the hypothesis are looked up among these. Keeps its tables
// between calls; one per thread.
class InformationMatcher {
 public:
  explicit InformationMatcher(const NgramWeights& weights) : weights_(weights) {}

  // information[n-1] += the weights of the matches of order n.
  void count(std::span<const std::int32_t> hypothesis, const GroupedColumn& references, std::size_t segment,
             std::span<double> information) {
    const auto first = references.column[references.begin(segment)];
    if (references.count(segment) == 1 && PlaceMasks::fits(first))
      return count_one(hypothesis, first, information);
    ids_.clear();
    pooled_.clear();
    for (std::size_t r = references.begin(segment); r < references.end(segment); ++r)
      pool(references.column[r], information.size());
    walk(hypothesis, information.size(), [&](std::int32_t parent, std::int32_t token, std::size_t order) {
      const std::int32_t id = ids_.find(pair_key(parent, token));
      if (id < 0) return id;  // its references lack it, or it weighs nothing; so it is with longer ones
      Pooled& ngram = pooled_[static_cast<std::size_t>(id)];
      if (ngram.count-- > 0) information[order - 1] += ngram.weight;
      return id;
    });
  }

 private:
  struct Pooled {
    std::int32_t name;  // among all n-grams
    double weight;
    std::int32_t count = 0, own = 0;  // in the reference with most of it, and in the current one
  };

  void count_one(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                 std::span<double> information) {
    for (const std::int32_t word : reference) name_word(word);
    names_.resize(information.size() + 1);
    names_[0] = -1;
    places_.visit_matches(
        hypothesis, reference, information.size(), [&](std::size_t i, std::size_t order, bool is_free) {
          // the n-gram without its last word was visited at the word before
          const std::int32_t name = weights_.find(names_[order - 1], hypothesis[i]);
          names_[order] = name;
          if (name >= 0 && is_free) information[order - 1] += weights_.weight(name);
          return name >= 0;  // an n-gram without a name adds no information, nor do longer ones
        });
  }

  std::int32_t name_word(std::int32_t word) const {
    const std::int32_t name = weights_.find(-1, word);
    if (name < 0) throw std::invalid_argument("a reference has a word without a weight");
    return name;
  }

  // Calls take(id of the n-gram without its last word, or -1, last word, order), which returns the n-gram's
  // id, for the n-grams that begin at each position, until it returns a negative number.
  template <typename Take>
  static void walk(std::span<const std::int32_t> tokens, std::size_t order, const Take& take) {
    for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
      std::int32_t id = -1;
      for (std::size_t n = 1; n <= order && begin + n <= tokens.size(); ++n)
        if ((id = take(id, tokens[begin + n - 1], n)) < 0) break;
    }
  }

  void pool(std::span<const std::int32_t> reference, std::size_t order) {
    for (Pooled& ngram : pooled_) ngram.own = 0;
    walk(reference, order, [&](std::int32_t parent, std::int32_t token, std::size_t n) {
      const std::int32_t name =
          n == 1 ? name_word(token) : weights_.find(pooled_[static_cast<std::size_t>(parent)].name, token);
      if (name < 0) return name;
      const std::int32_t id = ids_.intern(pair_key(parent, token));
      if (static_cast<std::size_t>(id) == pooled_.size())
        pooled_.push_back({.name = name, .weight = weights_.weight(name)});
      Pooled& ngram = pooled_[static_cast<std::size_t>(id)];
      ngram.count = std::max(ngram.count, ++ngram.own);
      return id;
    });
  }

  const NgramWeights& weights_;
  PlaceMasks places_;
  std::vector<std::int32_t> names_;  // of the last n-gram of each order that matched
  DenseIds ids_;                     // of the n-grams of this segment's references
  std::vector<Pooled> pooled_;
};

// A row per segment: hypothesis length, average reference length, and for each order the matches' information
// and the hypothesis n-grams.
inline void nist_statistics(const TextPairs& pairs, const NgramWeights& weights, std::size_t order,
                            std::size_t threads, std::span<double> rows) {
  const std::size_t width = 2 + 2 * order;
  parallel_for(pairs.size(), threads, [&] {
    return [&, matcher = InformationMatcher(weights)](std::size_t i) mutable {
      const auto row = rows.subspan(i * width, width);
      const auto tokens = pairs.hypothesis(i);
      std::fill(row.begin(), row.end(), 0.0);
      row[0] = static_cast<double>(tokens.size());
      row[1] = average_length(pairs.references, i);
      matcher.count(tokens, pairs.references, i, row.subspan(2, order));
      for (std::size_t n = 1; n <= order; ++n) row[1 + order + n] = ngrams_of_order(tokens.size(), n);
    };
  });
}

}  // namespace tertium
