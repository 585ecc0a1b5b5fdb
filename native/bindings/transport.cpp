// Semantic Travel Distance and the transport problem behind it.
#include "tertium/vectors/transport.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "pairs.hpp"
#include "tertium/vectors/semantic_travel.hpp"

namespace tertium::bindings {

namespace {

Matrix<double> count_travel_distances(const HeldEmbeddedPairs& held, const Offsets& orders,
                                      const TravelOptions& options, std::size_t threads) {
  const auto pairs = held.get();
  return fill_matrix(pairs.n_references(), orders.size(), [&](std::span<double> rows) {
    travel_distances(pairs, as_span(orders), options, threads, rows);
  });
}

TravelCost read_cost(std::string_view name) {
  if (name == "clipped") return TravelCost::clipped;
  if (name == "cosine") return TravelCost::cosine;
  if (name == "euclidean") return TravelCost::euclidean;
  throw std::invalid_argument("cost must be clipped, cosine or euclidean, not " + std::string(name));
}

Vector<std::int64_t> to_ids(std::span<const std::size_t> numbers) {
  return to_numpy(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
}

// The distance; each side's n-grams; each side's mass; sources; sinks; ground distances; flow.
using TravelPlan =
    std::tuple<double, Vector<std::int32_t>, Vector<std::int32_t>, Vector<double>, Vector<double>,
               Vector<std::int64_t>, Vector<std::int64_t>, Matrix<double>, Matrix<double>>;

// One pair, one order: everything a person may want to see. None if a text has no known word.
std::optional<TravelPlan> explain_travel(const HeldEmbedded& hypothesis, const HeldEmbedded& reference,
                                         std::size_t order, const TravelOptions& options) {
  if (order < 1) throw std::invalid_argument("an order must be at least 1");
  SemanticTravel travel(options);
  travel.read(hypothesis.get()[0], reference.get()[0]);
  if (!travel.comparable()) return std::nullopt;
  const double distance = travel.distance(order);
  const std::size_t n = travel.n_ngrams();
  return TravelPlan(distance, to_numpy(travel.hypothesis().list), to_numpy(travel.reference().list),
                    to_numpy(travel.hypothesis().mass), to_numpy(travel.reference().mass),
                    to_ids(travel.sources()), to_ids(travel.sinks()),
                    to_matrix(travel.ground_distances(), n, n),
                    to_matrix(travel.flows(), travel.sources().size(), travel.sinks().size()));
}

std::pair<Vector<double>, Vector<double>> solve_transports(const Array1<double>& supplies,
                                                           const Offsets& supply_offsets,
                                                           const Array1<double>& demands,
                                                           const Offsets& demand_offsets,
                                                           const Array1<double>& costs,
                                                           const Offsets& cost_offsets, std::size_t threads) {
  const TransportBatch batch{as_span(supplies),       as_span(supply_offsets), as_span(demands),
                             as_span(demand_offsets), as_span(costs),          as_span(cost_offsets)};
  batch.check();
  std::vector<double> totals(batch.size());
  std::vector<double> flows(costs.size());
  compute([&] { solve_transport_batch(batch, threads, totals, flows); });
  return {to_numpy(std::move(totals)), to_numpy(std::move(flows))};
}

}  // namespace

void bind_transport(nb::module_& m) {
  nb::class_<TravelOptions>(m, "TravelOptions")
      .def(
          "__init__",
          [](TravelOptions* made, double order_weight, std::string_view cost, double price, bool cancels,
             bool similarity_mass, bool centroid_of_list, bool occurrences) {
            new (made) TravelOptions{order_weight,    read_cost(cost),  price,      cancels,
                                     similarity_mass, centroid_of_list, occurrences};
          },
          nb::arg("order_weight"), nb::arg("cost"), nb::arg("price"), nb::arg("cancels"),
          nb::arg("similarity_mass"), nb::arg("centroid_of_list"), nb::arg("occurrences"));
  m.def("travel_distances", &count_travel_distances, nb::arg("pairs"), nb::arg("orders").noconvert(),
        nb::arg("options"), nb::arg("threads"));
  m.def("explain_travel", &explain_travel, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("order"),
        nb::arg("options"));
  m.def("solve_transports", &solve_transports, nb::arg("supplies").noconvert(),
        nb::arg("supply_offsets").noconvert(), nb::arg("demands").noconvert(),
        nb::arg("demand_offsets").noconvert(), nb::arg("costs").noconvert(),
        nb::arg("cost_offsets").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
