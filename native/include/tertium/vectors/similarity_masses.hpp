// The masses of Semantic Travel Distance (Li et al. 2019) by similarity: a text spreads its mass over all
// n-grams of the pair, less over those that are far from its centre. O(n width) for n words.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "tertium/base/elementary.hpp"
#include "tertium/vectors/ground_distances.hpp"
#include "tertium/vectors/similarity.hpp"
#include "tertium/vectors/travel_words.hpp"

namespace tertium {

// nSIM (Eq. 1): softmax over all n-grams of 1 for a text's own and of the cosine to its centre for the
// others. An n-gram's vector is its words' vectors end to end, so a centre has `order` parts. Keeps its
// memory between pairs.
class SimilarityMasses {
 public:
  // Begins a pair of texts.
  void read(const TravelWords& words) {
    hypothesis_.read(words, words.hypothesis());
    reference_.read(words, words.reference());
  }

  // `of_list`: repeated n-grams count repeatedly in a text's centre.
  void weigh(const TravelWords& words, const TravelNgrams& ngrams, bool of_list, TravelSide& hypothesis,
             TravelSide& reference) {
    const std::size_t order = ngrams.order;
    centres_.resize(2 * order * words.width());
    parts_.resize(2 * order);
    squares_.resize(2 * order);
    for (std::size_t p = 0; p < 2 * order; ++p) parts_[p] = centres_.data() + p * words.width();
    find_centre(words, ngrams, of_list, hypothesis_, hypothesis, 0);
    find_centre(words, ngrams, of_list, reference_, reference, order);
    squares_of(parts_, words.width(), squares_.data());
    apply_softmax(words, ngrams, 0, hypothesis);
    apply_softmax(words, ngrams, order, reference);
  }

 private:
  // The vectors of a text's words, and the sum of all but the last, which unigrams and bigrams need.
  struct Text {
    std::vector<const float*> vectors;
    std::vector<float> head;
    bool has_head = false;

    void read(const TravelWords& words, std::span<const std::int32_t> text) {
      vectors.clear();
      for (const std::int32_t word : text) vectors.push_back(words.vectors()[static_cast<std::size_t>(word)]);
      has_head = false;
    }
    const float* sum_head(std::size_t width) {
      head.resize(width);
      if (!has_head) add_up(std::span(vectors).first(vectors.size() - 1), width, head.data());
      has_head = true;
      return head.data();
    }
  };

  // Uses the sum instead of the mean, because only the direction matters.
  void find_centre(const TravelWords& words, const TravelNgrams& ngrams, bool of_list, Text& text,
                   const TravelSide& side, std::size_t first_part) {
    const std::size_t width = words.width(), n_words = text.vectors.size();
    float* const part = centres_.data() + first_part * width;
    if (!of_list) list_counted(side, ngrams.size);
    for (std::size_t k = 0; k < ngrams.order; ++k) {
      if (!of_list) {
        addends_.clear();
        for (const std::size_t n : counted_)
          addends_.push_back(words.vectors()[static_cast<std::size_t>(ngrams.word(n, k))]);
        add_up(addends_, width, part + k * width);
      } else if (ngrams.order == 1) {
        add_up(std::array{text.sum_head(width), text.vectors.back()}, width, part);
      } else if (ngrams.order == 2 && k == 0 && n_words > 1) {
        parts_[first_part] = text.sum_head(width);
      } else {
        const std::size_t first = std::min(k, n_words - 1);
        add_up(std::span(text.vectors).subspan(first, side.list.size()), width, part + k * width);
      }
    }
  }
  // The n-grams of a text, each once.
  void list_counted(const TravelSide& side, std::size_t n_ngrams) {
    counted_.clear();
    is_counted_.assign(n_ngrams, 0);
    for (const std::int32_t ngram : side.list) {
      const auto n = static_cast<std::size_t>(ngram);
      if (is_counted_[n] == 0) counted_.push_back(n);
      is_counted_[n] = 1;
    }
  }

  void apply_softmax(const TravelWords& words, const TravelNgrams& ngrams, std::size_t first_part,
                     TravelSide& side) {
    multiply_foreign(words, ngrams, first_part, side);
    double centre_square = 0;
    for (std::size_t k = 0; k < ngrams.order; ++k) centre_square += squares_[first_part + k];
    side.mass.resize(ngrams.size);
    double sum = 0;
    for (std::size_t n = 0; n < ngrams.size; ++n) {
      side.mass[n] = side.has(n)
                         ? kOwnWeight
                         : exp(cosine(foreign_product(ngrams, n), words.square(ngrams, n), centre_square));
      sum += side.mass[n];
    }
    for (double& mass : side.mass) mass /= sum;
  }
  // The dot products of a centre's parts with the words of the n-grams that its text does not have.
  void multiply_foreign(const TravelWords& words, const TravelNgrams& ngrams, std::size_t first_part,
                        const TravelSide& side) {
    foreign_.clear();
    place_.assign(words.size(), -1);
    for (std::size_t n = 0; n < ngrams.size; ++n) {
      if (side.has(n)) continue;
      for (std::size_t k = 0; k < ngrams.order; ++k) {
        const auto word = static_cast<std::size_t>(ngrams.word(n, k));
        if (place_[word] >= 0) continue;
        place_[word] = static_cast<std::int32_t>(foreign_.size());
        foreign_.push_back(words.vectors()[word]);
      }
    }
    products_.resize(ngrams.order * foreign_.size());
    dot_matrix(std::span(parts_).subspan(first_part, ngrams.order), foreign_, words.width(),
               products_.data());
  }
  double foreign_product(const TravelNgrams& ngrams, std::size_t n) const {
    double product = 0;
    for (std::size_t k = 0; k < ngrams.order; ++k) {
      const std::int32_t place = place_[static_cast<std::size_t>(ngrams.word(n, k))];
      product += products_[k * foreign_.size() + static_cast<std::size_t>(place)];
    }
    return product;
  }

  static constexpr double kOwnWeight = std::numbers::e;  // for an n-gram of the text itself

  Text hypothesis_, reference_;
  std::vector<float> centres_;  // all parts of the hypothesis' centre, then of the reference's
  std::vector<const float*> parts_;
  std::vector<double> squares_;       // of the parts
  std::vector<std::size_t> counted_;  // n-grams summed into a centre
  std::vector<char> is_counted_;
  std::vector<const float*> addends_;
  std::vector<const float*> foreign_;  // vectors of words in n-grams that one text does not have
  std::vector<std::int32_t> place_;    // index of each word in foreign_, or -1
  std::vector<double> products_;       // a row for each part of a centre
};

}  // namespace tertium
