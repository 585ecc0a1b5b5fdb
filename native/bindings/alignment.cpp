// Kernels that cut streams of words into segments.
#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/alignment/segmentation.hpp"
#include "tertium/edits/levenshtein.hpp"

namespace tertium::bindings {

namespace {

void check_problem(const CutProblem& problem, std::size_t n_rows) {
  const auto& references = problem.references;
  check_groups(references.groups, problem.n_segments(), references.column.size());
  if (problem.n_segments() == 0 || problem.kinds.size() != problem.n_segments())
    throw std::invalid_argument("every segment needs a kind of cut");
  if (problem.cut_costs.size() % problem.n_positions() != 0)
    throw std::invalid_argument("every position needs a cost of a cut");
  check_range(problem.kinds, 0, problem.cut_costs.size() / problem.n_positions(), "no such kind of cut");
  for (const CutCost cost : problem.cut_costs)
    if (cost < 0 || cost > kImpossible) throw std::invalid_argument("costs of cuts are out of range");
  if (problem.costs.edit < 1) throw std::invalid_argument("an edit must cost something");
  if (problem.word < 0 || problem.word > problem.costs.edit)
    throw std::invalid_argument("a word may cost at most an edit");
  if (!problem.costs.is_soft()) return;
  check_range(problem.stream, 0, problem.costs.n_types, "no such type in the table of costs");
  check_range(references.column.ids, 0, n_rows, "no such type in the table of costs");
}

std::pair<Vector<std::int64_t>, Vector<std::int32_t>> cut_stream(
    const Ids& stream, const Ids& ids, const Offsets& offsets, const Offsets& groups, const Ids& kinds,
    const Ids& cut_costs, const Array2<std::uint8_t>& table, std::int32_t edit, std::int32_t step,
    std::int32_t word) {
  const EditCosts costs{edit, as_flat_span(table), table.shape(1), step};
  const CutProblem problem{as_span(stream), {check_column(as_span(ids), as_span(offsets)), as_span(groups)},
                           as_span(kinds),  as_span(cut_costs),
                           costs,           word};
  check_problem(problem, table.shape(0));
  auto found = compute([&] { return StreamCutter(problem).cut(); });
  return {to_numpy(std::move(found.positions)), to_numpy(std::move(found.margins))};
}

Matrix<std::uint8_t> spelling_costs(const Ids& ids, const Offsets& offsets, const Ids& other_ids,
                                    const Offsets& other_offsets, std::uint8_t steps) {
  const auto rows = check_column(as_span(ids), as_span(offsets));
  const auto columns = check_column(as_span(other_ids), as_span(other_offsets));
  std::vector<std::uint8_t> costs(rows.size() * columns.size());
  compute([&] { fill_spelling_costs<Levenshtein>(rows, columns, steps, costs); });
  return to_matrix(std::move(costs), rows.size(), columns.size());
}

}  // namespace

void bind_alignment(nb::module_& m) {
  m.attr("IMPOSSIBLE_CUT") = kImpossible;
  m.def("cut_stream", &cut_stream, nb::arg("stream").noconvert(), nb::arg("ids").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("groups").noconvert(), nb::arg("kinds").noconvert(),
        nb::arg("cut_costs").noconvert(), nb::arg("table").noconvert(), nb::arg("edit"), nb::arg("step"),
        nb::arg("word"));
  m.def("spelling_costs", &spelling_costs, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("other_ids").noconvert(), nb::arg("other_offsets").noconvert(), nb::arg("steps"));
}

}  // namespace tertium::bindings
