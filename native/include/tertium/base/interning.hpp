// Converts texts to a column of ids on several threads, with the ids that a single thread would assign: an id
// is the rank of a word's first appearance. Linear in the length of the texts.
#pragma once

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"

namespace tertium {

struct OwnedColumn {
  PooledVector<std::int32_t> ids;
  PooledVector<std::int64_t> offsets;
};

namespace interning {

// A block of neighbouring texts.
struct TextRange {
  std::size_t first, last;
};

// The result of one thread: the tokens of some blocks, with ids of its own vocabulary.
struct Part {
  Vocabulary vocabulary;
  std::vector<std::size_t> first_texts;  // of each of its ids, the first text that has it
  PooledVector<std::int32_t> ids;
  std::vector<TextRange> blocks;     // of the ids, in the order of the texts
  std::vector<std::int32_t> global;  // its id -> the shared id
};

// An estimate of the number of tokens: few texts have more than a quarter of their bytes. Vectors grow where
// a text has more.
inline std::size_t expected_tokens(std::span<const std::string_view> texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  return bytes / 4 + texts.size();
}

// Appends ids to a column; most writes are one comparison and one store.
class IdWriter {
 public:
  explicit IdWriter(PooledVector<std::int32_t>& ids) : ids_(ids) { open(ids.size()); }
  IdWriter(const IdWriter&) = delete;
  IdWriter& operator=(const IdWriter&) = delete;
  ~IdWriter() { ids_.truncate(size()); }

  std::size_t size() const { return static_cast<std::size_t>(next_ - ids_.data()); }
  void write(std::int32_t id) {
    if (next_ == end_) open(size());
    *next_++ = id;
  }

 private:
  static constexpr std::size_t kMinCapacity = 1024;  // ids: avoids many small reallocations at the beginning

  void open(std::size_t size) {
    if (size + 1 > ids_.capacity()) ids_.reserve(std::max(2 * size, kMinCapacity));
    ids_.resize(uninitialized(ids_.capacity()));
    next_ = ids_.data() + size;
    end_ = ids_.data() + ids_.size();
  }

  PooledVector<std::int32_t>& ids_;
  std::int32_t* next_ = nullptr;
  std::int32_t* end_ = nullptr;
};

// Calls done(i) after each text.
template <typename Tokenize, typename Done>
void tokenize_block(Tokenize& cut, std::span<const std::string_view> texts, Vocabulary& vocabulary,
                    PooledVector<std::int32_t>& ids, std::span<std::int64_t> lengths, const Done& done) {
  InterruptCheck interrupt_check;
  IdWriter writer(ids);
  const auto emit = [&](std::string_view token, std::size_t room = 0) {
    writer.write(vocabulary.intern(token, room));
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    interrupt_check.tick(texts[i].size());
    const std::size_t before = writer.size();
    cut(texts[i], emit);
    lengths[i] = static_cast<std::int64_t>(writer.size() - before);
    done(i);
  }
}

// Tokenises blocks of texts until none are left; taking small blocks balances threads of different speed.
template <typename Tokenize>
Part tokenize_part(Tokenize cut, std::span<const std::string_view> texts, std::size_t block,
                   std::size_t n_expected, std::atomic<std::size_t>& next, std::span<std::int64_t> lengths) {
  Part part;
  part.ids.reserve(n_expected);
  for (std::size_t first; (first = next.fetch_add(block)) < texts.size();) {
    const std::size_t count = std::min(block, texts.size() - first);
    part.blocks.push_back({first, first + count});
    tokenize_block(cut, texts.subspan(first, count), part.vocabulary, part.ids, lengths.subspan(first, count),
                   [&](std::size_t i) { part.first_texts.resize(part.vocabulary.size(), first + i); });
  }
  return part;
}

// Assigns a shared id to every word of the parts, in the order of the first texts that contain them. No text
// is in two parts.
inline void merge_words(std::span<Part> parts, Vocabulary& vocabulary) {
  for (;;) {
    Part* earliest = nullptr;
    for (Part& part : parts)
      if (part.global.size() < part.vocabulary.size() &&
          (earliest == nullptr ||
           part.first_texts[part.global.size()] < earliest->first_texts[earliest->global.size()]))
        earliest = &part;
    if (earliest == nullptr) return;
    const auto next = static_cast<std::int32_t>(earliest->global.size());
    earliest->global.push_back(vocabulary.intern(earliest->vocabulary.word(next)));
  }
}

// Writes the ids of a part, converted to shared ones, to the places of its blocks.
inline void write_part(const Part& part, std::span<const std::int64_t> offsets, std::int32_t* ids) {
  const std::int32_t* from = part.ids.data();
  for (const TextRange& block : part.blocks)
    for (auto at = offsets[block.first]; at < offsets[block.last]; ++at)
      ids[at] = part.global[static_cast<std::size_t>(*from++)];
}

}  // namespace interning

// Calls make_cutter() once per thread; the cutter passes every token of a text to a function, with the number
// of bytes that may be read from the token's beginning, if it knows it. Each thread assigns ids of its own;
// merging the vocabularies by first texts gives every word the id that a single thread would assign.
template <typename MakeCutter>
OwnedColumn intern_with(const MakeCutter& make_cutter, std::span<const std::string_view> texts,
                        Vocabulary& vocabulary, std::size_t threads) {
  OwnedColumn column;
  column.offsets.assign(texts.size() + 1, 0);
  const std::span<std::int64_t> lengths = std::span(column.offsets).subspan(1);
  const std::size_t workers = useful_threads(texts.size(), threads);
  std::vector<interning::Part> parts(workers);
  if (workers == 1) {
    auto cut = make_cutter();
    column.ids.reserve(interning::expected_tokens(texts));
    interning::tokenize_block(cut, texts, vocabulary, column.ids, lengths, [](std::size_t) {});
  } else {
    const std::size_t block = std::clamp<std::size_t>(texts.size() / (workers * 16), 1, 1024);
    const std::size_t n_expected = interning::expected_tokens(texts) / workers * 5 / 4;
    std::atomic<std::size_t> next{0};
    on_each_worker(workers, [&](std::size_t worker) {
      parts[worker] = interning::tokenize_part(make_cutter(), texts, block, n_expected, next, lengths);
    });
  }
  std::partial_sum(column.offsets.begin(), column.offsets.end(), column.offsets.begin());
  if (workers > 1) {
    interning::merge_words(parts, vocabulary);
    column.ids.resize(uninitialized(static_cast<std::size_t>(column.offsets.back())));
    on_each_worker(workers, [&](std::size_t worker) {
      interning::write_part(parts[worker], column.offsets, column.ids.data());
    });
  }
  return column;
}

namespace interning {

// Most texts are ASCII, for which the loop is vectorised.
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

// Writes out.size() code points. In ASCII, each byte is written, and kept unless it is a space: no branch.
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

// The code points of the texts, with or without white space.
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
  column.ids.resize(uninitialized(static_cast<std::size_t>(column.offsets.back())));
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
  std::size_t n_bytes = 0, end = 0;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    n_bytes += vocabulary.word(static_cast<std::int32_t>(id)).size();
  OwnedColumn column;
  column.ids.resize(uninitialized(n_bytes));  // no word has more code points than bytes
  column.offsets.assign(vocabulary.size() + 1, 0);
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view word = vocabulary.word(static_cast<std::int32_t>(id));
    const std::size_t count = interning::count_code_points(word, true);
    interning::write_code_points(word, true, std::span(column.ids).subspan(end, count));
    end += count;
    column.offsets[id + 1] = static_cast<std::int64_t>(end);
  }
  column.ids.truncate(end);
  return column;
}

}  // namespace tertium
