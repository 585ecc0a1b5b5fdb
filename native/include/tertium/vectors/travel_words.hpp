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

// The words of each n-gram of a pair, one after the other.
struct TravelNgrams {
  std::span<const std::int32_t> words;
  std::size_t size;
  std::size_t order;

  std::int32_t word(std::size_t ngram, std::size_t k) const { return words[ngram * order + k]; }
};

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
    number(reference, occurrences, reference_);
    if (mixed_) average();
    squares_.resize(vectors_.size());
    squares_of(vectors_, width_, squares_.data());
    across_.clear();
  }

  std::span<const std::int32_t> hypothesis() const { return hypothesis_; }
  std::span<const std::int32_t> reference() const { return reference_; }
  std::span<const float* const> vectors() const { return vectors_; }
  std::size_t size() const { return vectors_.size(); }
  std::size_t width() const { return width_; }
  double square(std::int32_t word) const { return squares_[static_cast<std::size_t>(word)]; }
  // Of the n-gram's vector, which is its words' vectors end to end.
  double square(const TravelNgrams& ngrams, std::size_t ngram) const {
    double sum = 0;
    for (std::size_t k = 0; k < ngrams.order; ++k) sum += square(ngrams.word(ngram, k));
    return sum;
  }

  // Computes the dot products of the sources' words with the sinks' words, as far as they are not yet known.
  // A line has the products of one word with all words of the other text; lines are for the words of that
  // side which needs fewer of them for the first order. `foreign`: a source may lie outside the hypothesis, a
  // sink outside the reference; then every word has a line with all words.
  void multiply(const TravelNgrams& ngrams, std::span<const std::size_t> sources,
                std::span<const std::size_t> sinks, bool foreign) {
    if (across_.empty() || (foreign && !has_all_)) {
      has_all_ = foreign;
      by_source_ = sources.size() * reference_.size() < sinks.size() * hypothesis_.size();
      begin_lines();
    }
    lines_.clear();
    if (has_all_) {
      for (std::size_t word = 0; word < size(); ++word) add_line(static_cast<std::int32_t>(word));
    } else {
      for (const std::size_t n : by_source_ ? sources : sinks)
        for (std::size_t k = 0; k < ngrams.order; ++k) add_line(ngrams.word(n, k));
    }
    if (lines_.size() % 2 != 0) add_one_more();
    const std::size_t known = products_.size();
    products_.resize(known + lines_.size() * across_.size());
    dot_matrix(lines_, across_, width_, products_.data() + known);
  }
  // The product of a source's word with a sink's is at products(source)[column(sink)].
  const double* products(std::int32_t word) const {
    return products_.data() + (by_source_ ? line_start(word) : place_across(word));
  }
  std::size_t column(std::int32_t word) const { return by_source_ ? place_across(word) : line_start(word); }

 private:
  void begin_lines() {
    n_lines_ = 0;
    line_.assign(size(), -1);
    column_.assign(size(), -1);
    across_.clear();
    products_.clear();
    if (has_all_)
      for (std::size_t word = 0; word < size(); ++word) add_across(static_cast<std::int32_t>(word));
    else
      for (const std::int32_t word : by_source_ ? reference_ : hypothesis_) add_across(word);
  }
  void add_across(std::int32_t word) {
    std::int32_t& column = column_[static_cast<std::size_t>(word)];
    if (column >= 0) return;
    column = static_cast<std::int32_t>(across_.size());
    across_.push_back(vectors_[static_cast<std::size_t>(word)]);
  }
  void add_line(std::int32_t word) {
    std::int32_t& line = line_[static_cast<std::size_t>(word)];
    if (line >= 0) return;
    line = n_lines_++;
    lines_.push_back(vectors_[static_cast<std::size_t>(word)]);
  }
  // Two lines take little more time than one, and the next order may need it.
  void add_one_more() {
    for (const std::int32_t word : by_source_ ? hypothesis_ : reference_)
      if (line_[static_cast<std::size_t>(word)] < 0) return add_line(word);
  }
  std::size_t line_start(std::int32_t word) const {
    return static_cast<std::size_t>(line_[static_cast<std::size_t>(word)]) * across_.size();
  }
  std::size_t place_across(std::int32_t word) const {
    return static_cast<std::size_t>(column_[static_cast<std::size_t>(word)]);
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
  bool mixed_ = false;
  bool by_source_ = false, has_all_ = false;
  DenseIds ids_;
  std::vector<const float*> vectors_;
  std::vector<const float*> across_, lines_;  // vectors of the words of a line, and of the words of new lines
  std::vector<std::int32_t> column_,
      line_;  // of each word, its place in a line and its line; -1 if it has none
  std::int32_t n_lines_ = 0;
  std::vector<std::pair<std::int32_t, const float*>> seen_;
  std::vector<std::int32_t> hypothesis_, reference_;
  std::vector<double> squares_, products_;
  std::vector<float> means_, counts_;
};

}  // namespace tertium
