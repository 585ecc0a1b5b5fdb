// Rows of texts as Python's json.dumps(row, ensure_ascii=False) writes them, an object per line:
// {"id": "text", "references": ["text", "text"]}. Linear in the bytes; only texts with escapes are copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/lines.hpp"
#include "tertium/base/unicode.hpp"

namespace tertium {

// The cells of a column: a text in each row, or a list of texts.
struct JsonColumn {
  TextViews texts;
  std::vector<std::int64_t> offsets;  // of lists: row i has texts [offsets[i], offsets[i + 1])
  bool has_lists = false;
};

struct JsonRows {
  std::vector<JsonColumn> columns;
  std::unique_ptr<char[]> unescaped;  // the bytes of texts that had escapes
};

class JsonRowReader {
 public:
  // `keys` are the bytes before each value, `{"id": ` and `, "references": `.
  JsonRowReader(std::string_view data, std::span<const std::string_view> keys) : rest_(data), keys_(keys) {
    rows_.columns.resize(keys.size());
    const std::size_t rows = find_lines(data, data.size() + 1).ends;
    for (JsonColumn& column : rows_.columns) column.texts.reserve(rows);
    rows_.unescaped = std::make_unique_for_overwrite<char[]>(data.size());  // never longer than with escapes
    free_ = rows_.unescaped.get();
  }

  // The rows; nothing if the data has any other form, even if it is valid JSON.
  std::optional<JsonRows> read() {
    if (!is_utf8(rest_)) return std::nullopt;
    for (std::size_t row = 0; !rest_.empty(); ++row)
      if (!read_row(row == 0)) return std::nullopt;
    return std::move(rows_);
  }

 private:
  bool read_row(bool is_first) {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (!skip(keys_[k]) || rest_.empty()) return false;
      JsonColumn& column = rows_.columns[k];
      const bool is_list = rest_.front() == '[';
      if (is_first) {
        column.has_lists = is_list;
        if (is_list) column.offsets.push_back(0);
      }
      if (is_list != column.has_lists) return false;
      if (!(is_list ? read_list(column) : read_text(column.texts))) return false;
    }
    return skip("}\n");
  }

  bool read_list(JsonColumn& column) {
    skip("[");
    if (!skip("]")) {
      do {
        if (!read_text(column.texts)) return false;
      } while (skip(", "));
      if (!skip("]")) return false;
    }
    column.offsets.push_back(static_cast<std::int64_t>(column.texts.size()));
    return true;
  }

  bool read_text(TextViews& texts) {
    if (!skip("\"")) return false;
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return false;
    const std::string_view text = rest_.substr(0, end);
    if (!std::ranges::all_of(text, is_plain)) return read_escaped(texts);
    texts.push_back(text);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool read_escaped(TextViews& texts) {
    const char* const begin = free_;
    std::size_t i = 0;
    for (; i < rest_.size() && rest_[i] != '"'; ++i) {
      if (rest_[i] != '\\') {
        if (!is_plain(rest_[i])) return false;
        *free_++ = rest_[i];
      } else if (!unescape(i)) {
        return false;
      }
    }
    if (i == rest_.size()) return false;
    texts.emplace_back(begin, static_cast<std::size_t>(free_ - begin));
    rest_.remove_prefix(i + 1);
    return true;
  }

  // Appends the character of the escape at `i`, and moves `i` to the last byte of the escape.
  bool unescape(std::size_t& i) {
    static constexpr std::string_view kNames = "\"\\nrtbf", kCharacters = "\"\\\n\r\t\b\f";
    if (++i == rest_.size()) return false;
    if (const std::size_t known = kNames.find(rest_[i]); known != std::string_view::npos) {
      *free_++ = kCharacters[known];
      return true;
    }
    // Other control characters are written as \u00XX, in lower case; json.dumps writes no other number.
    if (!rest_.substr(i).starts_with("u00") || rest_.size() < i + 5) return false;
    static constexpr std::string_view kDigits = "0123456789abcdef";
    const std::size_t high = kDigits.find(rest_[i + 3]), low = kDigits.find(rest_[i + 4]);
    if (high > 1 || low == std::string_view::npos) return false;
    *free_++ = static_cast<char>(16 * high + low);
    i += 4;
    return true;
  }

  static bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '\\'; }

  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::string_view rest_;
  std::span<const std::string_view> keys_;
  JsonRows rows_;
  char* free_;  // the next byte of `unescaped`
};

}  // namespace tertium
