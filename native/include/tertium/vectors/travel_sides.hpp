// The options of Semantic Travel Distance, and its data on each of the two texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// The distance in meaning of two n-grams whose vectors have the cosine c.
enum class TravelCost {
  clipped,    // 1 - max(0, c)
  cosine,     // 1 - c
  euclidean,  // sqrt(2 - 2c): between vectors of length 1
};

struct TravelOptions {
  double order_weight;    // weight of place in the ground distance; meaning has the rest
  TravelCost cost;        // the distance in meaning
  double price;           // of a unit of mass that is left out on either side; 0 if all mass is moved
  bool cancels;           // mass that both sides have in an n-gram stays where it is
  bool similarity_mass;   // masses by nSIM, otherwise by the tokens' weights
  bool centroid_of_list;  // repeated n-grams count repeatedly in a text's centre
  bool occurrences;       // every occurrence is an n-gram of its own
};

// One side's n-grams of one order.
struct TravelSide {
  std::vector<std::int32_t> list;  // the text's n-grams in their order
  std::vector<double> place;       // of each n-gram's last occurrence, in (0, 1]; 0 if not in the text
  std::vector<double> mass;        // share of each n-gram in the text

  bool has(std::size_t ngram) const { return place[ngram] > 0; }
};

}  // namespace tertium
