// Kernels that align words and phrases.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/aligner.hpp"

namespace tertium::bindings {

namespace {

// Word classes are looked up by the ids of both texts, which must therefore be small enough.
void check_ids(const Column& column, std::size_t known) {
  for (const std::int32_t id : column.ids)
    if (id < 0 || static_cast<std::size_t>(id) >= known)
      throw std::invalid_argument("every word needs a stem and synsets");
}

nb::tuple align(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                const Offsets& reference_offsets, const Offsets& groups, const Ids& stems,
                const Ids& synset_ids, const Offsets& synset_offsets, const Ids& first_ids,
                const Offsets& first_offsets, const Ids& second_ids, const Offsets& second_offsets,
                std::uint32_t kinds, std::size_t beam, std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  const WordClasses classes{as_span(stems), as_column(synset_ids, synset_offsets)};
  const MatchKinds sought{(kinds & 1) != 0, (kinds & 2) != 0, (kinds & 4) != 0, (kinds & 8) != 0};
  for (const Column& column : {hypotheses, references.column}) {
    if (sought.stem) check_ids(column, classes.stems.size());
    if (sought.synonym) check_ids(column, classes.synsets.size());
  }
  const auto first = as_column(first_ids, first_offsets);
  const auto second = as_column(second_ids, second_offsets);
  if (first.size() != second.size()) throw std::invalid_argument("phrases must come in pairs");
  Alignments found;
  {
    const nb::gil_scoped_release release;
    const PhrasePairs phrases(first, second);
    found = align_texts(hypotheses, references, classes, phrases, sought, beam, threads);
  }
  const std::size_t rows = found.matches.size() / 5;
  return nb::make_tuple(to_matrix(std::move(found.matches), rows, 5), to_numpy(std::move(found.offsets)),
                        to_numpy(std::move(found.chunks)));
}

}  // namespace

void bind_alignment(nb::module_& m) {
  m.def("align_texts", &align, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("stems").noconvert(), nb::arg("synset_ids").noconvert(),
        nb::arg("synset_offsets").noconvert(), nb::arg("first_ids").noconvert(),
        nb::arg("first_offsets").noconvert(), nb::arg("second_ids").noconvert(),
        nb::arg("second_offsets").noconvert(), nb::arg("kinds"), nb::arg("beam"), nb::arg("threads"));
}

}  // namespace tertium::bindings
