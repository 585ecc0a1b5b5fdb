// Parses a column of texts on many threads; the trees do not depend on their number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/trees/arc_parser.hpp"

namespace tertium {

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

// Calls work(worker, sentence, begin, length) for every text, where each thread has a worker of its own.
template <typename Worker, typename Work>
void for_each_sentence(const Column& texts, const Vocabulary& vocabulary, const ParserModel& model,
                       std::size_t threads, const Work& work) {
  const UsedWords words(texts, vocabulary, model, threads);
  parallel_for(texts.size(), threads, [&] {
    return [&, worker = Worker(model), parts = std::vector<const WordParts*>()](std::size_t i) mutable {
      parts.clear();
      for (const std::int32_t id : texts[i]) parts.push_back(words.find(id));
      work(worker, SentenceParts{parts, words.boundary()}, static_cast<std::size_t>(texts.offsets[i]),
           parts.size());
    };
  });
}

// The head of every word. Every id of the texts must be one of the vocabulary.
inline std::vector<std::int32_t> parse_texts(const Column& texts, const Vocabulary& vocabulary,
                                             const ParserModel& model, std::size_t threads) {
  std::vector<std::int32_t> heads(texts.ids.size());
  for_each_sentence<ArcParser>(
      texts, vocabulary, model, threads,
      [&](ArcParser& parser, const SentenceParts& sentence, std::size_t begin, std::size_t) {
        const auto found = parser.parse(sentence);
        std::copy(found.begin(), found.end(), heads.begin() + static_cast<std::ptrdiff_t>(begin));
      });
  return heads;
}

struct OwnedLabels {
  std::vector<std::int32_t> tags, relations;
};

// The tags and relations of words whose heads are known; each head must be a word of its text, or -1.
inline OwnedLabels label_texts(const Column& texts, std::span<const std::int32_t> heads,
                               const Vocabulary& vocabulary, const ParserModel& model, std::size_t threads) {
  OwnedLabels labels{std::vector<std::int32_t>(heads.size()), std::vector<std::int32_t>(heads.size())};
  for_each_sentence<TreeLabeler>(
      texts, vocabulary, model, threads,
      [&](TreeLabeler& labeler, const SentenceParts& sentence, std::size_t begin, std::size_t length) {
        labeler.label(sentence, heads.subspan(begin, length), std::span(labels.tags).subspan(begin, length),
                      std::span(labels.relations).subspan(begin, length));
      });
  return labels;
}

}  // namespace tertium
