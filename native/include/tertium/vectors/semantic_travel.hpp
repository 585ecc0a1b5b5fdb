// Semantic Travel Distance (Li et al. 2019): the cost of moving the weight of the hypothesis' n-grams to the
// reference's, where distance depends on meaning and on position. For texts of n words, O(n^2 width) for the
// distances between words, then one transportation problem of n sources and sinks per order. Word Mover's
// Distance (Kusner et al. 2015) and Word Rotator's Distance (Yokoi et al. 2020) are other masses and costs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/ground_distances.hpp"
#include "tertium/vectors/similarity_masses.hpp"
#include "tertium/vectors/transport.hpp"
#include "tertium/vectors/travel_words.hpp"

namespace tertium {

// One pair of texts at a time, order after order; one per thread.
class SemanticTravel {
 public:
  explicit SemanticTravel(const TravelOptions& options) : options_(options) {}

  void read(const EmbeddedText& hypothesis, const EmbeddedText& reference) {
    words_.read(hypothesis, reference, options_.occurrences);
    if (options_.similarity_mass) masses_.read(words_);
    keep_weights(hypothesis, hypothesis_weights_);
    keep_weights(reference, reference_weights_);
  }
  bool comparable() const { return !words_.hypothesis().empty() && !words_.reference().empty(); }

  double distance(std::size_t order) {
    order_ = order;
    name_ngrams();
    place_ngrams(hypothesis_);
    place_ngrams(reference_);
    double ours = 1, theirs = 1;
    if (options_.similarity_mass) {
      masses_.weigh(words_, ngrams(), options_.centroid_of_list, hypothesis_, reference_);
    } else {
      ours = weigh_by_share(hypothesis_, hypothesis_weights_);
      theirs = weigh_by_share(reference_, reference_weights_);
    }
    if (is_partial()) share_mass(ours, theirs);
    split_mass();
    multiply_words();
    costs_.resize(sources_.size() * sinks_.size());
    fill_costs(sources_, sinks_, costs_);
    return is_partial() ? move_some() : std::clamp(move_all(), 0.0, farthest());
  }

  // Details of the last distance, for explanations.
  std::size_t n_ngrams() const { return n_ngrams_; }
  const TravelSide& hypothesis() const { return hypothesis_; }
  const TravelSide& reference() const { return reference_; }
  std::span<const std::size_t> sources() const { return sources_; }
  std::span<const std::size_t> sinks() const { return sinks_; }
  // The distance of every n-gram from every other, in rows.
  std::vector<double> ground_distances() {
    std::vector<std::size_t> all(n_ngrams_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    words_.multiply(ngrams(), all, all, true);
    std::vector<double> out(n_ngrams_ * n_ngrams_);
    fill_costs(all, all, out);
    return out;
  }
  // The mass that goes from each source to each sink, in rows. Mass that is left out goes nowhere.
  std::vector<double> flows() const {
    return tabulate(sources_.size(), sinks_.size(), [&](std::size_t i, std::size_t j) {
      return is_moved(costs_[i * sinks_.size() + j]) ? transport_.flow(i, j) : 0.0;
    });
  }
  // The largest possible distance.
  double farthest() const {
    const double meaning = options_.cost == TravelCost::clipped ? 1.0 : 2.0;
    return is_partial() ? 1.0 : (1 - options_.order_weight) * meaning + options_.order_weight;
  }

 private:
  bool is_partial() const { return options_.price > 0; }
  // A move that costs more than leaving out its mass on both sides does not pay.
  bool is_moved(double cost) const { return !is_partial() || cost < 2 * options_.price; }

  double move_all() { return transport_.solve(supply_, demand_, costs_); }

  // The cost of the cheapest partial transport, as a share of the price of leaving out everything. Mass that
  // is left out on both sides is a move at twice the price; mass that one side has in excess goes to an
  // additional node at the price (Pele & Werman 2009). So this is an ordinary transportation problem with
  // capped costs.
  double move_some() {
    if (sources_.empty() && sinks_.empty()) return 0.0;
    const double supplied = std::accumulate(supply_.begin(), supply_.end(), 0.0);
    const double demanded = std::accumulate(demand_.begin(), demand_.end(), 0.0);
    const double price = options_.price;
    const bool drops = supplied > demanded, lacks = demanded > supplied;
    capped_.clear();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      for (std::size_t j = 0; j < sinks_.size(); ++j)
        capped_.push_back(std::min(costs_[i * sinks_.size() + j], 2 * price));
      if (drops) capped_.push_back(price);
    }
    if (lacks) capped_.insert(capped_.end(), sinks_.size(), price);
    if (drops) demand_.push_back(supplied - demanded);
    if (lacks) supply_.push_back(demanded - supplied);
    return std::clamp(transport_.solve(supply_, demand_, capped_) / price, 0.0, 1.0);
  }

  template <typename Value>
  static std::vector<double> tabulate(std::size_t rows, std::size_t columns, const Value& value) {
    std::vector<double> out(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) out[i * columns + j] = value(i, j);
    return out;
  }

  static void keep_weights(const EmbeddedText& text, std::vector<double>& weights) {
    weights.clear();
    for (std::size_t t = 0; t < text.size(); ++t)
      if (text.knows(t)) weights.push_back(text.weights.empty() ? 1.0 : text.weights[t]);
  }

  // A text shorter than the order repeats its last word: "cat" has the bigram (cat, cat).
  static std::int32_t word_at(std::span<const std::int32_t> words, std::size_t i) {
    return words[std::min(i, words.size() - 1)];
  }
  std::size_t list_size(std::size_t n_words) const { return n_words < order_ ? 1 : n_words - order_ + 1; }

  // An n-gram's number comes from its beginning's and its last word's, so equal numbers mean equal
  // n-grams; they rise in the order of first appearance.
  void name_ngrams() {
    begin_list(words_.hypothesis(), hypothesis_.list);
    begin_list(words_.reference(), reference_.list);
    n_ngrams_ = words_.size();
    for (std::size_t last = 1; last < order_; ++last) {
      ids_.clear();
      extend_list(words_.hypothesis(), last, hypothesis_.list);
      extend_list(words_.reference(), last, reference_.list);
      n_ngrams_ = static_cast<std::size_t>(ids_.size());
    }
    ngram_words_.resize(n_ngrams_ * order_);
    keep_words(words_.hypothesis(), hypothesis_.list);
    keep_words(words_.reference(), reference_.list);
  }
  void begin_list(std::span<const std::int32_t> words, std::vector<std::int32_t>& list) const {
    list.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(list_size(words.size())));
  }
  void extend_list(std::span<const std::int32_t> words, std::size_t last, std::vector<std::int32_t>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = ids_.intern(pair_key(list[i], word_at(words, i + last)));
  }
  void keep_words(std::span<const std::int32_t> words, std::span<const std::int32_t> list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t k = 0; k < order_; ++k)
        ngram_words_[static_cast<std::size_t>(list[i]) * order_ + k] = word_at(words, i + k);
  }
  TravelNgrams ngrams() const { return {ngram_words_, n_ngrams_, order_}; }

  void place_ngrams(TravelSide& side) const {
    side.place.assign(n_ngrams_, 0.0);
    const auto length = static_cast<double>(side.list.size());
    for (std::size_t i = 0; i < side.list.size(); ++i)
      side.place[static_cast<std::size_t>(side.list[i])] = static_cast<double>(i + 1) / length;
  }

  // Returns the weight of all n-grams together.
  double weigh_by_share(TravelSide& side, std::span<const double> token_weights) const {
    side.mass.assign(n_ngrams_, 0.0);
    for (std::size_t i = 0; i < side.list.size(); ++i)
      for (std::size_t k = 0; k < order_; ++k)
        side.mass[static_cast<std::size_t>(side.list[i])] +=
            token_weights[std::min(i + k, token_weights.size() - 1)];
    double sum = 0;
    for (const double weight : side.mass) sum += weight;
    const double even = 1.0 / static_cast<double>(side.list.size());
    for (std::size_t n = 0; n < n_ngrams_; ++n)  // a text all of whose words weigh 0 has them equal
      side.mass[n] = sum > 0 ? side.mass[n] / sum : even * side.has(n);
    return sum;
  }
  // In partial transport the longer text has more mass: both together have 1.
  void share_mass(double ours, double theirs) {
    const double sum = ours + theirs;
    for (double& mass : hypothesis_.mass) mass *= sum > 0 ? ours / sum : 0.5;
    for (double& mass : reference_.mass) mass *= sum > 0 ? theirs / sum : 0.5;
  }

  void split_mass() {
    sources_.clear();
    sinks_.clear();
    supply_.clear();
    demand_.clear();
    for (std::size_t n = 0; n < n_ngrams_; ++n) {
      const double shared = options_.cancels ? std::min(hypothesis_.mass[n], reference_.mass[n]) : 0.0;
      if (hypothesis_.mass[n] > shared) {
        sources_.push_back(n);
        supply_.push_back(hypothesis_.mass[n] - shared);
      }
      if (reference_.mass[n] > shared) {
        sinks_.push_back(n);
        demand_.push_back(reference_.mass[n] - shared);
      }
    }
  }

  void multiply_words() {
    const bool foreign = std::ranges::any_of(sources_, [&](std::size_t n) { return !hypothesis_.has(n); }) ||
                         std::ranges::any_of(sinks_, [&](std::size_t n) { return !reference_.has(n); });
    words_.multiply(ngrams(), sources_, sinks_, foreign);
  }

  // The distances of n-grams from n-grams, in rows.
  void fill_costs(std::span<const std::size_t> from, std::span<const std::size_t> to, std::span<double> out) {
    const TravelNgrams all = ngrams();
    ends_.read(
        to, order_, hypothesis_, reference_, [&](std::size_t n) { return words_.square(all, n); },
        [&](std::size_t n, std::size_t k) { return words_.column(all.word(n, k)); });
    double* row = out.data();
    for (const std::size_t i : from) {
      interrupt_check_.tick(to.size() * order_);
      for (std::size_t k = 0; k < order_; ++k) ends_.add_products(words_.products(all.word(i, k)), k);
      ends_.fill_row({words_.square(all, i), hypothesis_.place[i], reference_.place[i]},
                     options_.order_weight, options_.cost, row);
      row += to.size();
    }
  }

  InterruptCheck interrupt_check_;
  TravelOptions options_;
  std::size_t order_ = 1;
  std::size_t n_ngrams_ = 0;
  TravelWords words_;
  DenseIds ids_;
  TravelSide hypothesis_, reference_;
  TravelEnds ends_;
  SimilarityMasses masses_;
  Transport transport_;
  std::vector<double> hypothesis_weights_, reference_weights_;
  std::vector<std::int32_t> ngram_words_;
  std::vector<double> supply_, demand_, costs_, capped_;
  std::vector<std::size_t> sources_, sinks_;
};

// A row per reference, a column per order. A text with no known word has no distance: it counts as the
// largest possible one, unless both texts have the same words (0), which must have the same order if the
// order counts.
inline void travel_distances(const EmbeddedPairs& pairs, std::span<const std::int64_t> orders,
                             const TravelOptions& options, std::size_t threads, std::span<double> rows) {
  if (std::ranges::any_of(orders, [](std::int64_t order) { return order < 1; }))
    throw std::invalid_argument("an order must be at least 1");
  parallel_for(pairs.size(), threads, [&] {
    return [&, travel = SemanticTravel(options)](std::size_t i) mutable {
      const auto hypothesis = pairs.hypothesis(i);
      for (const std::size_t r : pairs.references_of(i)) {
        const auto reference = pairs.reference(r);
        const auto row = rows.subspan(r * orders.size(), orders.size());
        travel.read(hypothesis, reference);
        for (std::size_t k = 0; k < orders.size(); ++k)
          if (travel.comparable())
            row[k] = travel.distance(static_cast<std::size_t>(orders[k]));
          else if (options.order_weight > 0 || orders[k] > 1)
            row[k] = std::ranges::equal(hypothesis.ids, reference.ids) ? 0.0 : travel.farthest();
          else
            row[k] = have_same_words(hypothesis, reference) ? 0.0 : travel.farthest();
      }
    };
  });
}

}  // namespace tertium
