// Several threads call kernels at once, each of which starts threads of its own; some throw, some are given
// up. Built with -fsanitize=thread by .ci/sanitize, it ends with 0 if no two threads touch the same memory
// unguarded and every result is what one thread alone computes.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tertium/base/column.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/edits/bag_distance.hpp"
#include "tertium/edits/character.hpp"
#include "tertium/edits/error_rates.hpp"
#include "tertium/edits/levenshtein.hpp"
#include "tertium/edits/ter.hpp"
#include "tertium/ngrams/bleu.hpp"
#include "tertium/ngrams/overlap.hpp"
#include "tertium/ngrams/ribes.hpp"

namespace {

constexpr std::size_t kSegments = 256, kOrder = 4, kCallers = 4, kThreads = 3, kRounds = 2;

struct Texts {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};

  Texts(unsigned seed, std::size_t longest) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < kSegments; ++i) {
      for (std::size_t left = random() % longest; left > 0; --left)
        ids.push_back(static_cast<std::int32_t>(random() % 50));
      offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
  }
  tertium::Column column() const { return {ids, offsets}; }
};

struct Data {
  Texts hypotheses{1, 30}, references{2, 30}, spellings{3, 9};
  std::vector<std::int64_t> groups;

  Data() {
    for (std::size_t i = 0; i <= kSegments; ++i) groups.push_back(static_cast<std::int64_t>(i));
  }
  tertium::TextPairs pairs() const { return {hypotheses.column(), {references.column(), groups}}; }
};

template <typename Distance>
std::vector<double> count_errors(const Data& data, std::size_t threads) {
  std::vector<double> rows(2 * kSegments);
  tertium::error_statistics<Distance>(data.pairs(), threads, rows);
  return rows;
}

// Fills a table of so many columns.
template <typename Kernel>
std::vector<double> fill(std::size_t width, const Kernel& kernel) {
  std::vector<double> rows(width * kSegments);
  kernel(std::span(rows));
  return rows;
}

std::vector<std::vector<double>> compute(const Data& data, std::size_t threads) {
  using Rows = std::span<double>;
  const auto pairs = data.pairs();
  return {
      count_errors<tertium::Levenshtein>(data, threads),
      count_errors<tertium::BagDistance>(data, threads),
      count_errors<tertium::TranslationEdits>(data, threads),
      fill(2 + 2 * kOrder, [&](Rows rows) { tertium::bleu_statistics(pairs, kOrder, threads, rows); }),
      fill(3 * kOrder, [&](Rows rows) { tertium::overlap_statistics(pairs, kOrder, threads, rows); }),
      fill(3, [&](Rows rows) { tertium::rank_statistics(pairs, threads, rows); }),
      fill(3,
           [&](Rows rows) {
             tertium::character_statistics(pairs, data.spellings.column(), 1, threads, rows);
           }),
  };
}

// A worker that fails fails the whole, and the others end.
bool passes_failures_on(std::size_t threads) {
  try {
    tertium::parallel_for(kSegments, threads, [] {
      return [](std::size_t i) {
        if (i == kSegments / 2) throw std::runtime_error("as planned");
      };
    });
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

// Whoever is asked to stop stops, in every thread.
bool can_be_given_up(const Data& data) {
  const tertium::InterruptScope scope([] { return true; });
  try {
    for (int round = 0; round < 1000; ++round) compute(data, kThreads);
  } catch (const tertium::Interrupted&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  const Data data;
  const auto expected = compute(data, 1);
  std::atomic<int> failures{0};
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < kCallers; ++caller)
    callers.emplace_back([&] {
      for (std::size_t round = 0; round < kRounds; ++round) {
        if (compute(data, kThreads) != expected) ++failures;
        if (!passes_failures_on(kThreads)) ++failures;
      }
      if (!can_be_given_up(data)) ++failures;
    });
  for (auto& caller : callers) caller.join();
  std::printf("%d failures\n", failures.load());
  return failures == 0 ? 0 : 1;
}
