// Semantic Travel Distance (Li et al. 2019): what it costs to carry the weight of the hypothesis'
// n-grams onto the reference's, where distance is of meaning and of place. For texts of n words, O(n^2 width)
// for the distances between words and then one transportation problem of n sources and sinks an order.
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
#include "tertium/vectors/transport.hpp"
#include "tertium/vectors/travel_ends.hpp"
#include "tertium/vectors/travel_sides.hpp"
#include "tertium/vectors/travel_words.hpp"

namespace tertium {

// One pair of texts at a time, order after order; one per thread.
class SemanticTravel {
 public:
  explicit SemanticTravel(const TravelOptions& options) : options_(options) {}

  void read(const EmbeddedText& hypothesis, const EmbeddedText& reference) {
    words_.read(hypothesis, reference, options_.occurrences);
    keep_weights(hypothesis, hypothesis_weights_);
    keep_weights(reference, reference_weights_);
  }
  bool comparable() const { return !words_.hypothesis().empty() && !words_.reference().empty(); }

  double distance(std::size_t order) {
    order_ = order;
    name_ngrams();
    place_ngrams(hypothesis_, hypothesis_weights_);
    place_ngrams(reference_, reference_weights_);
    if (options_.similarity_mass)
      weigh_by_similarity();
    else
      weigh_by_share();
    split_mass();
    multiply_words();
    costs_.resize(sources_.size() * sinks_.size());
    fill_costs(sources_, sinks_, costs_);
    return std::clamp(transport_.solve(supply_, demand_, costs_), 0.0, 1.0);
  }

  // What an explanation shows of the last distance.
  std::size_t n_ngrams() const { return n_ngrams_; }
  const TravelSide& hypothesis() const { return hypothesis_; }
  const TravelSide& reference() const { return reference_; }
  std::span<const std::size_t> sources() const { return sources_; }
  std::span<const std::size_t> sinks() const { return sinks_; }
  // The distance of every n-gram from every other, in rows.
  std::vector<double> ground_distances() {
    words_.multiply(true);
    std::vector<std::size_t> all(n_ngrams_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> out(n_ngrams_ * n_ngrams_);
    fill_costs(all, all, out);
    return out;
  }
  // The mass that goes from each source to each sink, in rows.
  std::vector<double> flows() const {
    return tabulate(sources_.size(), sinks_.size(),
                    [&](std::size_t i, std::size_t j) { return transport_.flow(i, j); });
  }

 private:
  inline static const double kOwnWeight = std::exp(1.0);  // of an n-gram that the text has

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
      names_.clear();
      extend_list(words_.hypothesis(), last, hypothesis_.list);
      extend_list(words_.reference(), last, reference_.list);
      n_ngrams_ = static_cast<std::size_t>(names_.size());
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
      list[i] = names_.name(pair_key(list[i], word_at(words, i + last)));
  }
  void keep_words(std::span<const std::int32_t> words, std::span<const std::int32_t> list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t k = 0; k < order_; ++k)
        ngram_words_[static_cast<std::size_t>(list[i]) * order_ + k] = word_at(words, i + k);
  }
  std::int32_t word(std::size_t ngram, std::size_t k) const { return ngram_words_[ngram * order_ + k]; }
  double square(std::size_t ngram) const {
    double sum = 0;
    for (std::size_t k = 0; k < order_; ++k) sum += words_.square(word(ngram, k));
    return sum;
  }

  void place_ngrams(TravelSide& side, std::span<const double> token_weights) const {
    side.place.assign(n_ngrams_, 0.0);
    side.weight.assign(n_ngrams_, 0.0);
    const auto length = static_cast<double>(side.list.size());
    for (std::size_t i = 0; i < side.list.size(); ++i) {
      const auto ngram = static_cast<std::size_t>(side.list[i]);
      side.place[ngram] = static_cast<double>(i + 1) / length;
      for (std::size_t k = 0; k < order_; ++k)
        side.weight[ngram] += token_weights[std::min(i + k, token_weights.size() - 1)];
    }
  }

  void weigh_by_share() {
    for (TravelSide* side : {&hypothesis_, &reference_}) {
      double sum = 0;
      for (const double weight : side->weight) sum += weight;
      side->mass.resize(n_ngrams_);
      const double even = 1.0 / static_cast<double>(side->list.size());
      for (std::size_t n = 0; n < n_ngrams_; ++n)  // a text all of whose words weigh 0 has them equal
        side->mass[n] = sum > 0 ? side->weight[n] / sum : even * side->has(n);
    }
  }

  // nSIM (Eq. 1): softmax over all n-grams of 1 for a text's own and of the cosine to its centre for
  // the others. An n-gram's vector is its words' vectors end to end, so a centre has `order` parts.
  void weigh_by_similarity() {
    centres_.resize(2 * order_ * words_.width());
    centre_parts_.resize(2 * order_);
    centre_squares_.resize(2 * order_);
    for (std::size_t p = 0; p < 2 * order_; ++p) centre_parts_[p] = centres_.data() + p * words_.width();
    find_centre(hypothesis_, 0);
    find_centre(reference_, order_);
    squares_of(centre_parts_, words_.width(), centre_squares_.data());
    apply_softmax(hypothesis_, 0);
    apply_softmax(reference_, order_);
  }
  // The sum points where the mean does, and only the direction is used.
  void find_centre(const TravelSide& side, std::size_t first_part) {
    list_counted(side);
    for (std::size_t k = 0; k < order_; ++k) {
      addends_.clear();
      for (const std::size_t n : counted_)
        addends_.push_back(words_.vectors()[static_cast<std::size_t>(word(n, k))]);
      add_up(addends_, words_.width(), centres_.data() + (first_part + k) * words_.width());
    }
  }
  void list_counted(const TravelSide& side) {
    counted_.clear();
    is_counted_.assign(n_ngrams_, 0);
    for (const std::int32_t ngram : side.list) {
      const auto n = static_cast<std::size_t>(ngram);
      if (is_counted_[n] == 0 || options_.centroid_of_list) counted_.push_back(n);
      is_counted_[n] = 1;
    }
  }
  void apply_softmax(TravelSide& side, std::size_t first_part) {
    multiply_foreign(side, first_part);
    double centre_square = 0;
    for (std::size_t k = 0; k < order_; ++k) centre_square += centre_squares_[first_part + k];
    side.mass.resize(n_ngrams_);
    double sum = 0;
    for (std::size_t n = 0; n < n_ngrams_; ++n)
      sum += side.mass[n] = side.has(n) ? kOwnWeight : std::exp(cosine_to_centre(n, centre_square));
    for (double& mass : side.mass) mass /= sum;
  }
  // The dot products of a centre's parts with the words of the n-grams that its text does not have.
  void multiply_foreign(const TravelSide& side, std::size_t first_part) {
    foreign_.clear();
    foreign_place_.assign(words_.size(), -1);
    for (std::size_t n = 0; n < n_ngrams_; ++n)
      for (std::size_t k = 0; k < order_ && !side.has(n); ++k) {
        std::int32_t& place = foreign_place_[static_cast<std::size_t>(word(n, k))];
        if (place >= 0) continue;
        place = static_cast<std::int32_t>(foreign_.size());
        foreign_.push_back(words_.vectors()[static_cast<std::size_t>(word(n, k))]);
      }
    centre_products_.resize(order_ * foreign_.size());
    dot_matrix(std::span(centre_parts_).subspan(first_part, order_), foreign_, words_.width(),
               centre_products_.data());
  }
  double cosine_to_centre(std::size_t ngram, double centre_square) const {
    double product = 0;
    for (std::size_t k = 0; k < order_; ++k) {
      const std::int32_t place = foreign_place_[static_cast<std::size_t>(word(ngram, k))];
      product += centre_products_[k * foreign_.size() + static_cast<std::size_t>(place)];
    }
    return cosine(product, square(ngram), centre_square);
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
    words_.multiply(foreign);
  }

  // The distances of n-grams from n-grams, in rows.
  void fill_costs(std::span<const std::size_t> from, std::span<const std::size_t> to, std::span<double> out) {
    ends_.read(
        to, order_, hypothesis_, reference_, [&](std::size_t n) { return square(n); },
        [&](std::size_t n, std::size_t k) { return words_.column(word(n, k)); });
    double* row = out.data();
    for (const std::size_t i : from) {
      pace_.spend(to.size() * order_);
      for (std::size_t k = 0; k < order_; ++k) ends_.add_products(words_.products(word(i, k)), k);
      ends_.fill_row({square(i), hypothesis_.place[i], reference_.place[i]}, options_.order_weight, row);
      row += to.size();
    }
  }

  Pace pace_;
  TravelOptions options_;
  std::size_t order_ = 1;
  std::size_t n_ngrams_ = 0;
  TravelWords words_;
  DenseNames names_;
  TravelSide hypothesis_, reference_;
  TravelEnds ends_;
  Transport transport_;
  std::vector<double> hypothesis_weights_, reference_weights_;
  std::vector<std::int32_t> ngram_words_;
  std::vector<float> centres_;
  std::vector<const float*> centre_parts_;
  std::vector<double> centre_squares_, centre_products_, supply_, demand_, costs_;
  std::vector<const float*> foreign_;        // vectors of words in n-grams that one text does not have
  std::vector<std::int32_t> foreign_place_;  // of each word among them, -1 if it is not there
  std::vector<std::size_t> sources_, sinks_;
  std::vector<std::size_t> counted_;  // n-grams that make up a centre
  std::vector<char> is_counted_;
  std::vector<const float*> addends_;
};

// A row per reference, a column per order. A text with no known word has no distance: it counts as
// the worst, 1, unless both texts have the same words (0).
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
        const bool same = std::ranges::equal(hypothesis.ids, reference.ids);
        travel.read(hypothesis, reference);
        for (std::size_t k = 0; k < orders.size(); ++k)
          row[k] = travel.comparable() ? travel.distance(static_cast<std::size_t>(orders[k]))
                                       : static_cast<double>(!same);
      }
    };
  });
}

}  // namespace tertium
