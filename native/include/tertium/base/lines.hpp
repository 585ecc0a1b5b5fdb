// The lines of a file as slices of its bytes: a file of a million lines is one buffer and a list of views.
// One pass over the bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/unicode.hpp"

namespace tertium {

// Lines end at `\n`. `file` also removes trailing white space from each line, including the `\r` of `\r\n`.
enum class LineEnds { file, plain };

// The lines of a buffer of valid UTF-8. Text after the last line end is a line only if it is not empty.
inline std::vector<std::string_view> split_lines(std::string_view buffer, LineEnds ends) {
  std::vector<std::string_view> lines;
  while (!buffer.empty()) {
    const void* found = std::memchr(buffer.data(), '\n', buffer.size());
    const std::size_t length =
        found == nullptr ? buffer.size()
                         : static_cast<std::size_t>(static_cast<const char*>(found) - buffer.data());
    const std::string_view line = buffer.substr(0, length);
    lines.push_back(ends == LineEnds::file ? strip(line, false) : line);
    buffer.remove_prefix(found == nullptr ? length : length + 1);
  }
  return lines;
}

// Texts, some of which are stored in `bytes`.
struct LoweredTexts {
  std::vector<std::string_view> views;
  std::unique_ptr<char[]> bytes;
};

// Lower-cases ASCII texts. All other texts stay unchanged; their indices are appended to `others`.
inline LoweredTexts lower_ascii(const std::vector<std::string_view>& texts,
                                std::vector<std::int64_t>& others) {
  std::size_t size = 0;
  for (const std::string_view text : texts) size += text.size();
  LoweredTexts made{texts, std::make_unique_for_overwrite<char[]>(size)};
  char* out = made.bytes.get();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!is_ascii(texts[i])) {
      others.push_back(static_cast<std::int64_t>(i));
      continue;
    }
    made.views[i] = std::string_view(out, texts[i].size());
    for (const char c : texts[i]) *out++ = static_cast<char>(c + ((c >= 'A' && c <= 'Z') ? 'a' - 'A' : 0));
  }
  return made;
}

// All texts, each followed by a line end.
inline std::string join_lines(const std::vector<std::string_view>& texts) {
  std::size_t size = texts.size();
  for (const std::string_view text : texts) size += text.size();
  std::string joined;
  joined.reserve(size);
  for (const std::string_view text : texts) joined.append(text).push_back('\n');
  return joined;
}

}  // namespace tertium
