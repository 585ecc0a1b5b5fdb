// Kernels over word vectors: alignments, soft matches and edits, text vectors, assignments.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/vectors/assignment.hpp"
#include "tertium/vectors/greedy_matches.hpp"
#include "tertium/vectors/soft_edits.hpp"
#include "tertium/vectors/soft_matches.hpp"
#include "tertium/vectors/text_vectors.hpp"
#include "tertium/vectors/word_alignments.hpp"

namespace tertium::bindings {

namespace {

Vector<double> compare_aligned_words(const HeldEmbeddedPairs& held, std::string_view kind, double threshold,
                                     bool strict, std::size_t threads) {
  const auto pairs = held.get();
  const auto alignment = find_named<WordAlignment>(kWordAlignments, kind, "alignment");
  return fill_array(pairs.n_references(), [&](std::span<double> out) {
    alignment_similarities(pairs, alignment, threshold, strict, threads, out);
  });
}

Matrix<double> match_vectors(const HeldEmbeddedPairs& held, std::size_t order, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.n_references(), 2,
                     [&](std::span<double> rows) { vector_matches(pairs, order, threads, rows); });
}

Matrix<double> match_substrings(const HeldPairs& held, const Array1<double>& hypothesis_weights,
                                const Array1<double>& reference_weights, const Ids& letters,
                                const Offsets& letter_offsets, std::size_t order, std::size_t threads) {
  const auto pairs = held.get();
  const auto spelling = check_column(as_span(letters), as_span(letter_offsets));
  return fill_matrix(pairs.n_references(), 2, [&](std::span<double> rows) {
    substring_matches(pairs, as_span(hypothesis_weights), as_span(reference_weights), spelling, order,
                      threads, rows);
  });
}

Vector<double> text_vector_cosines(const HeldEmbeddedPairs& held, std::size_t threads) {
  const auto pairs = held.get();
  return fill_array(pairs.n_references(),
                    [&](std::span<double> out) { text_cosines<TextVectors>(pairs, threads, out); });
}

Vector<double> count_cosines(const HeldPairs& held, std::size_t threads) {
  const auto pairs = held.get();
  return fill_array(pairs.n_references(),
                    [&](std::span<double> out) { text_cosines<CountVectors>(pairs, threads, out); });
}

Matrix<double> count_soft_edits(const HeldEmbeddedPairs& held, bool strict, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.size(), 2,
                     [&](std::span<double> rows) { soft_edit_statistics(pairs, strict, threads, rows); });
}

Matrix<double> count_soft_matches(const HeldEmbeddedPairs& held, std::size_t order, double threshold,
                                  bool strict, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.size(), 2 + 2 * order, [&](std::span<double> rows) {
    soft_match_statistics(pairs, order, threshold, strict, threads, rows);
  });
}

// The similarity of every word of one column's first text with every word of the other's.
Matrix<double> word_similarities(const HeldEmbedded& first, const HeldEmbedded& second, bool strict) {
  WordSimilarity similarity;
  similarity.compare(first.get()[0], second.get()[0], strict);
  const auto values = similarity.values();
  return to_matrix(std::vector<double>(values.begin(), values.end()), similarity.rows(),
                   similarity.columns());
}

// How near each n-gram of the first hypothesis comes to any reference, an array per order.
std::vector<Vector<double>> nearest_ngrams(const HeldEmbedded& hypothesis, const HeldEmbedded& references,
                                           std::size_t order, bool strict) {
  SoftMatcher matcher;
  matcher.compare(hypothesis.get()[0], references.get(), 0, references.size(), order, strict);
  std::vector<Vector<double>> orders;
  for (std::size_t n = 1; n <= order; ++n)
    orders.push_back(to_numpy(std::vector<double>(matcher.nearest(n).begin(), matcher.nearest(n).end())));
  return orders;
}

std::pair<Vector<double>, Vector<std::int32_t>> solve_assignments(const Array1<double>& weights,
                                                                  const Offsets& shapes,
                                                                  const Offsets& weight_offsets,
                                                                  const Offsets& row_offsets,
                                                                  std::size_t threads) {
  const AssignmentBatch batch{as_span(weights), as_span(shapes), as_span(weight_offsets),
                              as_span(row_offsets)};
  batch.check();
  std::vector<double> totals(batch.size());
  std::vector<std::int32_t> matches(batch.n_rows());
  compute([&] { solve_assignment_batch(batch, threads, totals, matches); });
  return {to_numpy(std::move(totals)), to_numpy(std::move(matches))};
}

}  // namespace

void bind_vectors(nb::module_& m) {
  m.def(
      "largest_magnitude",
      [](const Array2<float>& matrix) {
        return compute([&] { return largest_magnitude(as_flat_span(matrix)); });
      },
      nb::arg("matrix").noconvert());
  m.def("alignment_similarities", &compare_aligned_words, nb::arg("pairs"), nb::arg("kind"),
        nb::arg("threshold"), nb::arg("strict"), nb::arg("threads"));
  m.def("match_vectors", &match_vectors, nb::arg("pairs"), nb::arg("order"), nb::arg("threads"));
  m.def("match_substrings", &match_substrings, nb::arg("pairs"), nb::arg("hypothesis_weights").noconvert(),
        nb::arg("reference_weights").noconvert(), nb::arg("letters").noconvert(),
        nb::arg("letter_offsets").noconvert(), nb::arg("order"), nb::arg("threads"));
  m.def("text_vector_cosines", &text_vector_cosines, nb::arg("pairs"), nb::arg("threads"));
  m.def("count_cosines", &count_cosines, nb::arg("pairs"), nb::arg("threads"));
  m.def("count_soft_edits", &count_soft_edits, nb::arg("pairs"), nb::arg("strict"), nb::arg("threads"));
  m.def("count_soft_matches", &count_soft_matches, nb::arg("pairs"), nb::arg("order"), nb::arg("threshold"),
        nb::arg("strict"), nb::arg("threads"));
  m.def("nearest_ngrams", &nearest_ngrams, nb::arg("hypothesis"), nb::arg("references"), nb::arg("order"),
        nb::arg("strict"));
  m.def("word_similarities", &word_similarities, nb::arg("first"), nb::arg("second"), nb::arg("strict"));
  m.def("solve_assignments", &solve_assignments, nb::arg("weights").noconvert(),
        nb::arg("shapes").noconvert(), nb::arg("weight_offsets").noconvert(),
        nb::arg("row_offsets").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
