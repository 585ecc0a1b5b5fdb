// A two-way table between strings and dense ids, in the order of first appearance. Each question takes
// constant time on average; the strings lie in blocks that never move, so views of them stay good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

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

class Vocabulary {
 public:
  Vocabulary() : slots_(kFirstSlots) {}
  Vocabulary(const Vocabulary&) = delete;  // words are views into the arena
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  std::size_t size() const { return words_.size(); }
  std::string_view word(std::int32_t id) const { return words_[static_cast<std::size_t>(id)]; }

  // The text's id, or -1 if it has none.
  std::int32_t find(std::string_view text) const {
    const auto hash = static_cast<std::uint32_t>(hash_bytes(text));
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask; slots_[at].id >= 0; at = (at + 1) & mask)
      if (slots_[at].hash == hash && word(slots_[at].id) == text) return slots_[at].id;
    return -1;
  }

  std::int32_t intern(std::string_view text) {
    const auto hash = static_cast<std::uint32_t>(hash_bytes(text));
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].id >= 0; at = (at + 1) & mask)
      if (slots_[at].hash == hash && word(slots_[at].id) == text) return slots_[at].id;
    return add(at, hash, text);
  }

  std::vector<std::int32_t> intern_all(std::span<const std::string_view> texts) {
    std::vector<std::int32_t> ids;
    ids.reserve(texts.size());
    for (const std::string_view text : texts) ids.push_back(intern(text));
    return ids;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = -1;
  };
  static constexpr std::size_t kFirstSlots = 1024;
  static constexpr std::size_t kArenaBlock = std::size_t{1} << 16;

  std::int32_t add(std::size_t at, std::uint32_t hash, std::string_view text) {
    if (words_.size() >= INT32_MAX) throw std::length_error("more than 2,147,483,647 different tokens");
    const auto id = static_cast<std::int32_t>(words_.size());
    words_.push_back(keep(text));
    slots_[at] = {hash, id};
    if (2 * words_.size() > slots_.size()) grow();
    return id;
  }

  void grow() {
    std::vector<Slot> wider(slots_.size() * 2);
    const std::size_t mask = wider.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.id < 0) continue;
      std::size_t at = slot.hash & mask;
      while (wider[at].id >= 0) at = (at + 1) & mask;
      wider[at] = slot;
    }
    slots_.swap(wider);
  }

  std::string_view keep(std::string_view text) {
    if (text.size() > room_) {
      const std::size_t block = std::max(kArenaBlock, text.size());
      arena_.push_back(std::make_unique<char[]>(block));
      free_ = arena_.back().get();
      room_ = block;
    }
    if (!text.empty()) std::memcpy(free_, text.data(), text.size());
    const std::string_view kept(free_, text.size());
    free_ += text.size();
    room_ -= text.size();
    return kept;
  }

  std::vector<Slot> slots_;
  std::vector<std::string_view> words_;
  std::deque<std::unique_ptr<char[]>> arena_;
  char* free_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace tertium
