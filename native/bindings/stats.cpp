// Kernels that compare metrics with people.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "arrays.hpp"
#include "rooms.hpp"
#include "tertium/stats/item_permutation.hpp"

namespace tertium::bindings {

namespace {

Matrix<double> permute_items(const Array1<double>& human, const Array2<double>& scores,
                             const Offsets& offsets, const Array2<std::uint8_t>& kept,
                             std::string_view coefficient, std::size_t threads) {
  const MixedItems items{as_span(human),     as_flat_span(scores), as_span(offsets),
                         as_flat_span(kept), scores.shape(0),      kept.shape(0)};
  items.check();
  const auto kind = find_named<Coefficient>(kCoefficients, coefficient, "coefficient");
  return fill_matrix(items.pairs(), items.samples,
                     [&](std::span<double> null) { permute_within_items(items, kind, threads, null); });
}

}  // namespace

void bind_stats(nb::module_& m) {
  m.def("item_coefficients", [] { return names_of<Coefficient>(kCoefficients); });
  m.def("most_systems", [] { return kTabledSystems; }, "How many systems a segment may have.");
  m.def("permute_items", &permute_items, nb::arg("human").noconvert(), nb::arg("scores").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("kept").noconvert(), nb::arg("coefficient"),
        nb::arg("threads"));
}

}  // namespace tertium::bindings
