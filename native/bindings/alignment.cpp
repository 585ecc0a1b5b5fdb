// Kernels that align words and phrases.
#include <nanobind/stl/string_view.h>

#include <optional>

#include "arrays.hpp"
#include "families.hpp"
#include "tertium/aligner.hpp"

namespace tertium::bindings {

namespace {

// Word classes are looked up by the ids of both texts, which must therefore be small enough.
void check_ids(const Column& column, std::size_t known) {
  for (const std::int32_t id : column.ids)
    if (id < 0 || static_cast<std::size_t>(id) >= known)
      throw std::invalid_argument("every word needs a code, a stem and synsets");
}

std::size_t count_synsets(const Column& synsets) {
  std::int32_t most = -1;
  for (const std::int32_t id : synsets.ids) {
    if (id < 0) throw std::invalid_argument("synsets must not be negative");
    most = std::max(most, id);
  }
  return static_cast<std::size_t>(most + 1);
}

nb::tuple align(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                const Offsets& reference_offsets, const Offsets& groups, const Ids& codes, const Ids& stems,
                const Ids& synset_ids, const Offsets& synset_offsets, const PhraseTable* table,
                const Ids& table_names, std::uint32_t kinds, std::size_t beam, std::size_t threads) {
  if (beam == 0) throw std::invalid_argument("the beam must not be empty");
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  const auto synsets = as_column(synset_ids, synset_offsets);
  const MatchKinds sought{(kinds & 1) != 0, (kinds & 2) != 0, (kinds & 4) != 0, (kinds & 8) != 0};
  for (const Column& column : {hypotheses, references.column}) {
    if (codes.size() > 0) check_ids(column, codes.size());
    if (sought.stem) check_ids(column, stems.size());
    if (sought.synonym) check_ids(column, synsets.size());
    if (sought.paraphrase && table != nullptr) check_ids(column, table_names.size());
  }
  Alignments found;
  {
    const nb::gil_scoped_release release;
    const WordClasses classes{as_span(codes), as_span(stems), synsets, count_synsets(synsets)};
    std::optional<LivePhrases> phrases;
    if (sought.paraphrase && table != nullptr)
      phrases.emplace(*table, as_span(table_names), hypotheses, references.column, threads);
    found =
        align_texts(hypotheses, references, classes, phrases ? &*phrases : nullptr, sought, beam, threads);
  }
  const std::size_t rows = found.matches.size() / kMatchWidth;
  return nb::make_tuple(to_matrix(std::move(found.matches), rows, kMatchWidth),
                        to_numpy(std::move(found.offsets)), to_numpy(std::move(found.chunks)));
}

// Reads whole lines of a phrase table; the caller turns a wrong line's number into a message.
class Reader {
 public:
  Reader(const Ids& ids, const Offsets& offsets, const Vocabulary& vocabulary)
      : reader_(as_column(ids, offsets), vocabulary) {
    check_ids(as_column(ids, offsets), vocabulary.size());
  }

  std::size_t read(const nb::bytes& block) {
    const std::string_view text(block.c_str(), block.size());
    const nb::gil_scoped_release release;
    return reader_.read(text);
  }
  std::size_t lines() const { return reader_.lines(); }
  PhraseTable finish() { return reader_.finish(); }

 private:
  PhraseReader reader_;
};

nb::object translate(const PhraseTable& table, const Vocabulary& vocabulary) {
  return to_numpy(table.translate(vocabulary));
}

}  // namespace

void bind_alignment(nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable")
      .def(nb::init<>())
      .def("__len__", [](const PhraseTable& table) { return table.pairs().size(); })
      .def("add", &PhraseTable::add, nb::arg("source"), nb::arg("target"))
      .def("translate", &translate, nb::arg("vocabulary"));
  nb::class_<Reader>(m, "PhraseReader")
      .def(nb::init<const Ids&, const Offsets&, const Vocabulary&>(), nb::arg("ids").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("vocabulary"))
      .def("read", &Reader::read, nb::arg("block"))
      .def("finish", &Reader::finish)
      .def_prop_ro("lines", &Reader::lines);
  m.def("align_texts", &align, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("codes").noconvert(), nb::arg("stems").noconvert(),
        nb::arg("synset_ids").noconvert(), nb::arg("synset_offsets").noconvert(), nb::arg("table").none(),
        nb::arg("table_names").noconvert(), nb::arg("kinds"), nb::arg("beam"), nb::arg("threads"));
}

}  // namespace tertium::bindings
