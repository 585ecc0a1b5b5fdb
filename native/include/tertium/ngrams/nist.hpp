// NIST's information-weighted n-gram matches (Doddington 2002), with the pooling of mteval: an n-gram weighs
// little if its beginning predicts it. O(order x tokens) for the weights and again for the matches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/ngrams/lengths.hpp"

namespace tertium {

// The n-grams of a text, named in the order of first appearance: n-gram k is n-gram parents[k] (-1: none, it
// is a unigram) and tokens[k] behind it. Those whose parent occurs once are left out: they occur once as
// well, so they add no information.
struct NgramTable {
  std::vector<std::int32_t> parents, tokens;
  std::vector<std::int64_t> counts;
};

// Counts n-grams of orders 1..order over a whole column, order by order. O(order x tokens).
class NgramCounter {
 public:
  explicit NgramCounter(const Column& texts) : texts_(texts), prefixes_(texts.ids.size(), -1) {}

  NgramTable count(std::size_t order) {
    for (std::size_t n = 1; n <= order; ++n) {
      for (std::size_t i = 0; i < texts_.size(); ++i) count_text(i, n);
      const auto is_rare = [&](std::int32_t k) {
        return k >= 0 && table_.counts[static_cast<std::size_t>(k)] < 2;
      };
      std::replace_if(prefixes_.begin(), prefixes_.end(), is_rare, kLeftOut);
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
      names[at] = at + n <= tokens.size() ? add(names[at], tokens[at + n - 1]) : kLeftOut;
    }
  }
  std::int32_t add(std::int32_t parent, std::int32_t token) {
    const std::int32_t name = ids_.intern(pair_key(parent, token));
    if (static_cast<std::size_t>(name) == table_.counts.size()) {
      table_.parents.push_back(parent);
      table_.tokens.push_back(token);
      table_.counts.push_back(0);
    }
    ++table_.counts[static_cast<std::size_t>(name)];
    return name;
  }

  Column texts_;
  std::vector<std::int32_t> prefixes_;
  DenseIds ids_;
  NgramTable table_;
};

// The weights of n-grams by name, and the way to their names.
class NgramWeights {
 public:
  NgramWeights(std::span<const std::int32_t> parents, std::span<const std::int32_t> tokens,
               std::span<const double> weights)
      : weights_(weights) {
    if (parents.size() != tokens.size() || parents.size() != weights.size())
      throw std::invalid_argument("parents, tokens and weights must be of one length");
    for (std::size_t k = 0; k < parents.size(); ++k) ids_.intern(pair_key(parents[k], tokens[k]));
    if (static_cast<std::size_t>(ids_.size()) != weights.size())
      throw std::invalid_argument("an n-gram stands twice in the table of weights");
  }
  std::int32_t find(std::int32_t parent, std::int32_t token) const {
    return ids_.find(pair_key(parent, token));
  }
  double weight(std::int32_t name) const { return weights_[static_cast<std::size_t>(name)]; }

 private:
  DenseIds ids_;
  std::span<const double> weights_;
};

// Sums the weights of one segment's matches at a time; an n-gram matches as often as the reference with most
// of it has it. Keeps its tables between calls; one per thread.
class InformationMatcher {
 public:
  explicit InformationMatcher(const NgramWeights& weights) : weights_(weights) {}

  // information[n-1] += the weights of the matches of order n.
  void count(std::span<const std::int32_t> hypothesis, const GroupedColumn& references, std::size_t segment,
             std::span<double> information) {
    ids_.clear();
    pooled_.clear();
    for (std::size_t r = references.begin(segment); r < references.end(segment); ++r)
      pool(references.column[r], information.size());
    walk(hypothesis, information.size(), [&](std::int32_t name, std::size_t order) {
      const std::int32_t local = name < 0 ? -1 : ids_.find(static_cast<std::uint32_t>(name));
      if (local < 0) return false;  // its references lack it, or it weighs nothing; so it is with longer ones
      if (pooled_[static_cast<std::size_t>(local)]-- > 0) information[order - 1] += weights_.weight(name);
      return true;
    });
  }

 private:
  // Hands the name of every n-gram to take(name, order) until it returns false, from each position on.
  template <typename Take>
  void walk(std::span<const std::int32_t> tokens, std::size_t order, const Take& take) const {
    for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
      std::int32_t name = -1;
      for (std::size_t n = 1; n <= order && begin + n <= tokens.size(); ++n) {
        name = weights_.find(name, tokens[begin + n - 1]);
        if (!take(name, n)) break;
      }
    }
  }

  void pool(std::span<const std::int32_t> reference, std::size_t order) {
    own_.assign(pooled_.size(), 0);
    walk(reference, order, [&](std::int32_t name, std::size_t n) {
      if (name < 0 && n == 1) throw std::invalid_argument("a reference has a word without a weight");
      if (name < 0) return false;
      const auto local = static_cast<std::size_t>(ids_.intern(static_cast<std::uint32_t>(name)));
      if (local == pooled_.size()) {
        pooled_.push_back(0);
        own_.push_back(0);
      }
      pooled_[local] = std::max(pooled_[local], ++own_[local]);
      return true;
    });
  }

  const NgramWeights& weights_;
  DenseIds ids_;
  std::vector<std::int32_t> pooled_, own_;
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
