// The inversion edit distance over ids, and its derivations.
#include "tertium/inversion.hpp"

#include <new>

#include "arrays.hpp"
#include "families.hpp"

namespace tertium::bindings {

namespace {

InversionOptions as_options(const InversionCosts& costs, std::size_t max_bytes, bool bound_beyond) {
  return {costs, max_bytes, bound_beyond};
}

// The rows, and the number of the first refused segment (that of all segments if none is).
nb::tuple count_inversions(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                           const Offsets& reference_offsets, const Offsets& groups,
                           const InversionCosts& costs, std::size_t max_bytes, bool bound_beyond,
                           std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  const auto options = as_options(costs, max_bytes, bound_beyond);
  std::size_t refused = 0;
  nb::object rows = fill_matrix(hypotheses.size(), 3, [&](std::span<double> values) {
    refused = inversion_statistics(hypotheses, references, options, threads, values);
  });
  return nb::make_tuple(rows, refused);
}

// A row (edit, i0, i1, j0, j1, i, j) per step; none if the search was refused.
nb::object trace_inversions(const Ids& a, const Ids& b, const InversionCosts& costs, std::size_t max_bytes) {
  std::vector<std::int32_t> rows;
  try {
    const nb::gil_scoped_release release;
    for (const auto& step :
         InversionDistance(as_options(costs, max_bytes, false)).derivation(as_span(a), as_span(b)))
      for (const std::size_t number :
           {static_cast<std::size_t>(step.edit), step.i0, step.i1, step.j0, step.j1, step.i, step.j})
        rows.push_back(static_cast<std::int32_t>(number));
  } catch (const SearchTooLarge&) {
    return nb::none();
  }
  const std::size_t count = rows.size() / 7;
  return to_matrix(std::move(rows), count, 7);
}

}  // namespace

void bind_inversion(nb::module_& m) {
  nb::class_<InversionCosts>(m, "InversionCosts")
      .def(
          "__init__",
          [](InversionCosts* costs, double insertion, double deletion, double substitution,
             double inversion) { new (costs) InversionCosts{insertion, deletion, substitution, inversion}; },
          nb::arg("insertion"), nb::arg("deletion"), nb::arg("substitution"), nb::arg("inversion"));
  m.def("count_inversions", &count_inversions, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("costs"), nb::arg("max_bytes"), nb::arg("bound_beyond"),
        nb::arg("threads"));
  m.def("trace_inversions", &trace_inversions, nb::arg("a").noconvert(), nb::arg("b").noconvert(),
        nb::arg("costs"), nb::arg("max_bytes"));
}

}  // namespace tertium::bindings
