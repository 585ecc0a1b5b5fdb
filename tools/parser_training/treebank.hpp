// Trees to learn from: a line per word (form, tag, relation, head), an empty line behind each sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "tertium/trees/word_features.hpp"

namespace tertium::training {

struct Sentence {
  std::vector<std::int32_t> words, tags, relations, heads;  // a head is a position, or -1

  std::size_t size() const { return words.size(); }
};

// Numbers names in the order in which they appear.
class Names {
 public:
  std::int32_t number(const std::string& name) {
    const auto [place, is_new] = numbers_.try_emplace(name, static_cast<std::int32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return place->second;
  }
  std::size_t size() const { return names_.size(); }
  const std::string& operator[](std::size_t i) const { return names_[i]; }

 private:
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<std::string> names_;
};

struct Treebank {
  Names words;
  std::vector<std::size_t> counts;  // how often each word was seen in training text
};

// Reads a file of trees; tags, relations and heads are numbers.
inline std::vector<Sentence> read_trees(const std::string& path, Treebank& bank, bool counts) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::vector<Sentence> sentences(1);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) {
      if (sentences.back().size() > 0) sentences.emplace_back();
      continue;
    }
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1),
                      third = line.find('\t', second + 1);
    if (third == std::string::npos) throw std::runtime_error(path + ": four columns are needed: " + line);
    Sentence& sentence = sentences.back();
    const auto word = bank.words.number(line.substr(0, first));
    bank.counts.resize(bank.words.size());
    if (counts) ++bank.counts[static_cast<std::size_t>(word)];
    sentence.words.push_back(word);
    sentence.tags.push_back(std::stoi(line.substr(first + 1)));
    sentence.relations.push_back(std::stoi(line.substr(second + 1)));
    sentence.heads.push_back(std::stoi(line.substr(third + 1)));
  }
  if (sentences.back().size() == 0) sentences.pop_back();
  return sentences;
}

}  // namespace tertium::training
