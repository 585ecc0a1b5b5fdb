// Kernels over dependency trees: n-grams along and across them, shared headword chains.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/trees/dependency_ngrams.hpp"
#include "tertium/trees/headword_chains.hpp"
#include "tertium/trees/ngram_matcher.hpp"

namespace tertium::bindings {

namespace {

std::tuple<Vector<std::int32_t>, Vector<std::int64_t>, Vector<std::int32_t>, Vector<std::int64_t>>
extract_ngrams(const Ids& heads, const Offsets& offsets, std::size_t order) {
  auto found = compute([&] { return extract_dependency_ngrams({as_span(heads), as_span(offsets)}, order); });
  return {to_numpy(std::move(found.positions)), to_numpy(std::move(found.starts)),
          to_numpy(std::move(found.kinds)), to_numpy(std::move(found.offsets))};
}

Vector<double> match_ngrams(const HeldPairs& held, const Ids& positions, const Offsets& starts,
                            const Ids& kinds, const Offsets& offsets, std::size_t threads) {
  const DependencyNgrams ngrams{as_span(positions), as_span(starts), as_span(kinds), as_span(offsets)};
  return fill_array(kinds.size(), [&](std::span<double> scores) {
    match_dependency_ngrams(held.get(), ngrams, threads, scores);
  });
}

Matrix<double> count_chains(const HeldPairs& held, const Ids& heads, const Ids& reference_heads,
                            std::size_t order, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.n_references(), 3 * order, [&](std::span<double> rows) {
    headword_chain_statistics(pairs, as_span(heads), as_span(reference_heads), order, threads, rows);
  });
}

}  // namespace

void bind_trees(nb::module_& m) {
  m.def("ngram_kinds", [] { return to_strings(kNgramKindNames); });
  m.def("extract_dependency_ngrams", &extract_ngrams, nb::arg("heads").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("order"));
  m.def("match_dependency_ngrams", &match_ngrams, nb::arg("pairs"), nb::arg("positions").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("kinds").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("threads"));
  m.def("count_headword_chains", &count_chains, nb::arg("pairs"), nb::arg("heads").noconvert(),
        nb::arg("reference_heads").noconvert(), nb::arg("order"), nb::arg("threads"));
}

}  // namespace tertium::bindings
