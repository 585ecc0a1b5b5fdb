// From texts to a column of ids, on several threads, with the ids one thread would give: an id is the rank of
// a word's first appearance, whoever met it. Linear in the texts' length.
#pragma once

#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/base/blank_memory.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"

namespace tertium {

struct OwnedColumn {
  BlankVector<std::int32_t> ids;
  BlankVector<std::int64_t> offsets;
};

namespace interning {

// One thread's share: tokens of texts [first, last) under ids of its own.
struct Part {
  Vocabulary vocabulary;
  BlankVector<std::int32_t> ids;
  std::vector<std::int32_t> global;  // the part's id -> the shared id
};

// Few texts have more tokens than a quarter of their bytes; whoever does makes room again.
inline std::size_t expected_tokens(std::span<const std::string_view> texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  return bytes / 4 + texts.size();
}

template <typename Tokenize>
void tokenize_part(Tokenize cut, std::span<const std::string_view> texts, Vocabulary& vocabulary,
                   BlankVector<std::int32_t>& ids, std::span<std::int64_t> lengths) {
  Pace pace;
  ids.reserve(expected_tokens(texts));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    pace.spend(texts[i].size());
    const std::size_t before = ids.size();
    cut(texts[i], [&](std::string_view token) { ids.push_back(vocabulary.intern(token)); });
    lengths[i] = static_cast<std::int64_t>(ids.size() - before);
  }
}

}  // namespace interning

// Calls make_cutter() once per thread; the cutter it returns hands every token of a text to a function.
// Each thread interns its share alone; merging the shares in order gives every word the id of its
// first appearance, so the result does not depend on the number of threads.
template <typename MakeCutter>
OwnedColumn intern_with(const MakeCutter& make_cutter, std::span<const std::string_view> texts,
                        Vocabulary& vocabulary, std::size_t threads) {
  OwnedColumn column;
  column.offsets.assign(texts.size() + 1, 0);
  const std::span<std::int64_t> lengths = std::span(column.offsets).subspan(1);
  const std::size_t workers = useful_threads(texts.size(), threads);
  if (workers == 1) {
    interning::tokenize_part(make_cutter(), texts, vocabulary, column.ids, lengths);
    std::partial_sum(column.offsets.begin(), column.offsets.end(), column.offsets.begin());
    return column;
  }
  std::vector<interning::Part> parts(workers);
  const auto bound = [&](std::size_t worker) { return texts.size() * worker / workers; };
  on_each_worker(workers, [&](std::size_t worker) {
    const std::size_t first = bound(worker);
    const std::size_t count = bound(worker + 1) - first;
    interning::Part part;  // on this thread's own stack: neighbours in `parts` would share cache lines
    interning::tokenize_part(make_cutter(), texts.subspan(first, count), part.vocabulary, part.ids,
                             lengths.subspan(first, count));
    parts[worker] = std::move(part);
  });
  for (auto& part : parts) {
    part.global.reserve(part.vocabulary.size());
    for (std::size_t id = 0; id < part.vocabulary.size(); ++id)
      part.global.push_back(vocabulary.intern(part.vocabulary.word(static_cast<std::int32_t>(id))));
  }
  std::partial_sum(column.offsets.begin(), column.offsets.end(), column.offsets.begin());
  column.ids.resize(static_cast<std::size_t>(column.offsets.back()));
  on_each_worker(workers, [&](std::size_t worker) {
    const auto& part = parts[worker];
    auto* out = column.ids.data() + column.offsets[bound(worker)];
    for (const std::int32_t id : part.ids) *out++ = part.global[static_cast<std::size_t>(id)];
  });
  return column;
}

namespace interning {

// Where all is ASCII, as most often, many bytes are looked at at once.
inline std::size_t count_code_points(std::string_view text, bool keep_space) {
  if (is_ascii(text)) {
    std::size_t spaces = 0;
    for (const char c : text) spaces += is_ascii_space(c);
    return text.size() - (keep_space ? 0 : spaces);
  }
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, length] = decode_at(text, at);
    count += keep_space || !is_space(c);
    at += length;
  }
  return count;
}

// Writes as many as were counted.
inline void write_code_points(std::string_view text, bool keep_space, std::span<std::int32_t> out) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size() && end < out.size();) {
    const auto [c, length] = decode_at(text, at);
    out[end] = static_cast<std::int32_t>(c);
    end += keep_space || !is_space(c);
    at += length;
  }
}

}  // namespace interning

// The code points of the texts themselves, with or without white space.
inline OwnedColumn code_points(std::span<const std::string_view> texts, bool keep_space,
                               std::size_t threads) {
  OwnedColumn column;
  column.offsets.assign(texts.size() + 1, 0);
  parallel_for(texts.size(), threads, [&] {
    return [&](std::size_t i) {
      column.offsets[i + 1] = static_cast<std::int64_t>(interning::count_code_points(texts[i], keep_space));
    };
  });
  std::partial_sum(column.offsets.begin(), column.offsets.end(), column.offsets.begin());
  column.ids.resize(static_cast<std::size_t>(column.offsets.back()));
  parallel_for(texts.size(), threads, [&] {
    return [&](std::size_t i) {
      const auto first = static_cast<std::size_t>(column.offsets[i]);
      const auto count = static_cast<std::size_t>(column.offsets[i + 1]) - first;
      interning::write_code_points(texts[i], keep_space, std::span(column.ids).subspan(first, count));
    };
  });
  return column;
}

// The code points of every word of a vocabulary, in the order of their ids.
inline OwnedColumn spell_words(const Vocabulary& vocabulary) {
  std::vector<std::string_view> words;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    words.push_back(vocabulary.word(static_cast<std::int32_t>(id)));
  return code_points(words, true, 1);
}

}  // namespace tertium
