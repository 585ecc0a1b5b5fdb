// Exact sums of statistics, and their sums over resamples.
#include <nanobind/stl/tuple.h>

#include <mutex>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "tertium/base/checks.hpp"
#include "tertium/stats/resampling/bootstrap.hpp"
#include "tertium/stats/resampling/pair_gaps.hpp"
#include "tertium/stats/resampling/poisson_sums.hpp"
#include "tertium/stats/resampling/randomization.hpp"
#include "tertium/stats/resampling/sum_bytes.hpp"
#include "tertium/stats/sums/exact_columns.hpp"

namespace tertium::bindings {

namespace {

// Sums to which several threads may add at the same time.
template <typename Sums>
class Shared {
 public:
  explicit Shared(Sums sums) : sums_(std::move(sums)) {}

  template <typename Work>
  auto with(const Work& work) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return work(sums_);
  }

 private:
  Sums sums_;
  std::mutex mutex_;
};

using SharedColumns = Shared<ExactColumns>;
using SharedPoisson = Shared<PoissonSums>;

std::span<const std::uint8_t> bytes_of(const nb::bytes& bytes) {
  return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

void add_rows(SharedColumns& sums, const Array2<double>& rows) {
  sums.with([&](ExactColumns& columns) {
    if (rows.shape(1) != columns.size()) throw std::invalid_argument("rows need as many columns as the sums");
    columns.add({rows.data(), rows.size()});
  });
}

void merge_sums(SharedColumns& sums, SharedColumns& others) {
  const ExactColumns addend = others.with([](ExactColumns& columns) { return columns; });
  sums.with([&](ExactColumns& columns) {
    if (addend.size() != columns.size())
      throw std::invalid_argument("the sums differ in their number of columns");
    columns.merge(addend);
  });
}

Vector<double> round_sums(SharedColumns& sums) {
  return to_numpy(sums.with([](ExactColumns& columns) {
    std::vector<double> rounded(columns.size());
    for (std::size_t i = 0; i < rounded.size(); ++i) rounded[i] = columns[i].round();
    return rounded;
  }));
}

nb::bytes sums_to_bytes(SharedColumns& sums) {
  const auto bytes = sums.with([](ExactColumns& columns) { return to_bytes(columns); });
  return nb::bytes(bytes.data(), bytes.size());
}

void sums_from_bytes(SharedColumns* place, const nb::bytes& bytes) {
  new (place)
      SharedColumns(exact_columns_from({static_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
}

void add_poisson(SharedPoisson& sums, std::uint64_t start, const Array2<double>& rows, std::size_t threads) {
  sums.with([&](PoissonSums& all) {
    if (rows.shape(1) != all.columns()) throw std::invalid_argument("rows need as many columns as the sums");
    all.add(start, {rows.data(), rows.size()}, threads);
  });
}

void merge_poisson(SharedPoisson& sums, SharedPoisson& others) {
  const PoissonSums addend = others.with([](PoissonSums& all) { return all; });
  sums.with([&](PoissonSums& all) {
    if (addend.samples() != all.samples() || addend.columns() != all.columns() || addend.key() != all.key() ||
        addend.first() != all.first())
      throw std::invalid_argument("the sums differ in their samples, columns or seed");
    all.merge(addend);
  });
}

Matrix<double> round_poisson(SharedPoisson& sums) {
  std::size_t samples = 0, columns = 0;
  auto rounded = sums.with([&](PoissonSums& all) {
    samples = all.samples(), columns = all.columns();
    std::vector<double> values(samples * columns);
    for (std::size_t sample = 0; sample < samples; ++sample)
      for (std::size_t column = 0; column < columns; ++column)
        values[sample * columns + column] = all[column].round(sample);
    return values;
  });
  return to_matrix(std::move(rounded), samples, columns);
}

nb::bytes poisson_to_bytes(SharedPoisson& sums) {
  const auto bytes = sums.with([](PoissonSums& all) { return to_bytes(all); });
  return nb::bytes(bytes.data(), bytes.size());
}

void poisson_from_bytes(SharedPoisson* place, const nb::bytes& bytes) {
  new (place) SharedPoisson(poisson_sums_from(bytes_of(bytes)));
}

Matrix<std::uint8_t> poisson_weights(std::uint64_t key, std::uint64_t other_key, std::size_t samples,
                                     std::uint64_t start, std::size_t segments) {
  std::vector<std::uint8_t> weights(samples * segments);
  const PoissonTable table;
  for (std::size_t sample = 0; sample < samples; ++sample)
    draw_poisson(table, {key, other_key}, sample, start,
                 std::span(weights).subspan(sample * segments, segments));
  return to_matrix(std::move(weights), samples, segments);
}

// high, low, increment high, increment low, has half, half
using StateTuple =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, bool, std::uint32_t>;

Pcg64 generator_from(const StateTuple& state) {
  const auto& [high, low, increment_high, increment_low, has_half, half] = state;
  return Pcg64({high, low, increment_high, increment_low, has_half, half});
}

StateTuple state_of(const Pcg64& generator) {
  const auto& at = generator.state();
  return {at.high, at.low, at.increment_high, at.increment_low, at.has_half, at.half};
}

// Tables of (rows x columns), all with `rows` rows.
using Tables = nb::typed<nb::list, Array2<double>>;

std::vector<ColumnRun> as_runs(const Tables& tables, std::size_t rows) {
  std::vector<ColumnRun> runs;
  for (const nb::handle given : tables) {
    const auto table = nb::cast<Array2<double>>(given, false);
    if (table.shape(0) != rows) throw std::invalid_argument("every table needs a row per segment");
    runs.push_back({table.data(), table.shape(1), table.shape(1)});
  }
  return runs;
}

using SumSamples = void (*)(std::span<const ColumnRun>, std::size_t, std::size_t, Pcg64&, std::size_t,
                            std::span<double>);

template <SumSamples sum_samples>
std::tuple<Matrix<double>, StateTuple> sum_resamples(const Tables& tables, std::size_t rows,
                                                     std::size_t samples, const StateTuple& state,
                                                     std::size_t threads) {
  if (rows == 0 || rows > 0xffffffff) throw std::invalid_argument("from 1 to 2^32 - 1 segments can be drawn");
  const auto runs = as_runs(tables, rows);
  std::size_t columns = 0;
  for (const ColumnRun& run : runs) columns += run.width;
  Pcg64 generator = generator_from(state);
  const auto sums = fill_matrix(samples, columns, [&](std::span<double> values) {
    sum_samples(runs, rows, samples, generator, threads, values);
  });
  return {sums, state_of(generator)};
}

std::tuple<Matrix<std::int64_t>, Matrix<std::int64_t>> count_gaps_of_pairs(const Array2<double>& scores,
                                                                           const Array1<double>& means,
                                                                           const Array2<double>& thresholds,
                                                                           const Array2<double>& roundings,
                                                                           std::size_t threads) {
  const std::size_t n = means.size();
  for (const auto* matrix : {&thresholds, &roundings})
    if (matrix->shape(0) != n || matrix->shape(1) != n)
      throw std::invalid_argument("every pair needs a threshold");
  if (scores.shape(0) != n) throw std::invalid_argument("every system needs a mean");
  std::vector<std::int64_t> beyond(n * n), apart(n * n);
  {
    const nb::gil_scoped_release release;
    count_all_gaps({{scores.data(), scores.size()}, as_span(means)}, {thresholds.data(), n * n},
                   {roundings.data(), n * n}, threads, beyond, apart);
  }
  return {to_matrix(std::move(beyond), n, n), to_matrix(std::move(apart), n, n)};
}

}  // namespace

void bind_resampling(nb::module_& m) {
  nb::class_<SharedColumns>(m, "ExactColumns")
      .def(
          "__init__",
          [](SharedColumns* place, std::size_t columns) { new (place) SharedColumns(ExactColumns(columns)); },
          nb::arg("columns"))
      .def("__init__", &sums_from_bytes, nb::arg("saved"))
      .def("__len__",
           [](SharedColumns& sums) { return sums.with([](ExactColumns& all) { return all.size(); }); })
      .def("n_rows",
           [](SharedColumns& sums) { return sums.with([](ExactColumns& all) { return all.n_rows(); }); })
      .def("add", &add_rows, nb::arg("rows").noconvert())
      .def("merge", &merge_sums, nb::arg("others"))
      .def("round", &round_sums)
      .def("to_bytes", &sums_to_bytes);
  nb::class_<SharedPoisson>(m, "PoissonSums")
      .def(
          "__init__",
          [](SharedPoisson* place, std::size_t samples, std::size_t columns, std::uint64_t key,
             std::uint64_t other_key, std::uint64_t first) {
            new (place) SharedPoisson(PoissonSums(samples, columns, {key, other_key}, first));
          },
          nb::arg("samples"), nb::arg("columns"), nb::arg("key"), nb::arg("other_key"), nb::arg("first"))
      .def("__init__", &poisson_from_bytes, nb::arg("saved"))
      .def("n_rows",
           [](SharedPoisson& sums) { return sums.with([](PoissonSums& all) { return all.n_rows(); }); })
      .def("n_columns",
           [](SharedPoisson& sums) { return sums.with([](PoissonSums& all) { return all.columns(); }); })
      .def("add", &add_poisson, nb::arg("start"), nb::arg("rows").noconvert(), nb::arg("threads"))
      .def("merge", &merge_poisson, nb::arg("others"))
      .def("round", &round_poisson)
      .def("to_bytes", &poisson_to_bytes);
  m.def("poisson_weights", &poisson_weights, nb::arg("key"), nb::arg("other_key"), nb::arg("samples"),
        nb::arg("start"), nb::arg("segments"));
  // rows of a chunk and columns of a strip: what a caller needs to know the memory of a sample
  m.def("bootstrap_shape", [] { return std::tuple(kChunkRows, kStripColumns); });
  m.def("kept_shape", [] { return std::tuple(kSwapChunkRows, kSwapColumns); });
  m.def("bootstrap_sums", &sum_resamples<bootstrap_sums>, nb::arg("tables"), nb::arg("rows"),
        nb::arg("samples"), nb::arg("state"), nb::arg("threads"));
  m.def("kept_sums", &sum_resamples<kept_sums>, nb::arg("tables"), nb::arg("rows"), nb::arg("samples"),
        nb::arg("state"), nb::arg("threads"));
  m.def("count_gaps", &count_gaps_of_pairs, nb::arg("scores").noconvert(), nb::arg("means").noconvert(),
        nb::arg("thresholds").noconvert(), nb::arg("roundings").noconvert(), nb::arg("threads"));
}

}  // namespace tertium::bindings
