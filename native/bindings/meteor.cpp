// METEOR's aligner and the phrase tables it searches.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/meteor/aligner.hpp"
#include "tertium/meteor/phrase_builder.hpp"
#include "tertium/meteor/wordnet.hpp"
#include "texts.hpp"

namespace tertium::bindings {

namespace {

using MaybeIds = std::optional<Ids>;

std::span<const std::int32_t> as_span_or_empty(const MaybeIds& ids) {
  return ids ? as_span(*ids) : std::span<const std::int32_t>();
}

// A table of phrases over bytes that Python holds: a mapped file, or an array.
class HeldPhrases {
 public:
  explicit HeldPhrases(Array1<std::uint8_t> bytes)
      : bytes_(std::move(bytes)), table_(std::as_bytes(check_place(as_span(bytes_)))) {}

  const PhraseTable& get() const { return table_; }

 private:
  static std::span<const std::uint8_t> check_place(std::span<const std::uint8_t> bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0)
      throw std::invalid_argument("a phrase table must be aligned to 8 bytes");
    return bytes;
  }

  Array1<std::uint8_t> bytes_;
  PhraseTable table_;
};

// The tables of the vocabulary's words that the aligner needs. Python keeps the phrases and words alive.
class HeldTables {
 public:
  HeldTables(MaybeIds codes, MaybeIds stems, MaybeIds synset_ids, std::optional<Offsets> synset_offsets,
             MaybeIds synset_rows, const HeldPhrases* phrases, const HeldTexts& words)
      : codes_(std::move(codes)),
        stems_(std::move(stems)),
        synset_ids_(std::move(synset_ids)),
        synset_offsets_(std::move(synset_offsets)),
        synset_rows_(std::move(synset_rows)) {
    const Column synsets = check_column(as_span_or_empty(synset_ids_),
                                        synset_offsets_ ? as_span(*synset_offsets_) : std::span(kNoSynsets));
    const auto rows = as_span_or_empty(synset_rows_);
    check_range(rows, 0, synsets.size(), "the synsets of a word are missing");
    tables_ = {{as_span_or_empty(codes_), as_span_or_empty(stems_), synsets, rows},
               phrases == nullptr ? nullptr : &phrases->get(),
               words.views()};
  }

  const AlignerTables& get() const { return tables_; }

 private:
  static constexpr std::int64_t kNoSynsets[] = {0};

  MaybeIds codes_, stems_, synset_ids_;
  std::optional<Offsets> synset_offsets_;
  MaybeIds synset_rows_;
  AlignerTables tables_;
};

MatchKinds as_kinds(const Strings& names) {
  MatchKinds kinds;
  for (const std::string_view name : borrow_strings(names))
    kinds.add(find_named<MatchKind>(kMatchKindNames, name, "kind of match"));
  return kinds;
}

std::tuple<Matrix<std::int32_t>, Vector<std::int64_t>, Vector<std::int32_t>> align(const HeldPairs& pairs,
                                                                                   const HeldTables& tables,
                                                                                   const Strings& kinds,
                                                                                   std::size_t beam,
                                                                                   std::size_t threads) {
  const MatchKinds wanted = as_kinds(kinds);
  Alignments found = compute([&] { return align_texts(pairs.get(), tables.get(), wanted, beam, threads); });
  const std::size_t rows = found.matches.size() / kMatchWidth;
  return {to_matrix(std::move(found.matches), rows, kMatchWidth), to_numpy(std::move(found.offsets)),
          to_numpy(std::move(found.chunks))};
}

Matrix<double> count(const HeldPairs& pairs, const HeldTables& tables, const Strings& kinds, std::size_t beam,
                     const Array1<std::uint8_t>& is_function_word, std::size_t threads) {
  const MatchKinds wanted = as_kinds(kinds);
  return fill_matrix(pairs.get().n_references(), kMatchCounts, [&](std::span<double> rows) {
    count_matches(pairs.get(), tables.get(), wanted, beam, as_span(is_function_word), rows, threads);
  });
}

std::size_t read_block(PhraseReader& reader, const nb::bytes& block) {
  const std::string_view text(block.c_str(), block.size());
  return compute([&] { return reader.read(text); });
}

Vector<std::uint64_t> finish(const PhraseBuilder& pairs, std::string_view name) {
  return to_numpy(compute([&] { return pairs.finish(name); }));
}

void make_wordnet(WordNet* self, const nb::bytes& lemmas, const Array1<std::uint8_t>& counts,
                  const Ids& synsets, const nb::bytes& irregular) {
  new (self) WordNet({lemmas.c_str(), lemmas.size()}, as_span(counts), as_span(synsets),
                     {irregular.c_str(), irregular.size()});
}

std::pair<Vector<std::int32_t>, Vector<std::int64_t>> synsets_of(const WordNet& wordnet,
                                                                 const HeldTexts& words) {
  OwnedColumn found = wordnet.find(words.views());
  return {to_numpy(std::move(found.ids)), to_numpy(std::move(found.offsets))};
}

std::vector<std::string> irregular_bases(const WordNet& wordnet, std::string_view word) {
  const auto bases = wordnet.irregular(word);
  return {bases.begin(), bases.end()};
}

std::vector<std::string> base_forms(const WordNet& wordnet, std::string_view word) {
  std::vector<std::string> bases;
  wordnet.each_base(word, [&](std::string_view base) { bases.emplace_back(base); });
  return bases;
}

}  // namespace

void bind_meteor(nb::module_& m) {
  nb::class_<HeldPhrases>(m, "PhraseTable", "A table of phrases, used where its bytes lie.")
      .def(nb::init<Array1<std::uint8_t>>(), nb::arg("bytes").noconvert())
      .def("__len__", [](const HeldPhrases& table) { return table.get().size(); })
      .def_prop_ro("name", [](const HeldPhrases& table) { return table.get().name(); });
  nb::class_<WordNet>(m, "WordNet")
      .def("__init__", &make_wordnet, nb::arg("lemmas"), nb::arg("counts").noconvert(),
           nb::arg("synsets").noconvert(), nb::arg("irregular"))
      .def(
          "__contains__", [](const WordNet& wordnet, std::string_view word) { return wordnet.has(word); },
          nb::arg("word"))
      .def("irregular", &irregular_bases, nb::arg("word"))
      .def("base_forms", &base_forms, nb::arg("word"))
      .def("synsets", &synsets_of, nb::arg("words"));
  nb::class_<PhraseBuilder>(m, "PhraseBuilder")
      .def(nb::init<>())
      .def("add", &PhraseBuilder::add, nb::arg("source"), nb::arg("target"))
      .def("finish", &finish, nb::arg("name"), "The bytes of a table.");
  nb::class_<PhraseReader>(m, "PhraseReader")
      .def(nb::init<>())
      .def("read", &read_block, nb::arg("block"),
           "Read whole lines; return the number, from 1, of the first wrong one, or 0.")
      .def(
          "finish",
          [](const PhraseReader& reader, std::string_view name) { return finish(reader.pairs(), name); },
          nb::arg("name"), "The bytes of a table.")
      .def_prop_ro("lines", &PhraseReader::lines);
  nb::class_<HeldTables>(m, "AlignerTables", "Tables of the vocabulary's words for the aligner.")
      .def(nb::init<MaybeIds, MaybeIds, MaybeIds, std::optional<Offsets>, MaybeIds, const HeldPhrases*,
                    const HeldTexts&>(),
           nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(), nb::arg("codes").noconvert().none(),
           nb::arg("stems").noconvert().none(), nb::arg("synset_ids").noconvert().none(),
           nb::arg("synset_offsets").noconvert().none(), nb::arg("synset_rows").noconvert().none(),
           nb::arg("phrases").none(), nb::arg("words"));
  m.def("match_kinds", [] { return names_of<MatchKind>(kMatchKindNames); });
  m.def("align_texts", &align, nb::arg("pairs"), nb::arg("tables"), nb::arg("kinds"), nb::arg("beam"),
        nb::arg("threads"));
  m.def("count_matches", &count, nb::arg("pairs"), nb::arg("tables"), nb::arg("kinds"), nb::arg("beam"),
        nb::arg("is_function_word").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
