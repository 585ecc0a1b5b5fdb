// Semantic Travel Distance and the transport problem behind it.
#include "embedded.hpp"
#include "families.hpp"
#include "tertium/semantic_travel.hpp"
#include "tertium/transport_batch.hpp"

namespace tertium::bindings {

namespace {

nb::object travel_distances_of(const EmbeddedTexts& hypotheses, const EmbeddedTexts& references,
                               const Offsets& groups, const Offsets& orders, const TravelOptions& options,
                               std::size_t threads) {
  const auto pairs = pair_texts(hypotheses, references, groups);
  return fill_matrix(references.size(), orders.size(), [&](std::span<double> rows) {
    travel_distances(pairs.hypotheses, pairs.references, pairs.groups, as_span(orders), options, threads,
                     rows);
  });
}

template <typename Value>
std::vector<double> tabulate(std::size_t rows, std::size_t columns, const Value& value) {
  std::vector<double> out(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) out[i * columns + j] = value(i, j);
  return out;
}

nb::object to_ids(std::span<const std::size_t> numbers) {
  return to_numpy(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
}

// One pair, one order: everything a person may want to see.
nb::dict explain_travel(const EmbeddedTexts& hypothesis, const EmbeddedTexts& reference, std::size_t order,
                        const TravelOptions& options) {
  SemanticTravel travel(options);
  nb::dict seen;
  travel.read(hypothesis.column()[0], reference.column()[0]);
  if (!travel.comparable()) return seen;
  seen["distance"] = travel.distance(order);
  seen["hypothesis"] = to_numpy(travel.hypothesis().list);
  seen["reference"] = to_numpy(travel.reference().list);
  seen["hypothesis_mass"] = to_numpy(travel.hypothesis().mass);
  seen["reference_mass"] = to_numpy(travel.reference().mass);
  seen["sources"] = to_ids(travel.sources());
  seen["sinks"] = to_ids(travel.sinks());
  const std::size_t n = travel.n_ngrams();
  const auto ground = [&](std::size_t i, std::size_t j) { return travel.ground_distance(i, j); };
  const auto flow = [&](std::size_t i, std::size_t j) { return travel.flow(i, j); };
  seen["ground"] = to_matrix(tabulate(n, n, ground), n, n);
  const std::size_t sources = travel.sources().size();
  const std::size_t sinks = travel.sinks().size();
  seen["flow"] = to_matrix(tabulate(sources, sinks, flow), sources, sinks);
  return seen;
}

nb::tuple solve_transports(const Array1<double>& supplies, const Offsets& supply_offsets,
                           const Array1<double>& demands, const Offsets& demand_offsets,
                           const Array1<double>& costs, const Offsets& cost_offsets, std::size_t threads) {
  const TransportBatch batch{as_span(supplies),       as_span(supply_offsets), as_span(demands),
                             as_span(demand_offsets), as_span(costs),          as_span(cost_offsets)};
  check_offsets(batch.supply_offsets, supplies.size());
  check_offsets(batch.demand_offsets, demands.size());
  check_offsets(batch.cost_offsets, costs.size());
  if (!batch.fits()) throw std::invalid_argument("costs must have a row per supply and a column per demand");
  std::vector<double> totals(batch.size());
  std::vector<double> flows(costs.size());
  {
    const nb::gil_scoped_release release;
    solve_transport_batch(batch, threads, totals, flows);
  }
  return nb::make_tuple(to_numpy(std::move(totals)), to_numpy(std::move(flows)));
}

}  // namespace

void bind_travel(nb::module_& m) {
  nb::class_<TravelOptions>(m, "TravelOptions")
      .def(nb::init<double, bool, bool, bool, bool>(), nb::arg("order_weight"), nb::arg("cancels"),
           nb::arg("similarity_mass"), nb::arg("centroid_of_list"), nb::arg("occurrences"));
  m.def("travel_distances", &travel_distances_of, nb::arg("hypotheses"), nb::arg("references"),
        nb::arg("groups").noconvert(), nb::arg("orders").noconvert(), nb::arg("options"), nb::arg("threads"));
  m.def("explain_travel", &explain_travel, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("order"),
        nb::arg("options"));
  m.def("solve_transports", &solve_transports, nb::arg("supplies").noconvert(),
        nb::arg("supply_offsets").noconvert(), nb::arg("demands").noconvert(),
        nb::arg("demand_offsets").noconvert(), nb::arg("costs").noconvert(),
        nb::arg("cost_offsets").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
