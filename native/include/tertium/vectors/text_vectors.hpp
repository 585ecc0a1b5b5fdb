// A text as one vector: the mean of its words' vectors, or of their one-hot vectors. The similarity of two
// texts is the cosine of their vectors. O(tokens x width), or O(tokens) for counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "tertium/base/dense_ids.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/embedded.hpp"
#include "tertium/vectors/similarity.hpp"

namespace tertium {

// The cosine of two texts' mean vectors. Sums point where means do. One per thread.
class TextVectors {
 public:
  // Texts without direction are alike if their words are the same.
  double compare(const EmbeddedText& first, const EmbeddedText& second) {
    add_up(first, first_);
    add_up(second, second_);
    const double first_square = dot(first_.data(), first_.data(), first.width);
    const double second_square = dot(second_.data(), second_.data(), second.width);
    if (first_square == 0 || second_square == 0) return static_cast<double>(have_same_words(first, second));
    return cosine(dot(first_.data(), second_.data(), first.width), first_square, second_square);
  }

 private:
  static void add_up(const EmbeddedText& text, std::vector<float>& sum) {
    sum.assign(text.width, 0.0f);
    for (std::size_t t = 0; t < text.size(); ++t) {
      if (!text.knows(t)) continue;
      const float* vector = text.vector(t);
      for (std::size_t k = 0; k < text.width; ++k) sum[k] += vector[k];
    }
  }
  std::vector<float> first_, second_;
};

// The cosine of two texts' word counts. One per thread.
class CountVectors {
 public:
  double compare(std::span<const std::int32_t> first, std::span<const std::int32_t> second) {
    if (first.empty() || second.empty()) return static_cast<double>(first.size() == second.size());
    ids_.clear();
    counts_.clear();
    for (const std::int32_t id : first) ++count(id).first;
    for (const std::int32_t id : second) ++count(id).second;
    double product = 0;
    double first_square = 0;
    double second_square = 0;
    for (const auto& [a, b] : counts_) {
      product += a * b;
      first_square += a * a;
      second_square += b * b;
    }
    return cosine(product, first_square, second_square);
  }

 private:
  std::pair<double, double>& count(std::int32_t id) {
    const auto name = static_cast<std::size_t>(ids_.intern(static_cast<std::uint32_t>(id)));
    if (name == counts_.size()) counts_.emplace_back(0.0, 0.0);
    return counts_[name];
  }
  DenseIds ids_;
  std::vector<std::pair<double, double>> counts_;
};

// A cosine per reference, with its segment's hypothesis. Pairs are of embedded or of plain texts.
template <typename Measure, typename Pairs>
void text_cosines(const Pairs& pairs, std::size_t threads, std::span<double> out) {
  parallel_for(pairs.size(), threads, [&] {
    return [&, measure = Measure()](std::size_t i) mutable {
      for (const std::size_t r : pairs.references_of(i))
        out[r] = measure.compare(pairs.hypothesis(i), pairs.reference(r));
    };
  });
}

}  // namespace tertium
