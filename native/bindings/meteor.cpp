// METEOR's aligner and the phrase tables it searches.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string_view>
#include <tuple>

#include "pairs.hpp"
#include "rooms.hpp"
#include "tertium/meteor/aligner.hpp"
#include "tertium/meteor/phrase_reader.hpp"

namespace tertium::bindings {

namespace {

using MaybeIds = std::optional<Ids>;

std::span<const std::int32_t> as_span_or_empty(const MaybeIds& ids) {
  return ids ? as_span(*ids) : std::span<const std::int32_t>();
}

// What the aligner is told of the vocabulary's words. Python keeps the table of phrases alive.
class HeldTables {
 public:
  HeldTables(MaybeIds codes, MaybeIds stems, MaybeIds synset_ids, std::optional<Offsets> synset_offsets,
             const PhraseTable* phrases, const Vocabulary& vocabulary)
      : codes_(std::move(codes)),
        stems_(std::move(stems)),
        synset_ids_(std::move(synset_ids)),
        synset_offsets_(std::move(synset_offsets)),
        phrase_words_(phrases == nullptr ? std::vector<std::int32_t>() : phrases->translate(vocabulary)) {
    const Column synsets = check_column(as_span_or_empty(synset_ids_),
                                        synset_offsets_ ? as_span(*synset_offsets_) : std::span(kNoSynsets));
    tables_ = {{as_span_or_empty(codes_), as_span_or_empty(stems_), synsets, count_synsets(synsets)},
               phrases,
               phrase_words_};
  }

  const AlignerTables& get() const { return tables_; }

 private:
  static constexpr std::int64_t kNoSynsets[] = {0};

  MaybeIds codes_, stems_, synset_ids_;
  std::optional<Offsets> synset_offsets_;
  std::vector<std::int32_t> phrase_words_;
  AlignerTables tables_;
};

MatchKinds as_kinds(std::uint32_t bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

std::tuple<Matrix<std::int32_t>, Vector<std::int64_t>, Vector<std::int32_t>> align(const HeldPairs& pairs,
                                                                                   const HeldTables& tables,
                                                                                   std::uint32_t kinds,
                                                                                   std::size_t beam,
                                                                                   std::size_t threads) {
  Alignments found =
      compute([&] { return align_texts(pairs.get(), tables.get(), as_kinds(kinds), beam, threads); });
  const std::size_t rows = found.matches.size() / kMatchWidth;
  return {to_matrix(std::move(found.matches), rows, kMatchWidth), to_numpy(std::move(found.offsets)),
          to_numpy(std::move(found.chunks))};
}

void make_reader(PhraseReader* reader, const Ids& ids, const Offsets& offsets, const Vocabulary& vocabulary) {
  new (reader) PhraseReader(check_column(as_span(ids), as_span(offsets)), vocabulary);
}

std::size_t read_block(PhraseReader& reader, const nb::bytes& block) {
  const std::string_view text(block.c_str(), block.size());
  return compute([&] { return reader.read(text); });
}

}  // namespace

void bind_meteor(nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable")
      .def(nb::init<>())
      .def("__len__", [](const PhraseTable& table) { return table.pairs().size(); })
      .def("add", &PhraseTable::add, nb::arg("source"), nb::arg("target"));
  nb::class_<PhraseReader>(m, "PhraseReader")
      .def("__init__", &make_reader, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
           nb::arg("vocabulary"))
      .def("read", &read_block, nb::arg("block"),
           "Read whole lines; return the number, from 1, of the first wrong one, or 0.")
      .def("finish", &PhraseReader::finish)
      .def_prop_ro("lines", &PhraseReader::lines);
  nb::class_<HeldTables>(m, "AlignerTables", "What the aligner is told of the vocabulary's words.")
      .def(nb::init<MaybeIds, MaybeIds, MaybeIds, std::optional<Offsets>, const PhraseTable*,
                    const Vocabulary&>(),
           nb::keep_alive<1, 6>(), nb::arg("codes").noconvert().none(), nb::arg("stems").noconvert().none(),
           nb::arg("synset_ids").noconvert().none(), nb::arg("synset_offsets").noconvert().none(),
           nb::arg("phrases").none(), nb::arg("vocabulary"));
  m.def("align_texts", &align, nb::arg("pairs"), nb::arg("tables"), nb::arg("kinds"), nb::arg("beam"),
        nb::arg("threads"));
}

}  // namespace tertium::bindings
