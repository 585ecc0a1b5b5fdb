// Converts texts to a column of ids on several threads, with the ids that a single thread would assign: an id
// is the rank of a word's first appearance. Linear in the length of the texts.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
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

// Neighbouring texts.
struct TextRange {
  std::size_t first = 0, last = 0;

  std::size_t size() const { return last - first; }
};

// Distributes texts over workers: each begins with an equal share and takes it block by block. A worker that
// has none left takes over the second half of the largest rest, which balances threads of different speed.
class TextShares {
 public:
  TextShares(std::size_t texts, std::size_t workers)
      : block_(std::clamp<std::size_t>(texts / (workers * 16), 1, 1024)) {
    for (std::size_t worker = 0; worker < workers; ++worker)
      rests_.push_back({texts * worker / workers, texts * (worker + 1) / workers});
  }

  // The next block of a worker; it is empty if no texts are left.
  TextRange take(std::size_t worker) {
    const std::lock_guard lock(lock_);
    TextRange& rest = rests_[worker];
    if (rest.size() == 0) take_over(rest);
    const TextRange block{rest.first, std::min(rest.first + block_, rest.last)};
    rest.first = block.last;
    return block;
  }

 private:
  void take_over(TextRange& rest) {
    TextRange& largest = *std::ranges::max_element(rests_, {}, &TextRange::size);
    const std::size_t middle = largest.first + largest.size() / 2;
    rest = {middle, largest.last};
    largest.last = middle;
  }

  std::size_t block_;
  std::mutex lock_;
  std::vector<TextRange> rests_;
};

// The tokens of neighbouring texts, with ids of a vocabulary of their own.
struct Part {
  TextRange texts;
  Vocabulary vocabulary;
  PooledVector<std::int32_t> ids;
};

// Gives tokens the ids that convert(token) has in the shared vocabulary. Each different token is converted
// once.
template <typename Convert>
class SharedWords {
 public:
  SharedWords(Vocabulary& vocabulary, Convert convert)
      : vocabulary_(vocabulary), convert_(std::move(convert)) {}

  std::int32_t intern(std::string_view token, std::size_t room) {
    if constexpr (std::is_same_v<Convert, std::identity>) return vocabulary_.intern(token, room);
    const std::int32_t id = seen_.intern(token, room);
    if (static_cast<std::size_t>(id) == shared_ids_.size()) shared_ids_.push_back(add(seen_.word(id)));
    return shared_ids_[static_cast<std::size_t>(id)];
  }

  // The shared ids of all words of a vocabulary.
  std::vector<std::int32_t> intern_words(const Vocabulary& words) {
    std::vector<std::int32_t> ids(words.size());
    for (std::size_t id = 0; id < ids.size(); ++id) ids[id] = add(words.word(static_cast<std::int32_t>(id)));
    return ids;
  }

 private:
  std::int32_t add(std::string_view word) {
    const std::string_view converted = convert_(word);
    return vocabulary_.intern(converted, converted.data() == word.data() ? Vocabulary::kRoom : 0);
  }

  Vocabulary& vocabulary_;
  Convert convert_;
  Vocabulary seen_;
  std::vector<std::int32_t> shared_ids_;  // of the words of seen_
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

// `words` assigns the ids of tokens.
template <typename Tokenize, typename Words>
void tokenize_block(Tokenize& cut, std::span<const std::string_view> texts, Words& words,
                    PooledVector<std::int32_t>& ids, std::span<std::int64_t> lengths) {
  InterruptCheck interrupt_check;
  IdWriter writer(ids);
  const auto emit = [&](std::string_view token, std::size_t room = 0) {
    writer.write(words.intern(token, room));
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    interrupt_check.tick(texts[i].size());
    const std::size_t before = writer.size();
    cut(texts[i], emit);
    lengths[i] = static_cast<std::int64_t>(writer.size() - before);
  }
}

// Writes the ids of a part, converted to shared ones, to their places in the column.
inline void write_part(const Part& part, std::span<const std::int32_t> shared_ids, std::size_t threads,
                       OwnedColumn& column) {
  constexpr std::size_t kMinIdsPerThread = std::size_t{1}
                                           << 17;  // writing them takes as long as starting a thread
  const std::int64_t begin = column.offsets[part.texts.first];
  const std::size_t writers = std::min(threads, part.ids.size() / kMinIdsPerThread + 1);
  parallel_for(part.texts.size(), writers, [&] {
    return [&](std::size_t i) {
      const std::size_t text = part.texts.first + i;
      for (auto at = column.offsets[text]; at < column.offsets[text + 1]; ++at)
        column.ids[static_cast<std::size_t>(at)] =
            shared_ids[static_cast<std::size_t>(part.ids[static_cast<std::size_t>(at - begin)])];
    };
  });
}

// The first texts, which the calling thread tokenises, get their shared ids at once. The parts of other
// threads follow in the order of the texts.
template <typename MakeCutter, typename Words>
std::vector<Part> tokenize_parts(const MakeCutter& make_cutter, std::span<const std::string_view> texts,
                                 std::size_t workers, Words& words, PooledVector<std::int32_t>& ids,
                                 std::span<std::int64_t> lengths) {
  const std::size_t n_expected = ids.capacity() / workers * 5 / 4;  // of a worker's own share
  std::vector<std::vector<Part>> found(workers);
  TextShares shares(texts.size(), workers);
  on_each_worker(workers, [&](std::size_t worker) {
    auto cut = make_cutter();
    const auto tokenize = [&](const TextRange& block, auto& with, PooledVector<std::int32_t>& into) {
      tokenize_block(cut, texts.subspan(block.first, block.size()), with, into,
                     lengths.subspan(block.first, block.size()));
    };
    TextRange block = shares.take(worker);
    for (std::size_t next = 0; worker == 0 && block.size() > 0 && block.first == next;
         block = shares.take(0)) {
      tokenize(block, words, ids);
      next = block.last;
    }
    for (std::vector<Part>& parts = found[worker]; block.size() > 0; block = shares.take(worker)) {
      if (parts.empty() || parts.back().texts.last != block.first) {
        parts.push_back({.texts = {block.first, block.first}, .vocabulary = {}, .ids = {}});
        if (parts.size() == 1) parts.back().ids.reserve(n_expected);
      }
      tokenize(block, parts.back().vocabulary, parts.back().ids);
      parts.back().texts.last = block.last;
    }
  });
  std::vector<Part> parts;
  for (auto& own : found) std::ranges::move(own, std::back_inserter(parts));
  std::ranges::sort(parts, {}, [](const Part& part) { return part.texts.first; });
  return parts;
}

}  // namespace interning

// Calls make_cutter() once per thread; the cutter passes every token of a text to a function, with the number
// of bytes that may be read from the token's beginning, if it knows it. The vocabulary gets convert(token),
// which is called on the calling thread only. That thread gives the first texts their ids; other threads
// assign ids of their own to later texts. Merging these vocabularies in the order of the texts gives every
// word the id that a single thread would assign.
template <typename MakeCutter, typename Convert = std::identity>
OwnedColumn intern_with(const MakeCutter& make_cutter, std::span<const std::string_view> texts,
                        Vocabulary& vocabulary, std::size_t threads, Convert convert = {}) {
  OwnedColumn column;
  column.offsets.assign(texts.size() + 1, 0);
  column.ids.reserve(interning::expected_tokens(texts));
  interning::SharedWords<Convert> words(vocabulary, std::move(convert));
  const auto parts = interning::tokenize_parts(make_cutter, texts, useful_threads(texts.size(), threads),
                                               words, column.ids, std::span(column.offsets).subspan(1));
  std::partial_sum(column.offsets.begin(), column.offsets.end(), column.offsets.begin());
  column.ids.resize(uninitialized(static_cast<std::size_t>(column.offsets.back())));
  for (const interning::Part& part : parts)
    interning::write_part(part, words.intern_words(part.vocabulary), threads, column);
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
