// From texts to a column of ids, on several threads, with the ids one thread would give: an id is the rank of
// a word's first appearance, whoever met it. Linear in the texts' length.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/base/warm_memory.hpp"

namespace tertium {

struct OwnedColumn {
  WarmVector<std::int32_t> ids;
  WarmVector<std::int64_t> offsets;
};

namespace interning {

// One thread's share: tokens of texts [first, last) under ids of its own.
struct Part {
  Vocabulary vocabulary;
  WarmVector<std::int32_t> ids;
  std::vector<std::int32_t> global;  // the part's id -> the shared id
};

// Few texts have more tokens than a quarter of their bytes; whoever does makes room again.
inline std::size_t expected_tokens(std::span<const std::string_view> texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  return bytes / 4 + texts.size();
}

// Appends ids to a column; to check for room and to write is all that most of them take.
class IdWriter {
 public:
  explicit IdWriter(WarmVector<std::int32_t>& ids) : ids_(ids) { open(ids.size()); }
  IdWriter(const IdWriter&) = delete;
  IdWriter& operator=(const IdWriter&) = delete;
  ~IdWriter() { ids_.resize(size()); }

  std::size_t size() const { return static_cast<std::size_t>(next_ - ids_.data()); }
  void write(std::int32_t id) {
    if (next_ == end_) open(size());
    *next_++ = id;
  }

 private:
  static constexpr std::size_t kLeast = 1024;

  void open(std::size_t size) {
    if (size + 1 > ids_.capacity()) ids_.reserve(std::max(2 * size, kLeast));
    ids_.resize(ids_.capacity());
    next_ = ids_.data() + size;
    end_ = ids_.data() + ids_.size();
  }

  WarmVector<std::int32_t>& ids_;
  std::int32_t* next_ = nullptr;
  std::int32_t* end_ = nullptr;
};

template <typename Tokenize>
void tokenize_part(Tokenize cut, std::span<const std::string_view> texts, Vocabulary& vocabulary,
                   WarmVector<std::int32_t>& ids, std::span<std::int64_t> lengths) {
  Pace pace;
  IdWriter writer(ids);
  const auto emit = [&](std::string_view token, std::size_t room = 0) {
    writer.write(vocabulary.intern(token, room));
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    pace.spend(texts[i].size());
    const std::size_t before = writer.size();
    cut(texts[i], emit);
    lengths[i] = static_cast<std::int64_t>(writer.size() - before);
  }
}

// Puts what the parts hold, under shared ids, behind what is there.
inline void append_parts(std::span<Part> parts, Vocabulary& vocabulary, WarmVector<std::int32_t>& ids) {
  std::vector<std::size_t> ends(parts.size());
  std::size_t end = ids.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].global = vocabulary.intern_words_of(parts[i].vocabulary);
    ends[i] = end += parts[i].ids.size();
  }
  ids.resize(end);
  on_each_worker(parts.size(), [&](std::size_t i) {
    const Part& part = parts[i];
    auto* out = ids.data() + (ends[i] - part.ids.size());
    for (const std::int32_t id : part.ids) *out++ = part.global[static_cast<std::size_t>(id)];
  });
}

}  // namespace interning

// Calls make_cutter() once per thread; the cutter it returns hands every token of a text to a function, with
// the number of bytes that may be read from its beginning on, if the cutter knows it.
// The first thread numbers words for all, each of the others for itself; merging their shares in order
// gives every word the id of its first appearance, so the result does not depend on the number of threads.
template <typename MakeCutter>
OwnedColumn intern_with(const MakeCutter& make_cutter, std::span<const std::string_view> texts,
                        Vocabulary& vocabulary, std::size_t threads) {
  OwnedColumn column;
  column.offsets.assign(texts.size() + 1, 0);
  column.ids.reserve(interning::expected_tokens(texts));
  const std::span<std::int64_t> lengths = std::span(column.offsets).subspan(1);
  const std::size_t workers = useful_threads(texts.size(), threads);
  std::vector<interning::Part> parts(workers);  // the first one stays empty
  const auto bound = [&](std::size_t worker) { return texts.size() * worker / workers; };
  on_each_worker(workers, [&](std::size_t worker) {
    const std::size_t first = bound(worker);
    const std::size_t count = bound(worker + 1) - first;
    const auto own_texts = texts.subspan(first, count);
    const auto own_lengths = lengths.subspan(first, count);
    if (worker == 0)
      return interning::tokenize_part(make_cutter(), own_texts, vocabulary, column.ids, own_lengths);
    interning::Part part;  // on this thread's own stack: neighbours in `parts` would share cache lines
    part.ids.reserve(interning::expected_tokens(own_texts));
    interning::tokenize_part(make_cutter(), own_texts, part.vocabulary, part.ids, own_lengths);
    parts[worker] = std::move(part);
  });
  std::partial_sum(column.offsets.begin(), column.offsets.end(), column.offsets.begin());
  interning::append_parts(parts, vocabulary, column.ids);
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

// Writes as many as were counted; in ASCII a byte is written first and kept unless it is a space.
inline void write_code_points(std::string_view text, bool keep_space, std::span<std::int32_t> out) {
  std::size_t end = 0;
  if (is_ascii(text)) {
    for (std::size_t at = 0; end < out.size(); ++at) {
      out[end] = text[at];
      end += keep_space || !is_ascii_space(text[at]);
    }
    return;
  }
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
