// Kernels over n-grams that two texts share.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/nist.hpp"
#include "tertium/overlap.hpp"
#include "tertium/skip_bigrams.hpp"

namespace tertium::bindings {

namespace {

nb::object count_overlaps(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                          const Offsets& reference_offsets, const Offsets& groups, std::size_t order,
                          std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  return fill_matrix(references.column.size(), 3 * order, [&](std::span<double> rows) {
    overlap_statistics(hypotheses, references, order, threads, rows);
  });
}

nb::object count_skip_bigrams(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                              const Offsets& reference_offsets, const Offsets& groups, const Offsets& gaps,
                              std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  for (const std::int64_t gap : as_span(gaps))
    if (gap < 0) throw std::invalid_argument("a gap must be at least 0");
  return fill_matrix(references.column.size(), 3 * gaps.size(), [&](std::span<double> rows) {
    skip_bigram_statistics(hypotheses, references, as_span(gaps), threads, rows);
  });
}

nb::tuple count_ngrams(const Ids& ids, const Offsets& offsets, std::size_t order) {
  const auto texts = as_column(ids, offsets);
  NgramTable table;
  {
    const nb::gil_scoped_release release;
    table = NgramCounter(texts).count(order);
  }
  return nb::make_tuple(to_numpy(std::move(table.parents)), to_numpy(std::move(table.tokens)),
                        to_numpy(std::move(table.counts)));
}

nb::object count_information(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                             const Offsets& reference_offsets, const Offsets& groups, const Ids& parents,
                             const Ids& tokens, const Array1<double>& weights, std::size_t order,
                             std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  if (parents.size() != tokens.size() || parents.size() != weights.size())
    throw std::invalid_argument("parents, tokens and weights must be of one length");
  return fill_matrix(hypotheses.size(), 2 + 2 * order, [&](std::span<double> rows) {
    const NgramWeights table(as_span(parents), as_span(tokens), as_span(weights));
    nist_statistics(hypotheses, references, table, order, threads, rows);
  });
}

}  // namespace

void bind_overlaps(nb::module_& m) {
  m.def("count_overlaps", &count_overlaps, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("order"), nb::arg("threads"));
  m.def("count_skip_bigrams", &count_skip_bigrams, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("gaps").noconvert(), nb::arg("threads"));
  m.def("count_ngrams", &count_ngrams, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("order"));
  m.def("count_information", &count_information, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("parents").noconvert(), nb::arg("tokens").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("order"), nb::arg("threads"));
}

}  // namespace tertium::bindings
