// Text into columns of ids: the one place where strings cross into the core.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <unordered_set>

#include "arrays.hpp"
#include "bindings.hpp"
#include "symbols.hpp"
#include "tertium/base/interning.hpp"
#include "tertium/base/json_rows.hpp"
#include "tertium/base/tokenizers.hpp"
#include "tertium/base/vocabulary.hpp"
#include "tertium/meteor/java_hash.hpp"
#include "tertium/meteor/tokenizer.hpp"
#include "tertium/vectors/unigram_pieces.hpp"
#include "tertium/vectors/word_forms.hpp"
#include "texts.hpp"

namespace tertium::bindings {

namespace {

using ColumnArrays = std::pair<Vector<std::int32_t>, Vector<std::int64_t>>;

ColumnArrays to_arrays(OwnedColumn column) {
  return {to_numpy(std::move(column.ids)), to_numpy(std::move(column.offsets))};
}

ColumnArrays tokenize_texts(const HeldTexts& texts, std::string_view tokenizer, Vocabulary& vocabulary,
                            std::size_t threads) {
  const auto intern = find_named<TextInterner>(kTokenizers, tokenizer, "tokeniser");
  return to_arrays(compute([&] { return intern(texts.views(), vocabulary, threads); }));
}

std::unordered_set<std::string> as_set(const nb::list& words) {
  std::unordered_set<std::string> set;
  for (const std::string_view word : borrow_strings(words)) set.emplace(word);
  return set;
}

// The lower case of a word that is not ASCII.
std::string lower_in_python(std::string_view word) {
  const nb::gil_scoped_acquire acquire;
  return nb::cast<std::string>(nb::str(word.data(), word.size()).attr("lower")());
}

ColumnArrays tokenize_meteor(const HeldTexts& texts, std::string_view apostrophes, const Strings& always,
                             const Strings& before_number, bool lowercase, Vocabulary& vocabulary,
                             std::size_t threads) {
  const auto style = find_named<Apostrophes>(kApostrophes, apostrophes, "style of apostrophes");
  const Abbreviations abbreviations{as_set(always), as_set(before_number)};
  const auto intern = [&](auto... convert) {
    return intern_meteor_tokens(style, abbreviations, texts.views(), vocabulary, threads, convert...);
  };
  return to_arrays(compute([&] { return lowercase ? intern(LowerCase(lower_in_python)) : intern(); }));
}

ColumnArrays decode_texts(const HeldTexts& texts, bool keep_space, std::size_t threads) {
  return to_arrays(compute([&] { return code_points(texts.views(), keep_space, threads); }));
}

void make_pieces(UnigramPieces* self, const Strings& pieces, const Array1<float>& prices) {
  new (self) UnigramPieces(borrow_strings(pieces), as_span(prices));
}

ColumnArrays cut_words(const UnigramPieces& pieces, const Strings& words) {
  const auto views = borrow_strings(words);
  return to_arrays(compute([&] { return pieces.cut(views); }));
}

Matrix<float> form_vectors_of(const Strings& words, std::size_t first, std::size_t last, std::size_t width) {
  const auto views = borrow_strings(words);
  return to_matrix(compute([&] { return form_vectors(views, first, last, width); }), views.size(), width);
}

Vector<std::int32_t> hash_words(const Strings& words) { return to_numpy(java_hashes(borrow_strings(words))); }

Vector<std::int32_t> intern_all(Vocabulary& vocabulary, const Strings& words) {
  return to_numpy(vocabulary.intern_all(borrow_strings(words)));
}

// Throws if an id belongs to no word.
std::span<const std::int32_t> check_words(const Vocabulary& vocabulary, const Ids& ids) {
  for (const std::int32_t id : as_span(ids))
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary.size())
      throw nb::index_error("no such token id");
  return as_span(ids);
}

Strings words_of(const Vocabulary& vocabulary, const Ids& ids) {
  nb::list words;
  for (const std::int32_t id : check_words(vocabulary, ids)) words.append(vocabulary.word(id));
  return Strings(std::move(words));
}

Vector<std::int32_t> lower_words(Vocabulary& vocabulary, const Vocabulary& cased, const Ids& ids) {
  return to_numpy(intern_lowered(vocabulary, cased, check_words(cased, ids), LowerCase(lower_in_python)));
}

Vector<std::int32_t> intern_words(Vocabulary& vocabulary, const Vocabulary& other, const Ids& ids) {
  std::vector<std::string_view> words;
  words.reserve(ids.size());
  for (const std::int32_t id : check_words(other, ids)) words.push_back(other.word(id));
  return to_numpy(vocabulary.intern_all(words, Vocabulary::kRoom));
}

Vector<std::int32_t> hash_vocabulary(const Vocabulary& vocabulary, std::size_t first) {
  return to_numpy(java_hashes(vocabulary, first));
}

// The size in bytes of the first lines, and their number of line ends.
std::pair<std::size_t, std::size_t> find_lines_in(const Array1<std::uint8_t>& buffer, std::size_t lines) {
  const LineRange found = compute([&] { return find_lines(as_text(buffer), lines); });
  return {found.bytes, found.ends};
}

// The number of line ends, and the lines and bytes before each place where reading may begin.
std::tuple<std::size_t, Vector<std::int64_t>, Vector<std::int64_t>> find_line_starts_in(
    const Array1<std::uint8_t>& buffer, std::size_t spacing) {
  if (spacing == 0) throw std::invalid_argument("spacing must be at least 1");
  LineStarts found = compute([&] { return find_line_starts(as_text(buffer), spacing); });
  return {found.ends, to_numpy(std::move(found.lines)), to_numpy(std::move(found.bytes))};
}

using RowColumn = std::pair<HeldTexts, std::optional<Vector<std::int64_t>>>;

// The columns of JSON Lines, those of lists with the offsets of their rows.
std::optional<std::vector<RowColumn>> parse_rows(const Array1<std::uint8_t>& buffer, const Strings& keys) {
  const TextViews views = borrow_strings(keys);
  auto rows = compute([&] { return JsonRowReader(as_text(buffer), views).read(); });
  if (!rows) return std::nullopt;
  const std::vector<nb::object> owners{nb::cast(buffer), HeldTexts::hold(std::move(rows->unescaped))};
  std::vector<RowColumn> columns;
  for (JsonColumn& column : rows->columns) {
    std::optional<Vector<std::int64_t>> offsets;
    if (column.has_lists) offsets = to_numpy(std::move(column.offsets));
    columns.emplace_back(HeldTexts(std::move(column.texts), owners), std::move(offsets));
  }
  return columns;
}

// Memory that is returned to the pool of buffers when no array and no column uses it any more.
Vector<std::uint8_t> take_buffer(std::size_t size) {
  return to_numpy(PooledVector<std::uint8_t>(uninitialized(size)));
}

}  // namespace

void bind_text(nb::module_& m) {
  nb::class_<HeldTexts>(m, "TextColumn", "Texts that Python strings or the bytes of a file hold.")
      .def(nb::init<const Strings&>(), nb::arg("texts"))
      .def_static("from_lines", &HeldTexts::from_lines, nb::arg("buffer").noconvert(), nb::arg("of_file"))
      .def_static("from_words", &HeldTexts::from_words, nb::arg("vocabulary"), nb::arg("first"),
                  nb::sig("def from_words(vocabulary: Vocabulary, first: int) -> TextColumn"))
      .def_static("interleave", &HeldTexts::interleave, nb::arg("columns"))
      .def("__len__", &HeldTexts::size)
      .def("at", &HeldTexts::at, nb::arg("i"))
      .def("slice", &HeldTexts::slice, nb::arg("start"), nb::arg("stop"), nb::arg("step"))
      .def("pick", &HeldTexts::pick, nb::arg("numbers"))
      .def("put", &HeldTexts::put, nb::arg("numbers"), nb::arg("texts"))
      .def("lower_ascii", &HeldTexts::lower_ascii)
      .def("to_list", &HeldTexts::to_list)
      .def("joined", &HeldTexts::joined, nb::sig("def joined(self) -> bytes | None"));
  m.def("find_lines", &find_lines_in, nb::arg("buffer").noconvert(), nb::arg("lines"));
  m.def("find_line_starts", &find_line_starts_in, nb::arg("buffer").noconvert(), nb::arg("spacing"));
  m.def("parse_rows", &parse_rows, nb::arg("buffer").noconvert(), nb::arg("keys"));
  m.def("take_buffer", &take_buffer, nb::arg("size"));
  m.def("are_strings", &are_strings, nb::arg("values"),
        nb::sig("def are_strings(values: list[object]) -> bool"));
  nb::class_<Vocabulary>(m, "Vocabulary")
      .def(nb::init<>())
      .def("__len__", &Vocabulary::size)
      .def(
          "intern", [](Vocabulary& self, std::string_view word) { return self.intern(word); },
          nb::arg("word"))
      .def("intern_all", &intern_all, nb::arg("words"))
      .def("intern_words", &intern_words, nb::arg("other"), nb::arg("ids").noconvert())
      .def("intern_lowered", &lower_words, nb::arg("cased"), nb::arg("ids").noconvert())
      .def("words", &words_of, nb::arg("ids").noconvert());
  m.def("tokenizer_names", [] { return names_of<TextInterner>(kTokenizers); });
  m.def("apostrophe_styles", [] { return names_of<Apostrophes>(kApostrophes); });
  m.def("tokenize_texts", &tokenize_texts, nb::arg("texts"), nb::arg("tokenizer"), nb::arg("vocabulary"),
        nb::arg("threads"));
  m.def("tokenize_meteor", &tokenize_meteor, nb::arg("texts"), nb::arg("apostrophes"), nb::arg("always"),
        nb::arg("before_number"), nb::arg("lowercase"), nb::arg("vocabulary"), nb::arg("threads"));
  m.def("decode_texts", &decode_texts, nb::arg("texts"), nb::arg("keep_space"), nb::arg("threads"));
  m.def("hash_words", &hash_words, nb::arg("words"));
  m.def("hash_vocabulary", &hash_vocabulary, nb::arg("vocabulary"), nb::arg("first"));
  m.def(
      "spell_words", [](const Vocabulary& vocabulary) { return to_arrays(spell_words(vocabulary)); },
      nb::arg("vocabulary"));
  nb::class_<UnigramPieces>(m, "UnigramPieces")
      .def("__init__", &make_pieces, nb::arg("pieces"), nb::arg("prices").noconvert())
      .def("cut", &cut_words, nb::arg("words"));
  m.def("form_vectors", &form_vectors_of, nb::arg("words"), nb::arg("first"), nb::arg("last"),
        nb::arg("width"));
  m.def("number_pairs", &number_pairs, nb::arg("first"), nb::arg("second"));
}

}  // namespace tertium::bindings
