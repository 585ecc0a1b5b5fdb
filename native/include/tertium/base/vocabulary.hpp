// A two-way table between strings and dense ids, in order of first appearance. A lookup takes constant time
// on average. The strings are stored in blocks that never move, so views of them stay valid. A vocabulary can
// be mapped to lower case.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/prefetch.hpp"

namespace tertium {

inline std::uint64_t mix64(std::uint64_t x) {
  // The finaliser of MurmurHash3: every input bit reaches every output bit.
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

inline std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL ^ text.size();
  const char* data = text.data();
  std::size_t left = text.size();
  for (; left >= 8; data += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    hash = (hash ^ word) * 0x9fb21c651e98df25ULL;
    hash ^= hash >> 32;
  }
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < left; ++i)
    tail |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[i])) << (8 * i);
  return mix64(hash ^ tail);
}

// Up to eight bytes as one number, the first byte lowest. Different texts of the same length have different
// numbers.
inline std::uint64_t pack_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  };
  const std::size_t size = text.size();
  if (size == 0) return 0;
  if (size < 4) return byte(0) | byte(size / 2) | byte(size - 1);
  const auto four = [&](std::size_t i) { return byte(i) | byte(i + 1) | byte(i + 2) | byte(i + 3); };
  return four(0) | four(size - 4);  // two reads that may overlap
}

// The same where eight bytes may be read from the text's beginning: superfluous bytes are masked out.
inline std::uint64_t pack_bytes_within_eight(std::string_view text) {
  if constexpr (std::endian::native != std::endian::little) return pack_bytes(text);
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};
  static constexpr std::uint64_t kMasks[] = {0,          kAll >> 56, kAll >> 48, kAll >> 40, kAll >> 32,
                                             kAll >> 24, kAll >> 16, kAll >> 8,  kAll};
  std::uint64_t eight;
  std::memcpy(&eight, text.data(), 8);
  return eight & kMasks[text.size()];
}

// Eight bytes at any address.
inline std::uint64_t read_eight(const char* at) {
  std::uint64_t eight;
  std::memcpy(&eight, at, 8);
  return eight;
}

// For texts of more than eight bytes. The last eight bytes are read again even if they overlap the first, so
// that no branch depends on a length of up to sixteen.
inline std::uint64_t hash_long(std::string_view text) {
  const char* data = text.data();
  const char* last = data + text.size() - 8;
  std::uint64_t hash = read_eight(data) * 0x9fb21c651e98df25ULL;
  for (data += 8; data < last; data += 8)
    hash = ((hash ^ (hash >> 32)) + read_eight(data)) * 0x9fb21c651e98df25ULL;
  hash = ((hash ^ (hash >> 32)) + read_eight(last)) * 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 29);
}

// Whether two texts of the same length, more than eight bytes, are equal.
inline bool same_long(std::string_view a, std::string_view b) {
  const std::size_t last = a.size() - 8;
  const std::uint64_t differs = (read_eight(a.data()) ^ read_eight(b.data())) |
                                (read_eight(a.data() + last) ^ read_eight(b.data() + last));
  return differs == 0 && (last <= 8 || std::memcmp(a.data() + 8, b.data() + 8, last - 8) == 0);
}

class Vocabulary {
 public:
  Vocabulary() : slots_(std::size_t{1} << kFirstBits, Slot()) {}
  Vocabulary(const Vocabulary&) = delete;  // words are views into the arena
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  std::size_t size() const { return words_.size(); }
  // kRoom bytes may be read from its beginning, even if it is shorter.
  std::string_view word(std::int32_t id) const { return words_[static_cast<std::size_t>(id)]; }
  static constexpr std::size_t kRoom = 8;

  // The text's id, or -1 if it has none.
  std::int32_t find(std::string_view text) const { return slots_[place(Key(text), text)].id; }

  // `room`: how many bytes may be read from the text's beginning, if more than its own.
  std::int32_t intern(std::string_view text, std::size_t room = 0) {
    const Key key(text, room);
    const std::size_t at = place(key, text);
    return slots_[at].id >= 0 ? slots_[at].id : add(at, key, text);
  }

  // All words from id `first` on; kRoom bytes may be read from the beginning of each.
  std::span<const std::string_view> words(std::size_t first) const {
    return std::span(words_).subspan(std::min(first, words_.size()));
  }

  std::vector<std::int32_t> intern_all(std::span<const std::string_view> texts, std::size_t room = 0) {
    std::vector<std::int32_t> ids;
    ids.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i + kAhead < texts.size()) prefetch(&slots_[Key(texts[i + kAhead], room).spread() >> shift_]);
      ids.push_back(intern(texts[i], room));
    }
    return ids;
  }

 private:
  // A cheap comparison key: a word of at most eight bytes is its own key, a longer one has a hash.
  struct Key {
    std::uint64_t bits;
    std::uint32_t length;

    Key(std::uint64_t known_bits, std::uint32_t known_length) : bits(known_bits), length(known_length) {}
    explicit Key(std::string_view text, std::size_t room = 0)
        : bits(text.size() > 8 ? hash_long(text)
               : room >= 8     ? pack_bytes_within_eight(text)
                               : pack_bytes(text)),
          length(static_cast<std::uint32_t>(text.size())) {}
    bool operator==(const Key&) const = default;
    bool is_exact() const { return length <= 8; }
    // The high bits of a product depend on all bits of its factors.
    std::uint64_t spread() const {
      const std::uint64_t all = bits + (std::uint64_t{length} << 59);
      return (all ^ (all >> 32)) * 0x9e3779b97f4a7c15ULL;
    }
  };
  struct Slot {  // 16 bytes: four per cache line
    std::uint64_t bits = 0;
    std::uint32_t length = 0;
    std::int32_t id = -1;

    Slot() = default;
    Slot(const Key& key, std::int32_t number) : bits(key.bits), length(key.length), id(number) {}
    Key key() const { return Key(bits, length); }
  };
  static constexpr int kFirstBits =
      10;  // 16 kB of slots: a small vocabulary stays within a first-level cache
  static constexpr std::size_t kAhead = 8;  // texts: far enough to hide the latency of a second-level cache
  static constexpr std::size_t kManySlots = std::size_t{1} << 16;   // 1 MB: fewer grow faster
  static constexpr std::size_t kArenaBlock = std::size_t{1} << 16;  // bytes: few allocations, little waste

  // The slot that has the text, or the one where it belongs.
  std::size_t place(const Key& key, std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key.spread() >> shift_;
    while (slots_[at].id >= 0 &&
           !(slots_[at].key() == key && (key.is_exact() || same_long(word(slots_[at].id), text))))
      at = (at + 1) & mask;
    return at;
  }

  std::int32_t add(std::size_t at, const Key& key, std::string_view text) {
    if (words_.size() >= INT32_MAX) throw std::length_error("more than 2,147,483,647 different tokens");
    if (text.size() > UINT32_MAX) throw std::length_error("a token of more than 4,294,967,295 bytes");
    if (2 * (words_.size() + 1) > slots_.size()) {  // first, because it may fail
      grow();
      at = place(key, text);
    }
    const auto id = static_cast<std::int32_t>(words_.size());
    words_.push_back(keep(text));
    slots_[at] = Slot(key, id);
    return id;
  }

  void grow() {
    const int bits = slots_.size() < kManySlots ? 2 : 1;
    PooledVector<Slot> wider(slots_.size() << bits, Slot());
    const std::size_t mask = wider.size() - 1;
    shift_ -= bits;
    for (const Slot& slot : slots_) {
      if (slot.id < 0) continue;
      std::size_t at = slot.key().spread() >> shift_;
      while (wider[at].id >= 0) at = (at + 1) & mask;
      wider[at] = slot;
    }
    slots_.swap(wider);
  }

  std::string_view keep(std::string_view text) {
    if (text.size() > room_ || free_ == nullptr) {
      const std::size_t block = std::max(kArenaBlock, text.size());
      arena_.push_back(std::make_unique<char[]>(block + kRoom));
      free_ = arena_.back().get();
      room_ = block;
    }
    if (!text.empty()) std::memcpy(free_, text.data(), text.size());
    const std::string_view kept(free_, text.size());
    free_ += text.size();
    room_ -= text.size();
    return kept;
  }

  PooledVector<Slot> slots_;
  int shift_ = 64 - kFirstBits;  // shifting a spread key right by this gives its slot
  PooledVector<std::string_view> words_;
  std::deque<std::unique_ptr<char[]>> arena_;
  char* free_ = nullptr;
  std::size_t room_ = 0;
};

// Returns the lower case of a vocabulary's word, which is valid until the next call. Only ASCII is
// lower-cased here: the caller provides the lower case of other words.
class LowerCase {
 public:
  using Other = std::string (*)(std::string_view word);

  // `other` lower-cases a word that is not ASCII.
  explicit LowerCase(Other other) : other_(other) {}

  std::string_view operator()(std::string_view word) {
    bool is_lower = true;
    for (const char c : word) is_lower &= !is_upper(c) && is_ascii(c);
    return is_lower ? word : convert(word);
  }

 private:
  static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
  static bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

  std::string_view convert(std::string_view word) {
    if (!std::ranges::all_of(word, is_ascii)) return lowered_ = other_(word);
    lowered_ = word;
    for (char& c : lowered_)
      if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
    return lowered_;
  }

  Other other_;
  std::string lowered_;
};

// The ids in one vocabulary of the lower-cased words of another one, or of the same.
inline std::vector<std::int32_t> intern_lowered(Vocabulary& vocabulary, const Vocabulary& cased,
                                                std::span<const std::int32_t> ids, LowerCase lower) {
  std::vector<std::int32_t> lowered;
  lowered.reserve(ids.size());
  for (const std::int32_t id : ids) lowered.push_back(vocabulary.intern(lower(cased.word(id))));
  return lowered;
}

}  // namespace tertium
