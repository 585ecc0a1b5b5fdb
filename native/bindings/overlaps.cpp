// Kernels that count what two texts share in several units at once.
#include "tertium/overlaps.hpp"

#include "arrays.hpp"
#include "families.hpp"

namespace tertium::bindings {

namespace {

nb::object count_overlaps(const Ids& words, const Offsets& offsets, const Ids& characters,
                          const Offsets& character_offsets, const Ids& reference_words,
                          const Offsets& reference_offsets, const Ids& reference_characters,
                          const Offsets& reference_character_offsets, const Offsets& groups,
                          std::size_t threads) {
  const auto hypotheses = as_column(words, offsets);
  const auto spelled = as_column(characters, character_offsets);
  const auto references = as_grouped(reference_words, reference_offsets, groups, hypotheses.size());
  const auto references_spelled = as_column(reference_characters, reference_character_offsets);
  if (spelled.size() != hypotheses.size() || references_spelled.size() != references.column.size())
    throw std::invalid_argument("words and characters of the same texts are needed");
  return fill_matrix(references.column.size(), kOverlapWidth, [&](std::span<double> rows) {
    overlap_statistics(hypotheses, spelled, references, references_spelled, threads, rows);
  });
}

}  // namespace

void bind_overlaps(nb::module_& m) {
  m.def("count_overlaps", &count_overlaps, nb::arg("words").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("characters").noconvert(), nb::arg("character_offsets").noconvert(),
        nb::arg("reference_words").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("reference_characters").noconvert(), nb::arg("reference_character_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
