// Lower-cases words. Only ASCII is done here: the caller provides the lower case of other words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/vocabulary.hpp"

namespace tertium {

// Returns the lower case of a vocabulary's word; it is valid until the next call.
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
