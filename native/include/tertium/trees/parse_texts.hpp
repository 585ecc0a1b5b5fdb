// Parses a column of texts on many threads; the trees do not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/trees/arc_parser.hpp"

namespace tertium {

struct OwnedParses {
  std::vector<std::int32_t> heads, tags, relations;
};

// The parts of every word that occurs, found by its id. Each different word is looked at once.
class UsedWords {
 public:
  UsedWords(const Column& texts, const Vocabulary& vocabulary, const ParserModel& model, std::size_t threads)
      : places_(vocabulary.size(), -1), boundary_(boundary_parts(model)) {
    std::vector<std::int32_t> ids;
    for (const std::int32_t id : texts.ids) {
      auto& place = places_[static_cast<std::size_t>(id)];
      if (place >= 0) continue;
      place = static_cast<std::int32_t>(ids.size());
      ids.push_back(id);
    }
    parts_.resize(ids.size());
    parallel_for(ids.size(), threads, [&] {
      return [&](std::size_t i) { parts_[i] = word_parts(model, vocabulary.word(ids[i])); };
    });
  }

  const WordParts* find(std::int32_t id) const {
    return &parts_[static_cast<std::size_t>(places_[static_cast<std::size_t>(id)])];
  }
  const WordParts& boundary() const { return boundary_; }

 private:
  std::vector<std::int32_t> places_;
  std::vector<WordParts> parts_;
  WordParts boundary_;
};

// Every id of the texts must be one of the vocabulary.
inline OwnedParses parse_texts(const Column& texts, const Vocabulary& vocabulary, const ParserModel& model,
                               std::size_t threads) {
  const UsedWords words(texts, vocabulary, model, threads);
  const std::size_t n_tokens = texts.ids.size();
  OwnedParses out{std::vector<std::int32_t>(n_tokens), std::vector<std::int32_t>(n_tokens),
                  std::vector<std::int32_t>(n_tokens)};
  parallel_for(texts.size(), threads, [&] {
    return [&, parser = ArcParser(model), sentence = std::vector<const WordParts*>()](std::size_t i) mutable {
      sentence.clear();
      for (const std::int32_t id : texts[i]) sentence.push_back(words.find(id));
      const auto begin = static_cast<std::size_t>(texts.offsets[i]);
      const auto part = [&](auto& all) { return std::span(all).subspan(begin, sentence.size()); };
      parser.parse(sentence, words.boundary(), {part(out.heads), part(out.tags), part(out.relations)});
    };
  });
  return out;
}

}  // namespace tertium
