// Kernels over word ids: n-gram matches and edit distances.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/levenshtein.hpp"
#include "tertium/ngrams.hpp"

namespace tertium::bindings {

namespace {

nb::object count_bleu(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                      const Offsets& reference_offsets, const Offsets& groups, std::size_t order,
                      std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  return fill_matrix(hypotheses.size(), 2 + 2 * order, [&](std::span<double> rows) {
    bleu_statistics(hypotheses, references, order, threads, rows);
  });
}

template <typename Distance>
nb::object count_errors(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                        const Offsets& reference_offsets, const Offsets& groups, std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  return fill_matrix(hypotheses.size(), 2, [&](std::span<double> rows) {
    error_statistics<Distance>(hypotheses, references, threads, rows);
  });
}

}  // namespace

void bind_lexical(nb::module_& m) {
  m.def("count_bleu", &count_bleu, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("order"), nb::arg("threads"));
  m.def("count_levenshtein", &count_errors<Levenshtein>, nb::arg("ids").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("reference_ids").noconvert(),
        nb::arg("reference_offsets").noconvert(), nb::arg("groups").noconvert(), nb::arg("threads"));
  m.def("count_bag_errors", &count_errors<BagDistance>, nb::arg("ids").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("reference_ids").noconvert(),
        nb::arg("reference_offsets").noconvert(), nb::arg("groups").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
