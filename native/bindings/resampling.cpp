// Exact sums of statistics, and their sums over resamples.
#include <nanobind/stl/tuple.h>

#include <mutex>
#include <tuple>

#include "arrays.hpp"
#include "rooms.hpp"
#include "tertium/stats/bootstrap.hpp"
#include "tertium/stats/exact_bytes.hpp"
#include "tertium/stats/exact_columns.hpp"
#include "tertium/stats/pair_gaps.hpp"
#include "tertium/stats/swapped_sums.hpp"

namespace tertium::bindings {

namespace {

// Columns that threads may add to at the same time.
class SharedColumns {
 public:
  explicit SharedColumns(std::size_t columns) : columns_(columns) {}
  explicit SharedColumns(ExactColumns columns) : columns_(std::move(columns)) {}

  template <typename Work>
  auto with(const Work& work) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return work(columns_);
  }

 private:
  ExactColumns columns_;
  std::mutex mutex_;
};

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
  for (const nb::handle each : tables) {
    const auto table = nb::cast<Array2<double>>(each, false);
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
      .def(nb::init<std::size_t>(), nb::arg("columns"))
      .def("__init__", &sums_from_bytes, nb::arg("saved"))
      .def("__len__",
           [](SharedColumns& sums) { return sums.with([](ExactColumns& all) { return all.size(); }); })
      .def("n_rows",
           [](SharedColumns& sums) { return sums.with([](ExactColumns& all) { return all.n_rows(); }); })
      .def("add", &add_rows, nb::arg("rows").noconvert())
      .def("merge", &merge_sums, nb::arg("others"))
      .def("round", &round_sums)
      .def("to_bytes", &sums_to_bytes);
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
