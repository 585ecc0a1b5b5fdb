// The features of a single word for the parser: form, shape, prefixes and suffixes, as hashed keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

// The kinds of keys; they distinguish the suffix "ed" from the word "ed". Model files depend on these
// numbers.
enum class WordKey : std::uint8_t { form = 1, shape = 2, cased = 3, suffix = 10, prefix = 20 };

inline constexpr std::size_t kLongestSuffix = 4;
inline constexpr std::size_t kLongestPrefix = 3;
inline constexpr std::size_t kMaxKeys = 3 + kLongestSuffix + kLongestPrefix;

// 32 bits of FNV-1a over the bytes, begun with the kind: the same on every machine.
inline std::uint32_t hash_key(std::uint8_t kind, std::string_view bytes) {
  std::uint64_t hash = (0xcbf29ce484222325ULL ^ kind) * 0x100000001b3ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  hash ^= hash >> 29;  // FNV's low bits are weak
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

inline bool is_ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

// Lower case in ASCII, and every digit as 0: other letters are rare in English and stay as they are.
inline std::string plain_form(std::string_view word) {
  std::string plain(word);
  for (char& c : plain) {
    if (is_ascii_upper(c)) c = static_cast<char>(c - 'A' + 'a');
    if (is_ascii_digit(c)) c = '0';
  }
  return plain;
}

// The shape of a word, such as Xxx for Paris and dd.d for 10.50: classes of bytes, at most two equal ones in
// a row and eight in all.
inline std::string shape_of(std::string_view word) {
  std::string shape;
  for (const char c : word) {
    const bool is_lower = c >= 'a' && c <= 'z';
    const bool is_foreign = (static_cast<unsigned char>(c) & 0x80) != 0;
    const char kind = is_ascii_upper(c)   ? 'X'
                      : is_lower          ? 'x'
                      : is_ascii_digit(c) ? 'd'
                      : is_foreign        ? 'u'
                                          : c;
    const std::size_t n = shape.size();
    if (n >= 8 || (n >= 2 && shape[n - 1] == kind && shape[n - 2] == kind)) continue;
    shape.push_back(kind);
  }
  return shape;
}

// The keys of a word, kMaxKeys at most, that of its plain form first.
inline std::vector<std::uint32_t> word_keys(std::string_view word) {
  const std::string plain = plain_form(word);
  const auto key = [](WordKey kind, std::string_view bytes, std::size_t length = 0) {
    return hash_key(static_cast<std::uint8_t>(static_cast<std::size_t>(kind) + length), bytes);
  };
  std::vector<std::uint32_t> keys = {key(WordKey::form, plain), key(WordKey::shape, shape_of(word))};
  if (plain != word) keys.push_back(key(WordKey::cased, word));
  const std::string_view view = plain;
  for (std::size_t k = 1; k <= kLongestSuffix && k < view.size(); ++k)
    keys.push_back(key(WordKey::suffix, view.substr(view.size() - k), k));
  for (std::size_t k = 1; k <= kLongestPrefix && k < view.size(); ++k)
    keys.push_back(key(WordKey::prefix, view.substr(0, k), k));
  return keys;
}

}  // namespace tertium
