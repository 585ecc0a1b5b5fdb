// The words of a pair of texts for Semantic Travel Distance: numbered, each with one vector, and the dot
// products between them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tertium/base/dense_ids.hpp"
#include "tertium/vectors/embedded.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

// Equal words are either merged (one word for all its occurrences, with their mean vector if they differ), or
// each occurrence is a separate word. Words without a vector are left out.
class TravelWords {
 public:
  void read(const EmbeddedText& hypothesis, const EmbeddedText& reference, bool occurrences) {
    width_ = std::max(hypothesis.width, reference.width);
    vectors_.clear();
    seen_.clear();
    ids_.clear();
    mixed_ = false;
    number(hypothesis, occurrences, hypothesis_);
    n_hypothesis_words_ = vectors_.size();
    number(reference, occurrences, reference_);
    if (mixed_) average();
    squares_.resize(vectors_.size());
    squares_of(vectors_, width_, squares_.data());
    known_ = Products::none;
  }

  std::span<const std::int32_t> hypothesis() const { return hypothesis_; }
  std::span<const std::int32_t> reference() const { return reference_; }
  std::span<const float* const> vectors() const { return vectors_; }
  std::size_t size() const { return vectors_.size(); }
  std::size_t width() const { return width_; }
  double square(std::int32_t word) const { return squares_[static_cast<std::size_t>(word)]; }

  // Usually mass only moves from words of the hypothesis to words of the reference; `all` computes the other
  // products, too.
  void multiply(bool all) {
    if (known_ == Products::all || (known_ == Products::some && !all)) return;
    known_ = all ? Products::all : Products::some;
    choose_columns(all);
    const std::size_t rows = all ? size() : n_hypothesis_words_;
    products_.resize(rows * columns_.size());
    dot_matrix(std::span(vectors_).first(rows), columns_, width_, products_.data());
  }
  // The dot products of a word with the others; the product with `other` is at column(other).
  const double* products(std::int32_t word) const {
    return products_.data() + static_cast<std::size_t>(word) * columns_.size();
  }
  std::int32_t column(std::int32_t word) const { return column_[static_cast<std::size_t>(word)]; }

 private:
  enum class Products { none, some, all };

  void choose_columns(bool all) {
    column_.assign(size(), -1);
    columns_.clear();
    if (all)
      for (std::size_t w = 0; w < size(); ++w) add_column(static_cast<std::int32_t>(w));
    else
      for (const std::int32_t word : reference_) add_column(word);
  }
  void add_column(std::int32_t word) {
    std::int32_t& column = column_[static_cast<std::size_t>(word)];
    if (column >= 0) return;
    column = static_cast<std::int32_t>(columns_.size());
    columns_.push_back(vectors_[static_cast<std::size_t>(word)]);
  }

  void number(const EmbeddedText& text, bool occurrences, std::vector<std::int32_t>& words) {
    words.clear();
    for (std::size_t t = 0; t < text.size(); ++t) {
      if (!text.knows(t)) continue;
      const float* vector = text.vector(t);
      const auto next = static_cast<std::int32_t>(vectors_.size());
      const std::int32_t word = occurrences ? next : ids_.intern(static_cast<std::uint32_t>(text.ids[t]));
      if (word == next)
        vectors_.push_back(vector);
      else
        mixed_ |= differ(vectors_[static_cast<std::size_t>(word)], vector);
      words.push_back(word);
      seen_.emplace_back(word, vector);
    }
  }

  bool differ(const float* a, const float* b) const {
    return a != b && std::memcmp(a, b, width_ * sizeof(float)) != 0;
  }

  // A word's vector becomes the mean over its occurrences in both texts.
  void average() {
    means_.assign(vectors_.size() * width_, 0.0f);
    counts_.assign(vectors_.size(), 0.0f);
    for (const auto& [word, vector] : seen_) {
      float* mean = means_.data() + static_cast<std::size_t>(word) * width_;
      for (std::size_t k = 0; k < width_; ++k) mean[k] += vector[k];
      counts_[static_cast<std::size_t>(word)] += 1.0f;
    }
    for (std::size_t w = 0; w < vectors_.size(); ++w) {
      float* mean = means_.data() + w * width_;
      for (std::size_t k = 0; k < width_; ++k) mean[k] /= counts_[w];
      vectors_[w] = mean;
    }
  }

  std::size_t width_ = 0;
  std::size_t n_hypothesis_words_ = 0;
  bool mixed_ = false;
  Products known_ = Products::none;
  DenseIds ids_;
  std::vector<const float*> vectors_, columns_;
  std::vector<std::int32_t> column_;  // of each word, -1 if it has none
  std::vector<std::pair<std::int32_t, const float*>> seen_;
  std::vector<std::int32_t> hypothesis_, reference_;
  std::vector<double> squares_, products_;
  std::vector<float> means_, counts_;
};

// The words of each n-gram of a pair, one after the other.
struct TravelNgrams {
  std::span<const std::int32_t> words;
  std::size_t size;
  std::size_t order;

  std::int32_t word(std::size_t ngram, std::size_t k) const { return words[ngram * order + k]; }
  double square(std::size_t ngram, const TravelWords& known) const {
    double sum = 0;
    for (std::size_t k = 0; k < order; ++k) sum += known.square(word(ngram, k));
    return sum;
  }
};

}  // namespace tertium
