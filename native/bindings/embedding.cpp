// Kernels over word vectors: alignments, soft matches and edits, text vectors.
#include "embedded.hpp"
#include "families.hpp"
#include "tertium/alignments.hpp"
#include "tertium/soft_edits.hpp"
#include "tertium/soft_matches.hpp"
#include "tertium/text_vectors.hpp"

namespace tertium::bindings {

namespace {

// Runs fill(span) without the GIL on a fresh array of one number per item.
template <typename Fill>
nb::object fill_array(std::size_t items, const Fill& fill) {
  std::vector<double> values(items);
  {
    const nb::gil_scoped_release release;
    fill(std::span<double>(values));
  }
  return to_numpy(std::move(values));
}

nb::object alignment_similarities_of(const EmbeddedTexts& hypotheses, const EmbeddedTexts& references,
                                     const Offsets& groups, Alignment kind, double threshold, bool strict,
                                     std::size_t threads) {
  const auto pairs = pair_texts(hypotheses, references, groups);
  return fill_array(references.size(), [&](std::span<double> out) {
    alignment_similarities(pairs.hypotheses, pairs.references, pairs.groups, kind, threshold, strict, threads,
                           out);
  });
}

nb::object text_vector_cosines(const EmbeddedTexts& hypotheses, const EmbeddedTexts& references,
                               const Offsets& groups, std::size_t threads) {
  const auto pairs = pair_texts(hypotheses, references, groups);
  return fill_array(references.size(), [&](std::span<double> out) {
    text_cosines<TextVectors>(pairs.hypotheses, pairs.references, pairs.groups, threads, out);
  });
}

nb::object count_cosines(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                         const Offsets& reference_offsets, const Offsets& groups, std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  return fill_array(references.column.size(), [&](std::span<double> out) {
    text_cosines<CountVectors>(hypotheses, references.column, references.groups, threads, out);
  });
}

nb::object count_soft_edits(const EmbeddedTexts& hypotheses, const EmbeddedTexts& references,
                            const Offsets& groups, bool strict, std::size_t threads) {
  const auto pairs = pair_texts(hypotheses, references, groups);
  return fill_matrix(hypotheses.size(), 2, [&](std::span<double> rows) {
    soft_edit_statistics(pairs.hypotheses, pairs.references, pairs.groups, strict, threads, rows);
  });
}

nb::object count_soft_matches(const EmbeddedTexts& hypotheses, const EmbeddedTexts& references,
                              const Offsets& groups, std::size_t order, double threshold, bool strict,
                              std::size_t threads) {
  const auto pairs = pair_texts(hypotheses, references, groups);
  return fill_matrix(hypotheses.size(), 2 + 2 * order, [&](std::span<double> rows) {
    soft_match_statistics(pairs.hypotheses, pairs.references, pairs.groups, order, threshold, strict, threads,
                          rows);
  });
}

// The similarity of every word of one text with every word of another.
nb::object word_similarities(const EmbeddedTexts& first, const EmbeddedTexts& second, bool strict) {
  WordSimilarity similarity;
  similarity.compare(first.column()[0], second.column()[0], strict);
  const auto values = similarity.values();
  return to_matrix(std::vector<double>(values.begin(), values.end()), similarity.rows(),
                   similarity.columns());
}

// How near each n-gram of the first hypothesis comes to any reference, an array per order.
nb::list nearest_ngrams(const EmbeddedTexts& hypothesis, const EmbeddedTexts& references, std::size_t order,
                        bool strict) {
  SoftMatcher matcher;
  matcher.compare(hypothesis.column()[0], references.column(), 0, references.size(), order, strict);
  nb::list orders;
  for (std::size_t n = 1; n <= order; ++n)
    orders.append(to_numpy(std::vector<double>(matcher.nearest(n).begin(), matcher.nearest(n).end())));
  return orders;
}

nb::tuple solve_assignments(const Array1<double>& weights, const Offsets& shapes,
                            const Offsets& weight_offsets, const Offsets& row_offsets, std::size_t threads) {
  check_offsets(as_span(weight_offsets), weights.size());
  const std::size_t problems = weight_offsets.size() - 1;
  if (shapes.size() != 2 * problems || row_offsets.size() != problems + 1)
    throw std::invalid_argument("every problem needs a shape");
  for (std::size_t i = 0; i < problems; ++i) {
    const std::int64_t rows = row_offsets.data()[i + 1] - row_offsets.data()[i];
    const std::int64_t size = weight_offsets.data()[i + 1] - weight_offsets.data()[i];
    if (shapes.data()[2 * i] != rows || rows * shapes.data()[2 * i + 1] != size)
      throw std::invalid_argument("shapes must fit the weights");
  }
  std::vector<double> totals(problems);
  std::vector<std::int32_t> matches(static_cast<std::size_t>(row_offsets.data()[problems]));
  {
    const nb::gil_scoped_release release;
    solve_assignment_batch(as_span(weights), as_span(shapes), as_span(weight_offsets), as_span(row_offsets),
                           threads, totals, matches);
  }
  return nb::make_tuple(to_numpy(std::move(totals)), to_numpy(std::move(matches)));
}

}  // namespace

void bind_embedding(nb::module_& m) {
  nb::class_<EmbeddedTexts>(m, "EmbeddedTexts")
      .def(nb::init<Ids, Offsets, Ids, Array2<float>, Array1<double>>(), nb::arg("ids").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("rows").noconvert(), nb::arg("matrix").noconvert(),
           nb::arg("weights").noconvert())
      .def("__len__", &EmbeddedTexts::size);
  nb::enum_<Alignment>(m, "Alignment")
      .value("whole", Alignment::whole)
      .value("maximum", Alignment::maximum)
      .value("hungarian", Alignment::hungarian);
  m.def("alignment_similarities", &alignment_similarities_of, nb::arg("hypotheses"), nb::arg("references"),
        nb::arg("groups").noconvert(), nb::arg("kind"), nb::arg("threshold"), nb::arg("strict"),
        nb::arg("threads"));
  m.def("text_vector_cosines", &text_vector_cosines, nb::arg("hypotheses"), nb::arg("references"),
        nb::arg("groups").noconvert(), nb::arg("threads"));
  m.def("count_cosines", &count_cosines, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("threads"));
  m.def("count_soft_edits", &count_soft_edits, nb::arg("hypotheses"), nb::arg("references"),
        nb::arg("groups").noconvert(), nb::arg("strict"), nb::arg("threads"));
  m.def("count_soft_matches", &count_soft_matches, nb::arg("hypotheses"), nb::arg("references"),
        nb::arg("groups").noconvert(), nb::arg("order"), nb::arg("threshold"), nb::arg("strict"),
        nb::arg("threads"));
  m.def("nearest_ngrams", &nearest_ngrams, nb::arg("hypothesis"), nb::arg("references"), nb::arg("order"),
        nb::arg("strict"));
  m.def("word_similarities", &word_similarities, nb::arg("first"), nb::arg("second"), nb::arg("strict"));
  m.def("solve_assignments", &solve_assignments, nb::arg("weights").noconvert(),
        nb::arg("shapes").noconvert(), nb::arg("weight_offsets").noconvert(),
        nb::arg("row_offsets").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
