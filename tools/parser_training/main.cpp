// Learns the parser's network from trees: main TRAINING HELD_OUT KEYS WEIGHTS EPOCHS SEED MOST_ROWS.
//
// KEYS and WEIGHTS are written: the keys of the rows as uint32, and all matrices as float32.
#include <chrono>
#include <cstdio>
#include <exception>
#include <numeric>

#include "network.hpp"
#include "oracle.hpp"

namespace tertium::training {
namespace {

constexpr std::size_t kSentencesPerStep = 16;
constexpr float kRate = 2e-3F;
constexpr float kWordDropout = 0.05F;
constexpr std::size_t kFewestSightings = 3;

struct Accuracy {
  std::size_t words = 0, heads = 0, tags = 0;
};

// Turns scores into the gradient of their cross entropy with the right answer.
void softmax_gradient(std::span<float> scores, std::size_t answer) {
  const float top = *std::max_element(scores.begin(), scores.end());
  float total = 0;
  for (float& score : scores) total += score = std::exp(score - top);
  for (float& score : scores) score /= total;
  scores[answer] -= 1;
}

// Walks a sentence through the transition system, learning or only looking.
class Walker {
 public:
  Walker(Learner& learner, Batch& batch, std::size_t begin, std::size_t n_words)
      : network_(learner.network), batch_(batch), begin_(begin), n_words_(n_words) {
    state_.begin(n_words);
  }

  // Follows its own choices, mistakes included with the chance `daring`, and adds to the gradients.
  void learn(const Sentence& sentence, double daring, Random& random) {
    const Oracle oracle(sentence.heads);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    while (!state_.is_done()) {
      const auto allowed = state_.allowed();
      if (follow_only_way(allowed)) continue;
      const std::size_t choice = choose(allowed);
      const auto costs = oracle.costs(state_);
      const std::size_t right = correct(allowed, costs);
      const bool errs = costs[choice] != costs[right];
      state_.apply(static_cast<Transition>(errs && uniform(random) >= daring ? right : choice));
    }
  }

  std::span<const std::int32_t> parse() {
    while (!state_.is_done()) {
      const auto allowed = state_.allowed();
      if (!follow_only_way(allowed)) state_.apply(static_cast<Transition>(choose(allowed)));
    }
    return state_.heads();
  }

 private:
  using Allowed = std::array<bool, kTransitions>;

  bool follow_only_way(const Allowed& allowed) {
    if (std::count(allowed.begin(), allowed.end(), true) != 1) return false;
    state_.apply(static_cast<Transition>(std::find(allowed.begin(), allowed.end(), true) - allowed.begin()));
    return true;
  }

  std::size_t choose(const Allowed& allowed) {
    view_ = state_.view();
    std::copy_n(network_.hidden_bias.row(0), kHidden, hidden_.begin());
    for_each_part([&](const float* values, float*) {
      for (std::size_t j = 0; j < kHidden; ++j) hidden_[j] += values[j];
    });
    for (float& value : hidden_) value = std::max(value, 0.0F);
    std::size_t best = kTransitions;
    for (std::size_t t = 0; t < kTransitions; ++t) {
      scores_[t] = network_.choice_bias.row(0)[t] +
                   std::inner_product(hidden_.begin(), hidden_.end(), network_.choices.row(t), 0.0F);
      if (allowed[t] && (best == kTransitions || scores_[t] > scores_[best])) best = t;
    }
    return best;
  }

  // Moves the weight of chance to the cheapest transitions, however many there are; returns the likeliest of
  // them.
  std::size_t correct(const Allowed& allowed, const std::array<std::int32_t, kTransitions>& costs) {
    std::int32_t least = INT32_MAX;
    float top = -INFINITY;
    for (std::size_t t = 0; t < kTransitions; ++t)
      if (allowed[t]) least = std::min(least, costs[t]), top = std::max(top, scores_[t]);
    std::array<float, kTransitions> shares{};
    float total = 0, good = 1e-20F;
    std::size_t right = kTransitions;
    for (std::size_t t = 0; t < kTransitions; ++t) {
      if (!allowed[t]) continue;
      total += shares[t] = std::exp(scores_[t] - top);
      if (costs[t] != least) continue;
      good += shares[t];
      if (right == kTransitions || scores_[t] > scores_[right]) right = t;
    }
    std::array<float, kHidden> gradient{};
    for (std::size_t t = 0; t < kTransitions; ++t) {
      if (!allowed[t]) continue;
      const float slope = shares[t] / total - (costs[t] == least ? shares[t] / good : 0.0F);
      network_.choice_bias.gradient(0)[t] += slope;
      for (std::size_t j = 0; j < kHidden; ++j) {
        network_.choices.gradient(t)[j] += slope * hidden_[j];
        if (hidden_[j] > 0) gradient[j] += slope * network_.choices.row(t)[j];
      }
    }
    for (std::size_t j = 0; j < kHidden; ++j) network_.hidden_bias.gradient(0)[j] += gradient[j];
    for_each_part([&](const float*, float* slopes) {
      for (std::size_t j = 0; j < kHidden; ++j) slopes[j] += gradient[j];
    });
    return right;
  }

  // Calls visit(values, gradient) for everything that is added up in the state.
  template <typename Visit>
  void for_each_part(const Visit& visit) {
    for (std::size_t slot = 0; slot < kStateSlots; ++slot) {
      const std::int32_t word = view_.words[slot];
      if (word == kNobody || static_cast<std::size_t>(word) == n_words_) {
        Matrix& absent = word == kNobody ? network_.nobody : network_.root;
        visit(absent.row(slot), absent.gradient(slot));
        continue;
      }
      const std::size_t at = ((begin_ + static_cast<std::size_t>(word)) * kStateSlots + slot) * kHidden;
      visit(batch_.parts.data() + at, batch_.part_gradients.data() + at);
    }
    for (const std::size_t count : view_.counts)
      visit(network_.counts.row(count), network_.counts.gradient(count));
  }

  Network& network_;
  Batch& batch_;
  std::size_t begin_, n_words_;
  ArcHybridState state_;
  StateView view_{};
  std::array<float, kHidden> hidden_{};
  std::array<float, kTransitions> scores_{};
};

void learn_batch(Learner& learner, const std::vector<const Sentence*>& sentences, const Rows& rows,
                 double daring, float rate, Random& random) {
  Batch batch;
  learner.forward(sentences, rows, kWordDropout, batch);
  batch.part_gradients.assign(batch.parts.size(), 0);
  std::vector<float> tags(batch.tags.size()), dependents(batch.dependents.size()), heads(batch.heads.size());
  Network& network = learner.network;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const Sentence& sentence = *sentences[s];
    for (std::size_t word = 0; word < sentence.size(); ++word) {
      const std::size_t at = batch.begins[s] + word;
      const std::span tag(tags.data() + at * kTagRoom, kTagRoom);
      for (std::size_t k = 0; k < kTagRoom; ++k)
        tag[k] = batch.tags[at * kTagRoom + k] + network.tag_bias.row(0)[k];
      softmax_gradient(tag, static_cast<std::size_t>(sentence.tags[word]));
      for (std::size_t k = 0; k < kTagRoom; ++k) network.tag_bias.gradient(0)[k] += tag[k];
      if (sentence.heads[word] < 0) continue;
      const std::size_t head = batch.begins[s] + static_cast<std::size_t>(sentence.heads[word]);
      std::array<float, kRelationRoom> relation;
      for (std::size_t k = 0; k < kRelationRoom; ++k)
        relation[k] = batch.dependents[at * kRelationRoom + k] + batch.heads[head * kRelationRoom + k] +
                      network.relation_bias.row(0)[k];
      softmax_gradient(relation, static_cast<std::size_t>(sentence.relations[word]));
      for (std::size_t k = 0; k < kRelationRoom; ++k) {
        dependents[at * kRelationRoom + k] += relation[k];
        heads[head * kRelationRoom + k] += relation[k];
        network.relation_bias.gradient(0)[k] += relation[k];
      }
    }
    Walker(learner, batch, batch.begins[s], sentence.size()).learn(sentence, daring, random);
  }
  learner.backward(batch, tags, dependents, heads, rate);
}

Accuracy evaluate(Learner& learner, const std::vector<Sentence>& sentences, const Rows& rows) {
  Accuracy found;
  Batch batch;
  for (const Sentence& sentence : sentences) {
    learner.forward({&sentence}, rows, 0, batch);
    const std::size_t begin = batch.begins[0];
    Walker walker(learner, batch, begin, sentence.size());
    const auto heads = walker.parse();
    for (std::size_t word = 0; word < sentence.size(); ++word) {
      float* tags = batch.tags.data() + (begin + word) * kTagRoom;
      for (std::size_t k = 0; k < kTagRoom; ++k) tags[k] += learner.network.tag_bias.row(0)[k];
      found.tags += std::max_element(tags, tags + kTagRoom) - tags == sentence.tags[word];
      found.heads += heads[word] == sentence.heads[word];
    }
    found.words += sentence.size();
  }
  return found;
}

// The most frequent keys of the words, in rising order.
std::vector<std::uint32_t> choose_keys(const Treebank& bank, std::size_t most) {
  std::unordered_map<std::uint32_t, std::size_t> counts;
  for (std::size_t word = 0; word < bank.words.size(); ++word)
    if (bank.counts[word] > 0)
      for (const std::uint32_t key : word_keys(bank.words[word])) counts[key] += bank.counts[word];
  std::vector<std::pair<std::size_t, std::uint32_t>> ranked;
  for (const auto& [key, count] : counts)
    if (count >= kFewestSightings) ranked.emplace_back(count, key);
  std::sort(ranked.rbegin(), ranked.rend());
  ranked.resize(std::min(ranked.size(), most));
  std::vector<std::uint32_t> keys;
  for (const auto& [count, key] : ranked) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

Rows find_rows(const Treebank& bank, const std::vector<std::uint32_t>& keys) {
  Rows rows(bank.words.size());
  for (std::size_t word = 0; word < rows.size(); ++word) {
    for (const std::uint32_t key : word_keys(bank.words[word])) {
      const auto place = std::lower_bound(keys.begin(), keys.end(), key);
      if (place != keys.end() && *place == key)
        rows[word].push_back(static_cast<std::size_t>(place - keys.begin()) + kFirstKeyRow);
      else if (rows[word].empty())
        rows[word].push_back(kUnknownRow);
    }
  }
  return rows;
}

void run(char** arguments) {
  Treebank bank;
  const auto training = read_trees(arguments[1], bank, true);
  const auto held_out = read_trees(arguments[2], bank, false);
  const auto keys = choose_keys(bank, std::stoul(arguments[7]));
  std::ofstream(arguments[3], std::ios::binary)
      .write(reinterpret_cast<const char*>(keys.data()), static_cast<std::streamsize>(keys.size() * 4));
  const Rows rows = find_rows(bank, keys);
  Random random(std::stoul(arguments[6]));
  Learner learner(keys.size() + kFirstKeyRow, random);
  std::printf("%zu sentences, %zu different words, %zu keys\n", training.size(), bank.words.size(),
              keys.size());

  std::vector<std::size_t> order(training.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t epochs = std::stoul(arguments[5]),
                    n_steps = epochs * ((order.size() + kSentencesPerStep - 1) / kSentencesPerStep);
  std::size_t n_done = 0;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t at = 0; at < order.size(); at += kSentencesPerStep, ++n_done) {
      std::vector<const Sentence*> sentences;
      for (std::size_t i = at; i < std::min(order.size(), at + kSentencesPerStep); ++i)
        sentences.push_back(&training[order[i]]);
      const float warm = std::min(1.0F, static_cast<float>(n_done + 1) / 300),
                  left = 1 - static_cast<float>(n_done) / static_cast<float>(n_steps);
      learn_batch(learner, sentences, rows, epoch == 0 ? 0.2 : 0.9, kRate * warm * (0.02F + 0.98F * left),
                  random);
    }
    const Accuracy found = evaluate(learner, held_out, rows);
    const double share = 100.0 / static_cast<double>(std::max<std::size_t>(found.words, 1));
    std::printf("epoch %zu: %.2f %% of heads and %.2f %% of tags on held-out text\n", epoch + 1,
                share * static_cast<double>(found.heads), share * static_cast<double>(found.tags));
    std::fflush(stdout);
    learner.network.write(arguments[4]);
  }
}

}  // namespace
}  // namespace tertium::training

int main(int count, char** arguments) {
  if (count != 8) {
    std::fprintf(stderr, "usage: %s TRAINING HELD_OUT KEYS WEIGHTS EPOCHS SEED MOST_ROWS\n", arguments[0]);
    return 2;
  }
  try {
    tertium::training::run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
