// Kernels over n-grams that texts share.
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/ngrams/aggregated_overlap.hpp"
#include "tertium/ngrams/bleu.hpp"
#include "tertium/ngrams/nist.hpp"
#include "tertium/ngrams/overlap.hpp"
#include "tertium/ngrams/ribes.hpp"
#include "tertium/ngrams/skip_bigrams.hpp"

namespace tertium::bindings {

namespace {

Matrix<double> count_bleu(const HeldPairs& held, std::size_t order, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.size(), 2 + 2 * order,
                     [&](std::span<double> rows) { bleu_statistics(pairs, order, threads, rows); });
}

Matrix<double> count_overlaps(const HeldPairs& held, std::size_t order, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.n_references(), 3 * order,
                     [&](std::span<double> rows) { overlap_statistics(pairs, order, threads, rows); });
}

Matrix<double> count_aggregated_overlaps(const Ids& ids, const Offsets& offsets, const Offsets& groups,
                                         const Ids& reference_ids, const Offsets& reference_offsets,
                                         const Offsets& reference_groups, std::size_t order,
                                         std::size_t threads) {
  const auto hypotheses = check_column(as_span(ids), as_span(offsets));
  const auto references = check_column(as_span(reference_ids), as_span(reference_offsets));
  check_groups(as_span(groups), groups.size() - 1, hypotheses.size());
  check_groups(as_span(reference_groups), groups.size() - 1, references.size());
  return fill_matrix(hypotheses.size(), 3 * order, [&](std::span<double> rows) {
    aggregated_overlap_statistics({hypotheses, as_span(groups)}, {references, as_span(reference_groups)},
                                  order, threads, rows);
  });
}

Matrix<double> count_skip_bigrams(const HeldPairs& held, const Offsets& gaps, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.n_references(), 3 * gaps.size(), [&](std::span<double> rows) {
    skip_bigram_statistics(pairs, as_span(gaps), threads, rows);
  });
}

std::tuple<Vector<std::int32_t>, Vector<std::int32_t>, Vector<std::int64_t>> count_ngrams(
    const Ids& ids, const Offsets& offsets, std::size_t order) {
  const auto texts = check_column(as_span(ids), as_span(offsets));
  NgramTable table = compute([&] { return NgramCounter(texts).count(order); });
  return {to_numpy(std::move(table.parents)), to_numpy(std::move(table.tokens)),
          to_numpy(std::move(table.counts))};
}

Matrix<double> count_information(const HeldPairs& held, const Ids& parents, const Ids& tokens,
                                 const Array1<double>& weights, std::size_t order, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.size(), 2 + 2 * order, [&](std::span<double> rows) {
    const NgramWeights table(as_span(parents), as_span(tokens), as_span(weights));
    nist_statistics(pairs, table, order, threads, rows);
  });
}

Matrix<double> count_ranks(const HeldPairs& held, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.n_references(), 3,
                     [&](std::span<double> rows) { rank_statistics(pairs, threads, rows); });
}

}  // namespace

void bind_ngrams(nb::module_& m) {
  m.def("count_bleu", &count_bleu, nb::arg("pairs"), nb::arg("order"), nb::arg("threads"));
  m.def("count_overlaps", &count_overlaps, nb::arg("pairs"), nb::arg("order"), nb::arg("threads"));
  m.def("count_aggregated_overlaps", &count_aggregated_overlaps, nb::arg("ids").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("groups").noconvert(), nb::arg("reference_ids").noconvert(),
        nb::arg("reference_offsets").noconvert(), nb::arg("reference_groups").noconvert(), nb::arg("order"),
        nb::arg("threads"));
  m.def("count_skip_bigrams", &count_skip_bigrams, nb::arg("pairs"), nb::arg("gaps").noconvert(),
        nb::arg("threads"));
  m.def("count_ngrams", &count_ngrams, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("order"));
  m.def("count_information", &count_information, nb::arg("pairs"), nb::arg("parents").noconvert(),
        nb::arg("tokens").noconvert(), nb::arg("weights").noconvert(), nb::arg("order"), nb::arg("threads"));
  m.def("count_ranks", &count_ranks, nb::arg("pairs"), nb::arg("threads"));
}

}  // namespace tertium::bindings
