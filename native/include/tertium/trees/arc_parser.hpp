// A greedy transition-based parser with a small network: parts of speech, heads and relations of a sentence.
//
// Its form follows Chen & Manning (2014), A Fast and Accurate Dependency Parser using Neural Networks, over
// words in context as in Kiperwasser & Goldberg (2016), Simple and Accurate Dependency Parsing. O(words) per
// sentence.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/trees/sentence_encoder.hpp"

namespace tertium {

// The words of a sentence, as the first layer takes them, and what stands around it.
struct SentenceParts {
  std::span<const WordParts* const> words;
  const WordParts& boundary;
};

// Chooses transitions. What a word adds to a state depends on its slot only, so it is computed once.
class TransitionScorer {
 public:
  explicit TransitionScorer(const ParserModel& model) : model_(model) {}

  void begin(const SentenceEncoder& words, std::size_t n_words) {
    n_words_ = n_words;
    parts_.resize(n_words * kStateSlots * kHidden);
    for (std::size_t slot = 0; slot < kTopLeft; ++slot)  // slot by slot, while its weights are near
      for (std::size_t word = 0; word < n_words; ++word) prepare(words, word, slot);
  }

  // Most words are never needed in the slots of children on one side: these are computed when a word gets a
  // head.
  void attach(const SentenceEncoder& words, std::size_t child, Transition side) {
    if (side == Transition::left)
      for (const std::size_t slot : {kTopLeft, kNextLeft, kBelowLeft}) prepare(words, child, slot);
    else
      for (const std::size_t slot : {kTopRight, kBelowRight}) prepare(words, child, slot);
  }

  // The allowed transition with the highest score; of equals, the first.
  Transition choose(const StateView& view, const std::array<bool, kTransitions>& allowed) const {
    const auto hidden = describe(view);
    std::size_t best = kTransitions;
    std::int32_t best_score = 0;
    for (std::size_t t = 0; t < kTransitions; ++t) {
      if (!allowed[t]) continue;
      std::int32_t score = model_.choice_bias[t];
      const std::int16_t* weights = model_.choices.data() + t * kHidden;
      for (std::size_t j = 0; j < kHidden; ++j) score += std::int32_t{weights[j]} * std::int32_t{hidden[j]};
      if (best == kTransitions || score > best_score) best = t, best_score = score;
    }
    return static_cast<Transition>(best);
  }

 private:
  using Hidden = std::array<std::int16_t, kHidden>;

  void prepare(const SentenceEncoder& words, std::size_t word, std::size_t slot) {
    std::array<std::int32_t, kHidden> sums{};
    model_.slots[slot].add_products(words[word], sums.data());
    std::int16_t* out = parts_.data() + (word * kStateSlots + slot) * kHidden;
    // Products are in 64 * 256ths, a state is in 64ths.
    for (std::size_t j = 0; j < kHidden; ++j)
      out[j] = clamp16(sums[j] >> kActivationBits, ParserModel::kMaxPart);
  }

  const std::int16_t* part(std::size_t slot, std::int32_t word) const {
    if (word == kNobody) return model_.nobody.data() + slot * kHidden;
    const auto number = static_cast<std::size_t>(word);
    if (number == n_words_) return model_.root.data() + slot * kHidden;
    return parts_.data() + (number * kStateSlots + slot) * kHidden;
  }

  Hidden describe(const StateView& view) const {
    std::array<const std::int16_t*, kStateSlots + kStateCounts> rows;
    for (std::size_t slot = 0; slot < kStateSlots; ++slot) rows[slot] = part(slot, view.words[slot]);
    for (std::size_t k = 0; k < kStateCounts; ++k)
      rows[kStateSlots + k] = model_.counts.data() + view.counts[k] * kHidden;
    Hidden hidden;
    std::copy(model_.hidden_bias.begin(), model_.hidden_bias.end(), hidden.begin());
    add_rows(rows, hidden);
    for (std::int16_t& value : hidden) value = std::max(value, std::int16_t{0});
    return hidden;
  }

  const ParserModel& model_;
  std::size_t n_words_ = 0;
  std::vector<std::int16_t> parts_;
};

// Finds the heads of one sentence after the other; its memory is kept between them.
class ArcParser {
 public:
  explicit ArcParser(const ParserModel& model) : words_(model), scorer_(model) {}

  // The head of every word, -1 at the root. The span is good until the next call.
  std::span<const std::int32_t> parse(const SentenceParts& sentence) {
    words_.encode(sentence.words, sentence.boundary);
    state_.begin(sentence.words.size());
    scorer_.begin(words_, sentence.words.size());
    while (!state_.is_done()) {
      const Transition transition = choose_transition(state_.allowed());
      if (transition != Transition::shift)
        scorer_.attach(words_, static_cast<std::size_t>(state_.stack().back()), transition);
      state_.apply(transition);
    }
    return state_.heads();
  }

 private:
  Transition choose_transition(const std::array<bool, kTransitions>& allowed) const {
    if (std::count(allowed.begin(), allowed.end(), true) > 1) return scorer_.choose(state_.view(), allowed);
    return static_cast<Transition>(std::find(allowed.begin(), allowed.end(), true) - allowed.begin());
  }

  SentenceEncoder words_;
  TransitionScorer scorer_;
  ArcHybridState state_;
};

// Assigns parts of speech and relations to sentences that have heads; callers that only need heads skip this.
class TreeLabeler {
 public:
  explicit TreeLabeler(const ParserModel& model)
      : model_(model),
        words_(model),
        tag_sums_(model.tags.padded()),
        relation_sums_(model.dependents.padded()) {}

  // All spans are as long as the sentence; the relation of the word under the root is -1.
  void label(const SentenceParts& sentence, std::span<const std::int32_t> heads, std::span<std::int32_t> tags,
             std::span<std::int32_t> relations) {
    words_.encode(sentence.words, sentence.boundary);
    for (std::size_t word = 0; word < heads.size(); ++word) {
      tags[word] = choose_tag(word);
      relations[word] = choose_relation(word, heads[word]);
    }
  }

 private:
  std::int32_t choose_tag(std::size_t word) {
    std::fill(tag_sums_.begin(), tag_sums_.end(), 0);
    model_.tags.add_products(words_[word], tag_sums_.data());
    return best_of(tag_sums_, model_.tag_bias);
  }

  // A relation is scored from the word and its head; the word under the root has none.
  std::int32_t choose_relation(std::size_t word, std::int32_t head) {
    if (head == kNobody) return kNobody;
    std::fill(relation_sums_.begin(), relation_sums_.end(), 0);
    model_.dependents.add_products(words_[word], relation_sums_.data());
    model_.heads.add_products(words_[static_cast<std::size_t>(head)], relation_sums_.data());
    return best_of(relation_sums_, model_.relation_bias);
  }

  // The place of the highest sum with its bias; of equals, the first.
  static std::int32_t best_of(std::span<const std::int32_t> sums, std::span<const std::int32_t> bias) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < bias.size(); ++k)
      if (sums[k] + bias[k] > sums[best] + bias[best]) best = k;
    return static_cast<std::int32_t>(best);
  }

  const ParserModel& model_;
  SentenceEncoder words_;
  std::vector<std::int32_t> tag_sums_, relation_sums_;
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
