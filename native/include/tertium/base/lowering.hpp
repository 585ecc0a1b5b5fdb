// Lower-cases words that already have ids. Only ASCII is done here: Python provides the lower case of the
// other words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/unicode.hpp"
#include "tertium/base/vocabulary.hpp"

namespace tertium {

// The words that are not ASCII.
inline std::vector<std::int32_t> find_beyond_ascii(const Vocabulary& vocabulary,
                                                   std::span<const std::int32_t> ids) {
  std::vector<std::int32_t> found;
  for (const std::int32_t id : ids)
    if (!is_ascii(vocabulary.word(id))) found.push_back(id);
  return found;
}

// The ids in one vocabulary of the lower-cased words of another one, or of the same. `others` has the lower
// case of the words that are not ASCII, in their order.
inline std::vector<std::int32_t> intern_lowered(Vocabulary& vocabulary, const Vocabulary& cased,
                                                std::span<const std::int32_t> ids,
                                                std::span<const std::string_view> others) {
  std::vector<std::int32_t> lowered;
  lowered.reserve(ids.size());
  std::string word;
  std::size_t next = 0;
  for (const std::int32_t id : ids) {
    word = cased.word(id);
    if (!is_ascii(word)) {
      if (next == others.size()) throw std::invalid_argument("a word lacks its lower case");
      lowered.push_back(vocabulary.intern(others[next++]));
      continue;
    }
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    lowered.push_back(vocabulary.intern(word));
  }
  return lowered;
}

}  // namespace tertium
