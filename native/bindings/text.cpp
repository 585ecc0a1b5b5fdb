// Text into columns of ids: the one place where strings cross into the core.
#include <nanobind/stl/string_view.h>

#include <string_view>

#include "arrays.hpp"
#include "families.hpp"
#include "symbols.hpp"
#include "tertium/interning.hpp"
#include "tertium/java_hash.hpp"
#include "tertium/meteor_tokenizer.hpp"

namespace tertium::bindings {

namespace {

std::vector<std::string_view> borrow_strings(const nb::list& texts) {
  std::vector<std::string_view> views;
  views.reserve(texts.size());
  for (const nb::handle text : texts) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    views.emplace_back(data, static_cast<std::size_t>(size));
  }
  return views;
}

nb::tuple to_arrays(OwnedColumn column) {
  return nb::make_tuple(to_numpy(std::move(column.ids)), to_numpy(std::move(column.offsets)));
}

nb::tuple tokenize_texts(const nb::list& texts, Tokenizer tokenizer, Vocabulary& vocabulary,
                         std::size_t threads) {
  const auto views = borrow_strings(texts);
  OwnedColumn column;
  {
    const nb::gil_scoped_release release;
    column = intern_tokens(tokenizer, views, vocabulary, threads);
  }
  return to_arrays(std::move(column));
}

Abbreviations to_abbreviations(const nb::list& always, const nb::list& before_number) {
  const auto as_set = [](const nb::list& words) {
    std::unordered_set<std::string> set;
    for (const std::string_view word : borrow_strings(words)) set.emplace(word);
    return set;
  };
  return {as_set(always), as_set(before_number)};
}

nb::tuple tokenize_meteor(const nb::list& texts, Apostrophes apostrophes, const nb::list& always,
                          const nb::list& before_number, Vocabulary& vocabulary, std::size_t threads) {
  const auto views = borrow_strings(texts);
  const auto abbreviations = to_abbreviations(always, before_number);
  OwnedColumn column;
  {
    const nb::gil_scoped_release release;
    column =
        intern_with([&] { return MeteorTokenizer(apostrophes, abbreviations); }, views, vocabulary, threads);
  }
  return to_arrays(std::move(column));
}

nb::tuple decode_texts(const nb::list& texts, bool keep_space, std::size_t threads) {
  const auto views = borrow_strings(texts);
  OwnedColumn column;
  {
    const nb::gil_scoped_release release;
    column = code_points(views, keep_space, threads);
  }
  return to_arrays(std::move(column));
}

nb::tuple spell_words(const Vocabulary& vocabulary) {
  std::vector<std::string_view> words;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    words.push_back(vocabulary.word(static_cast<std::int32_t>(id)));
  return to_arrays(code_points(words, true, 1));
}

nb::object hash_words(const nb::list& words) {
  std::vector<std::int32_t> hashes;
  for (const std::string_view word : borrow_strings(words)) hashes.push_back(java_hash(word));
  return to_numpy(std::move(hashes));
}

nb::object intern_all(Vocabulary& vocabulary, const nb::list& words) {
  std::vector<std::int32_t> ids;
  for (const std::string_view word : borrow_strings(words)) ids.push_back(vocabulary.intern(word));
  return to_numpy(std::move(ids));
}

nb::list words_of(const Vocabulary& vocabulary, const Ids& ids) {
  nb::list words;
  for (const std::int32_t id : as_span(ids)) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary.size())
      throw nb::index_error("no such token id");
    words.append(vocabulary.word(id));
  }
  return words;
}

}  // namespace

void bind_text(nb::module_& m) {
  nb::enum_<Tokenizer>(m, "Tokenizer")
      .value("none", Tokenizer::none)
      .value("mteval_13a", Tokenizer::mteval_13a)
      .value("international", Tokenizer::international)
      .value("chinese", Tokenizer::chinese)
      .value("character", Tokenizer::character)
      .value("edge_marks", Tokenizer::edge_marks);
  nb::enum_<Apostrophes>(m, "Apostrophes")
      .value("with_right", Apostrophes::with_right)
      .value("with_left", Apostrophes::with_left)
      .value("alone", Apostrophes::alone);
  nb::class_<Vocabulary>(m, "Vocabulary")
      .def(nb::init<>())
      .def("__len__", &Vocabulary::size)
      .def("intern", &Vocabulary::intern, nb::arg("word"))
      .def("intern_all", &intern_all, nb::arg("words"))
      .def("words", &words_of, nb::arg("ids").noconvert());
  m.def("tokenize_texts", &tokenize_texts, nb::arg("texts"), nb::arg("tokenizer"), nb::arg("vocabulary"),
        nb::arg("threads"));
  m.def("tokenize_meteor", &tokenize_meteor, nb::arg("texts"), nb::arg("apostrophes"), nb::arg("always"),
        nb::arg("before_number"), nb::arg("vocabulary"), nb::arg("threads"));
  m.def("decode_texts", &decode_texts, nb::arg("texts"), nb::arg("keep_space"), nb::arg("threads"));
  m.def("hash_words", &hash_words, nb::arg("words"));
  m.def("spell_words", &spell_words, nb::arg("vocabulary"));
  m.def("number_pairs", &number_pairs, nb::arg("first"), nb::arg("second"));
}

}  // namespace tertium::bindings
