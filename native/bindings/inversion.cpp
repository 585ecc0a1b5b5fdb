// The inversion edit distance over ids, and its derivations.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <new>
#include <optional>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/inversion/distance.hpp"

namespace tertium::bindings {

namespace {

// The rows, and the number of the first segment beyond the limits (the number of segments if there is none).
std::pair<Matrix<double>, std::size_t> count_inversions(const HeldPairs& held, const InversionCosts& costs,
                                                        std::size_t max_bytes, std::uint64_t max_steps,
                                                        bool bound_beyond, std::size_t threads) {
  const auto pairs = held.get();
  std::size_t refused = 0;
  auto rows = fill_matrix(pairs.size(), 3, [&](std::span<double> values) {
    refused = inversion_statistics(pairs, {costs, max_bytes, max_steps, bound_beyond}, threads, values);
  });
  return {std::move(rows), refused};
}

// A row (index into derivation_edit_names(), i0, i1, j0, j1, i, j) per step; None if the search would exceed
// its limits.
std::optional<Matrix<std::int32_t>> trace_inversions(const Ids& a, const Ids& b, const InversionCosts& costs,
                                                     std::size_t max_bytes, std::uint64_t max_steps) {
  try {
    auto rows = compute([&] {
      return rows_of(
          InversionDistance({costs, max_bytes, max_steps, false}).derivation(as_span(a), as_span(b)));
    });
    const std::size_t count = rows.size() / kStepWidth;
    return to_matrix(std::move(rows), count, kStepWidth);
  } catch (const SearchTooLarge&) {
    return std::nullopt;
  }
}

void make_costs(InversionCosts* costs, double insertion, double deletion, double substitution,
                double inversion) {
  new (costs) InversionCosts{insertion, deletion, substitution, inversion};
}

}  // namespace

void bind_inversion(nb::module_& m) {
  nb::class_<InversionCosts>(m, "InversionCosts")
      .def("__init__", &make_costs, nb::arg("insertion"), nb::arg("deletion"), nb::arg("substitution"),
           nb::arg("inversion"));
  m.def("count_inversions", &count_inversions, nb::arg("pairs"), nb::arg("costs"), nb::arg("max_bytes"),
        nb::arg("max_steps"), nb::arg("bound_beyond"), nb::arg("threads"));
  m.def("derivation_edit_names", [] { return to_strings(kDerivationEditNames); });
  m.def("trace_inversions", &trace_inversions, nb::arg("a").noconvert(), nb::arg("b").noconvert(),
        nb::arg("costs"), nb::arg("max_bytes"), nb::arg("max_steps"));
}

}  // namespace tertium::bindings
