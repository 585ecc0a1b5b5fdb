// Binds the kernels that compare metrics with people.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/mixtures.hpp"

namespace tertium::bindings {

namespace {

nb::object permute_items(const Array1<double>& human, const Array2<double>& scores, const Offsets& offsets,
                         const Array2<std::uint8_t>& kept, int coefficient, std::size_t threads) {
  check_offsets(as_span(offsets), human.size());
  if (scores.shape(1) != human.size() || kept.shape(1) != human.size())
    throw std::invalid_argument("scores and samples need a column per cell");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    if (offsets.data()[i + 1] - offsets.data()[i] > static_cast<std::int64_t>(kTabledSystems))
      throw std::invalid_argument("a segment has too many systems");
  if (coefficient < 0 || coefficient > 3) throw std::invalid_argument("there is no such coefficient");
  const MixedItems items{as_span(human),   {scores.data(), scores.size()},
                         as_span(offsets), {kept.data(), kept.size()},
                         scores.shape(0),  kept.shape(0)};
  const std::size_t pairs = items.metrics * (items.metrics - (items.metrics > 0)) / 2;
  return fill_matrix(pairs, items.samples, [&](std::span<double> null) {
    permute_within_items(items, static_cast<Coefficient>(coefficient), threads, null);
  });
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("permute_items", &permute_items, nb::arg("human").noconvert(), nb::arg("scores").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("kept").noconvert(), nb::arg("coefficient"),
        nb::arg("threads"));
}

}  // namespace tertium::bindings
