// Kernels over edits of words and characters, and over block shifts.
#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/edits/bag_distance.hpp"
#include "tertium/edits/character.hpp"
#include "tertium/edits/cover_distance.hpp"
#include "tertium/edits/edit_sequence.hpp"
#include "tertium/edits/error_rates.hpp"
#include "tertium/edits/extended_distance.hpp"
#include "tertium/edits/levenshtein.hpp"
#include "tertium/edits/ter.hpp"

namespace tertium::bindings {

namespace {

template <typename Distance>
Matrix<double> count_errors(const HeldPairs& held, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.size(), 2,
                     [&](std::span<double> rows) { error_statistics<Distance>(pairs, threads, rows); });
}

// Moves (start, length, landing) and the edits that are left, as indices into translation_edit_names(), in
// order.
std::pair<Matrix<std::int64_t>, Vector<std::int32_t>> trace_translation_edits(const Ids& hypothesis,
                                                                              const Ids& reference) {
  auto trace = compute([&] { return TranslationEdits().trace(as_span(hypothesis), as_span(reference)); });
  const std::size_t n_moves = trace.moves.size() / TranslationEdits::kMoveWidth;
  return {to_matrix(std::move(trace.moves), n_moves, TranslationEdits::kMoveWidth),
          to_numpy(std::move(trace.edits))};
}

Matrix<double> count_character_edits(const HeldPairs& held, const Ids& letters, const Offsets& letter_offsets,
                                     std::size_t threshold, std::size_t threads) {
  const auto pairs = held.get();
  const auto spelling = check_column(as_span(letters), as_span(letter_offsets));
  return fill_matrix(pairs.n_references(), 3, [&](std::span<double> rows) {
    character_statistics(pairs, spelling, threshold, threads, rows);
  });
}

Matrix<double> count_edit_sequences(const HeldPairs& held, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.size(), 4,
                     [&](std::span<double> rows) { edit_sequence_statistics(pairs, threads, rows); });
}

// The edits of one pair, as indices into translation_edit_names(), in order.
Vector<std::int32_t> trace_edits(const Ids& hypothesis, const Ids& reference) {
  return to_numpy(compute([&] { return EditSequence().trace(as_span(hypothesis), as_span(reference)); }));
}

Matrix<double> count_extended_edits(const HeldPairs& held, double deletion, double insertion,
                                    double substitution, double jump, bool as_program, std::size_t threads) {
  const auto pairs = held.get();
  const ExtendedCosts costs{deletion, insertion, substitution, jump};
  return fill_matrix(pairs.n_references(), 2, [&](std::span<double> rows) {
    if (as_program)
      extended_statistics<ExtendedProgram>(pairs, costs, threads, rows);
    else
      extended_statistics<ExtendedFormula>(pairs, costs, threads, rows);
  });
}

}  // namespace

void bind_edits(nb::module_& m) {
  m.def("count_levenshtein", &count_errors<Levenshtein>, nb::arg("pairs"), nb::arg("threads"));
  m.def("count_bag_errors", &count_errors<BagDistance>, nb::arg("pairs"), nb::arg("threads"));
  m.def("count_cover_errors", &count_errors<CoverDistance>, nb::arg("pairs"), nb::arg("threads"));
  m.def("count_edit_sequences", &count_edit_sequences, nb::arg("pairs"), nb::arg("threads"));
  m.def("trace_edits", &trace_edits, nb::arg("hypothesis").noconvert(), nb::arg("reference").noconvert());
  m.def("count_extended_edits", &count_extended_edits, nb::arg("pairs"), nb::arg("deletion"),
        nb::arg("insertion"), nb::arg("substitution"), nb::arg("jump"), nb::arg("as_program"),
        nb::arg("threads"));
  m.def("count_translation_edits", &count_errors<TranslationEdits>, nb::arg("pairs"), nb::arg("threads"));
  m.def("translation_edit_names", [] { return to_strings(kEditNames); });
  m.def("trace_translation_edits", &trace_translation_edits, nb::arg("hypothesis").noconvert(),
        nb::arg("reference").noconvert());
  m.def("count_character_edits", &count_character_edits, nb::arg("pairs"), nb::arg("letters").noconvert(),
        nb::arg("letter_offsets").noconvert(), nb::arg("threshold"), nb::arg("threads"));
}

}  // namespace tertium::bindings
