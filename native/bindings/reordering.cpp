// Kernels over the order of words: block shifts and ranks.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/character.hpp"
#include "tertium/levenshtein.hpp"
#include "tertium/ribes.hpp"
#include "tertium/ter.hpp"

namespace tertium::bindings {

namespace {

// An id without a spelling would make a kernel read foreign memory.
void check_ids(std::span<const std::int32_t> ids, std::size_t size) {
  const auto known = [&](std::int32_t id) { return id >= 0 && static_cast<std::size_t>(id) < size; };
  if (!std::all_of(ids.begin(), ids.end(), known)) throw std::invalid_argument("a word has no spelling");
}

nb::object count_translation_edits(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                                   const Offsets& reference_offsets, const Offsets& groups,
                                   std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  return fill_matrix(hypotheses.size(), 2, [&](std::span<double> rows) {
    error_statistics<TranslationEdits>(hypotheses, references, threads, rows);
  });
}

// Moves (start, length, landing) and the edits that are left, by their number in `Edit`, in order.
nb::tuple trace_translation_edits(const Ids& hypothesis, const Ids& reference) {
  const auto trace = TranslationEdits().trace(as_span(hypothesis), as_span(reference));
  std::vector<std::int64_t> moves;
  for (const auto& [start, length, landing] : trace.moves)
    for (const std::size_t number : {start, length, landing})
      moves.push_back(static_cast<std::int64_t>(number));
  std::vector<std::int32_t> edits;
  for (auto edit = trace.edits.rbegin(); edit != trace.edits.rend(); ++edit)
    edits.push_back(static_cast<std::int32_t>(*edit));
  return nb::make_tuple(to_matrix(std::move(moves), trace.moves.size(), 3), to_numpy(std::move(edits)));
}

nb::object count_ranks(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                       const Offsets& reference_offsets, const Offsets& groups, std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  return fill_matrix(references.column.size(), 3,
                     [&](std::span<double> rows) { rank_statistics(hypotheses, references, threads, rows); });
}

nb::object count_character_edits(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                                 const Offsets& reference_offsets, const Offsets& groups, const Ids& letters,
                                 const Offsets& letter_offsets, std::size_t threshold, std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  const auto spelling = as_column(letters, letter_offsets);
  check_ids(as_span(ids), spelling.size());
  check_ids(as_span(reference_ids), spelling.size());
  return fill_matrix(references.column.size(), 3, [&](std::span<double> rows) {
    character_statistics(hypotheses, references, spelling, threshold, threads, rows);
  });
}

}  // namespace

void bind_reordering(nb::module_& m) {
  m.def("count_translation_edits", &count_translation_edits, nb::arg("ids").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("reference_ids").noconvert(),
        nb::arg("reference_offsets").noconvert(), nb::arg("groups").noconvert(), nb::arg("threads"));
  m.def("trace_translation_edits", &trace_translation_edits, nb::arg("hypothesis").noconvert(),
        nb::arg("reference").noconvert());
  m.def("count_ranks", &count_ranks, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("threads"));
  m.def("count_character_edits", &count_character_edits, nb::arg("ids").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("reference_ids").noconvert(),
        nb::arg("reference_offsets").noconvert(), nb::arg("groups").noconvert(),
        nb::arg("letters").noconvert(), nb::arg("letter_offsets").noconvert(), nb::arg("threshold"),
        nb::arg("threads"));
}

}  // namespace tertium::bindings
