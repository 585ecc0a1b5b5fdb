// Conversions between numpy arrays and the core's spans. Every array argument is bound with .noconvert():
// otherwise nanobind would silently cast float64 to int32.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stop.hpp"
#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/interrupts.hpp"

namespace tertium::bindings {

namespace nb = nanobind;

// Inputs. The handles share ownership, so a bound object may keep them.
template <typename T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ids = Array1<std::int32_t>;
using Offsets = Array1<std::int64_t>;

// Outputs; the generated stub shows their types.
template <typename T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <typename T>
using Matrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <typename T>
std::span<const T> as_span(const Array1<T>& array) {
  return {array.data(), array.size()};
}
template <typename T>
std::span<const T> as_flat_span(const Array2<T>& array) {
  return {array.data(), array.size()};
}

// The names of an enum whose values leave the core as numbers: name i belongs to number i.
inline std::vector<std::string> to_strings(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

// Passes the vector's memory to Python, without a copy.
template <typename T, typename Memory>
std::pair<T*, nb::capsule> give_away(std::vector<T, Memory> values) {
  auto owned = std::make_unique<std::vector<T, Memory>>(std::move(values));
  T* const data = owned->data();
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T, Memory>*>(p); });
  owned.release();  // only now that the capsule exists
  return {data, std::move(owner)};
}

template <typename T, typename Memory>
Vector<T> to_numpy(std::vector<T, Memory> values) {
  const std::size_t size = values.size();
  auto [data, owner] = give_away(std::move(values));
  return Vector<T>(data, {size}, owner);
}

template <typename T, typename Memory>
Matrix<T> to_matrix(std::vector<T, Memory> values, std::size_t rows, std::size_t width) {
  auto [data, owner] = give_away(std::move(values));
  return Matrix<T>(data, {rows, width}, owner);
}

// Whether a signal's Python handler has raised, as that of Ctrl-C does, here or in the thread that waits for
// this one; the exception is then set.
inline bool signal_has_raised() {
  const nb::gil_scoped_acquire acquire;
  if (Stop::is_requested_of_this_thread()) PyErr_SetNone(PyExc_KeyboardInterrupt);
  return Stop::is_requested_of_this_thread() || PyErr_CheckSignals() != 0;
}

// Runs work() without the GIL, so that other Python threads continue; signals are checked meanwhile.
template <typename Work>
auto compute(const Work& work) {
  try {
    const nb::gil_scoped_release release;
    const InterruptScope scope(&signal_has_raised);
    return work();
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

// Runs fill(span) without the GIL on a fresh array of one number per item.
template <typename Fill>
Vector<double> fill_array(std::size_t items, const Fill& fill) {
  PooledVector<double> values(items, 0.0);
  compute([&] { fill(std::span<double>(values)); });
  return to_numpy(std::move(values));
}

// The same on a fresh (rows x width) matrix.
template <typename Fill>
Matrix<double> fill_matrix(std::size_t rows, std::size_t width, const Fill& fill) {
  PooledVector<double> values(rows * width, 0.0);
  compute([&] { fill(std::span<double>(values)); });
  return to_matrix(std::move(values), rows, width);
}

}  // namespace tertium::bindings
