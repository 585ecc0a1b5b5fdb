// The lines of a file as slices of its bytes: a file of a million lines is one buffer and a list of views.
// One pass over the bytes to count lines, and one to split them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/simd.hpp"
#include "tertium/base/unicode.hpp"

namespace tertium {

// Texts that lie elsewhere.
using TextViews = PooledVector<std::string_view>;

namespace counting {

constexpr std::size_t kLanes = 128;
constexpr std::size_t kBlock = kLanes * 255;  // a lane of one byte counts to 255

// The line ends in whole rows of kLanes bytes, at most 255 of them.
TERTIUM_INLINE std::size_t count_rows(std::string_view rows) {
  std::array<std::uint8_t, kLanes> lanes{};
  for (std::size_t row = 0; row < rows.size(); row += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] = static_cast<std::uint8_t>(lanes[lane] + (rows[row + lane] == '\n' ? 1 : 0));
  return std::accumulate(lanes.begin(), lanes.end(), std::size_t{0});
}

inline std::size_t count_block(std::string_view block) {
  const std::size_t whole = block.size() / kLanes * kLanes;
  const std::size_t counted =
      simd::dispatch([&]() TERTIUM_ALWAYS_INLINE { return count_rows(block.substr(0, whole)); });
  return counted + static_cast<std::size_t>(std::ranges::count(block.substr(whole), '\n'));
}

}  // namespace counting

// Some lines at the start of a buffer.
struct LineRange {
  std::size_t bytes;
  std::size_t ends;  // line feeds
};

// The first `lines` lines of a buffer, or all of it if it has fewer line ends.
inline LineRange find_lines(std::string_view buffer, std::size_t lines) {
  LineRange found{0, 0};
  while (found.bytes < buffer.size()) {
    const std::string_view block = buffer.substr(found.bytes, counting::kBlock);
    const std::size_t ends = counting::count_block(block);
    if (found.ends + ends >= lines) break;
    found.bytes += block.size();
    found.ends += ends;
  }
  for (; found.ends < lines && found.bytes < buffer.size(); ++found.ends)
    found.bytes = buffer.find('\n', found.bytes) + 1;
  return found;
}

// Places where reading may begin.
struct LineStarts {
  std::size_t ends = 0;             // of the whole buffer
  std::vector<std::int64_t> lines;  // the number of lines before each place
  std::vector<std::int64_t> bytes;
};

// Counts the line ends of a buffer, and finds the first line that begins in each range of `spacing` bytes.
inline LineStarts find_line_starts(std::string_view buffer, std::size_t spacing) {
  LineStarts found;
  for (std::size_t begin = 0; begin < buffer.size(); begin += spacing) {
    const std::string_view range = buffer.substr(begin, spacing);
    const std::size_t ends = find_lines(range, range.size() + 1).ends;
    if (ends > 0) {
      found.lines.push_back(static_cast<std::int64_t>(found.ends + 1));
      found.bytes.push_back(static_cast<std::int64_t>(begin + range.find('\n') + 1));
    }
    found.ends += ends;
  }
  return found;
}

// Lines end at `\n`. `file` also removes trailing white space from each line, including the `\r` of `\r\n`.
enum class LineEnds { file, plain };

// The lines of a buffer of valid UTF-8. Text after the last line end is a line only if it is not empty.
inline TextViews split_lines(std::string_view buffer, LineEnds ends) {
  TextViews lines;
  lines.reserve(find_lines(buffer, buffer.size() + 1).ends + 1);
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
  TextViews views;
  std::unique_ptr<char[]> bytes;
};

// Lower-cases ASCII texts. All other texts stay unchanged; their indices are appended to `others`.
inline LoweredTexts lower_ascii(const TextViews& texts, std::vector<std::int64_t>& others) {
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
inline std::string join_lines(std::span<const std::string_view> texts) {
  std::size_t size = texts.size();
  for (const std::string_view text : texts) size += text.size();
  std::string joined;
  joined.reserve(size);
  for (const std::string_view text : texts) joined.append(text).push_back('\n');
  return joined;
}

}  // namespace tertium
