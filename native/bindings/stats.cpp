// Kernels that compare metrics with people.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "arrays.hpp"
#include "bindings.hpp"
#include "tertium/stats/permutation/group_permutation.hpp"
#include "tertium/stats/permutation/item_permutation.hpp"

namespace tertium::bindings {

namespace {

Matrix<double> permute_items(const Array1<double>& human, const Array2<double>& scores,
                             const Offsets& offsets, const Array2<std::uint8_t>& kept,
                             std::string_view coefficient, std::size_t threads) {
  const MixedItems items{as_span(human),     as_flat_span(scores), as_span(offsets),
                         as_flat_span(kept), scores.shape(0),      kept.shape(0)};
  items.check();
  const auto kind = find_named<Coefficient>(kTabledCoefficients, coefficient, "coefficient");
  return fill_matrix(items.pairs(), items.samples,
                     [&](std::span<double> null) { permute_within_items(items, kind, threads, null); });
}

Matrix<double> permute_groups(const Array1<double>& human, const Array2<double>& scores,
                              const Offsets& offsets, const Array2<std::uint8_t>& kept,
                              std::string_view coefficient, std::size_t threads) {
  check_offsets(as_span(offsets), human.size());
  if (scores.shape(1) != human.size() || kept.shape(1) != human.size())
    throw std::invalid_argument("scores and samples need a column per cell");
  const auto kind = find_named<Coefficient>(kCoefficients, coefficient, "coefficient");
  const GroupedCells cells{as_span(human),     as_flat_span(scores), as_span(offsets),
                           as_flat_span(kept), scores.shape(0),      kept.shape(0)};
  const std::size_t pairs = cells.metrics * (cells.metrics - (cells.metrics > 0)) / 2;
  return fill_matrix(pairs, cells.samples,
                     [&](std::span<double> null) { permute_within_groups(cells, kind, threads, null); });
}

}  // namespace

void bind_stats(nb::module_& m) {
  m.def(
      "item_coefficients", [] { return names_of<Coefficient>(kTabledCoefficients); },
      "The coefficients that permute_items() knows.");
  m.def("max_systems", [] { return kMaxTabledSystems; }, "How many systems a segment may have.");
  m.def(
      "group_coefficients", [] { return names_of<Coefficient>(kCoefficients); },
      "The coefficients that permute_groups() knows.");
  m.def("permute_items", &permute_items, nb::arg("human").noconvert(), nb::arg("scores").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("kept").noconvert(), nb::arg("coefficient"),
        nb::arg("threads"));
  m.def("permute_groups", &permute_groups, nb::arg("human").noconvert(), nb::arg("scores").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("kept").noconvert(), nb::arg("coefficient"),
        nb::arg("threads"));
}

}  // namespace tertium::bindings
