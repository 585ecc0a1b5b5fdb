// Kernels over n-grams that two texts share.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/overlap.hpp"

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

}  // namespace

void bind_overlaps(nb::module_& m) {
  m.def("count_overlaps", &count_overlaps, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("order"), nb::arg("threads"));
}

}  // namespace tertium::bindings
