// sacreBLEU's tokenisers 13a, zh, intl, char, none and chrF's words. Linear in the text's length.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tertium/base/interning.hpp"
#include "tertium/base/named.hpp"
#include "tertium/base/scanning.hpp"

namespace tertium {

namespace tokenizing {

// chrF++.py's words: one punctuation mark is split off at the end of a word; if there is none, at its
// beginning. The marks are ASCII, so bytes suffice.
template <typename Emit>
void split_edge(std::string_view word, std::size_t room, const Emit& emit) {
  const auto is_mark = [](char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
  };
  if (word.size() > 1 && is_mark(word.back())) {
    emit(word.substr(0, word.size() - 1), room);
    emit(word.substr(word.size() - 1), room - word.size() + 1);
  } else if (word.size() > 1 && is_mark(word.front())) {
    emit(word.substr(0, 1), room);
    emit(word.substr(1), room - 1);
  } else {
    emit(word, room);
  }
}

inline void replace_all(std::string& text, std::string_view what, std::string_view by) {
  std::size_t at = text.find(what);
  if (at == std::string::npos) return;
  std::string replaced;
  std::size_t done = 0;
  for (; at != std::string::npos; at = text.find(what, done)) {
    replaced.append(text, done, at - done).append(by);
    done = at + what.size();
  }
  text = replaced.append(text, done);
}

// mteval's language-independent part: <skipped>, hyphenated line ends, four entities.
inline std::string_view normalise_mteval(std::string_view text, std::string& scratch) {
  const auto lacks = [&](char mark) {
    return text.find(mark) == std::string_view::npos;
  };  // quick, one by one
  if (lacks('&') && lacks('<') && lacks('\n')) return text;
  scratch.assign(text);
  replace_all(scratch, "<skipped>", "");
  replace_all(scratch, "-\n", "");
  replace_all(scratch, "&quot;", "\"");
  replace_all(scratch, "&amp;", "&");
  replace_all(scratch, "&lt;", "<");
  replace_all(scratch, "&gt;", ">");
  return scratch;
}

// Cutters: each passes every token of a text to `emit(token, room)`, where `room` bytes may be read from the
// token's beginning. There is one cutter per thread, so it may keep scratch memory between texts.
template <typename Rules>
struct ByRules {
  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) const {
    scan<Rules>(strip(text, false), emit);
  }
};

struct ByMteval13a {
  std::string scratch;
  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) {
    scan<Mteval>(normalise_mteval(strip(text, false), scratch), emit);
  }
};

struct ByChinese {
  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) const {
    scan<Chinese>(strip(text, true), emit);
  }
};

struct ByEdgeMarks {
  template <typename Emit>
  void operator()(std::string_view text, const Emit& emit) const {
    ByRules<Whitespace>()(text,
                          [&](std::string_view word, std::size_t room) { split_edge(word, room, emit); });
  }
};

template <typename Cutter>
OwnedColumn intern_cut(std::span<const std::string_view> texts, Vocabulary& vocabulary, std::size_t threads) {
  return intern_with([] { return Cutter(); }, texts, vocabulary, threads);
}

}  // namespace tokenizing

// Tokenises texts and assigns ids to their tokens. The tokeniser is chosen once per batch, so that the
// innermost loop is compiled for it.
using TextInterner = OwnedColumn (*)(std::span<const std::string_view> texts, Vocabulary& vocabulary,
                                     std::size_t threads);

// The tokenisers by name. To add a tokeniser, add a line here.
inline constexpr Named<TextInterner> kTokenizers[] = {
    {"13a", &tokenizing::intern_cut<tokenizing::ByMteval13a>},
    {"none", &tokenizing::intern_cut<tokenizing::ByRules<tokenizing::Whitespace>>},
    {"char", &tokenizing::intern_cut<tokenizing::ByRules<tokenizing::EveryCharacter>>},
    {"intl", &tokenizing::intern_cut<tokenizing::ByRules<tokenizing::International>>},
    {"zh", &tokenizing::intern_cut<tokenizing::ByChinese>},
    {"chrf", &tokenizing::intern_cut<tokenizing::ByEdgeMarks>},
};

}  // namespace tertium
