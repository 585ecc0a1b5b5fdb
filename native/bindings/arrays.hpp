// Between numpy arrays and the core's spans. Every array argument is bound with .noconvert().
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/column.hpp"

namespace tertium::bindings {

namespace nb = nanobind;

template <typename T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ids = Array1<std::int32_t>;
using Offsets = Array1<std::int64_t>;

template <typename T>
std::span<const T> as_span(const Array1<T>& array) {
  return {array.data(), array.size()};
}

// Offsets that do not fit their ids would make a kernel read foreign memory.
inline void check_offsets(std::span<const std::int64_t> offsets, std::size_t items) {
  bool fits = !offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(items);
  for (std::size_t i = 1; fits && i < offsets.size(); ++i) fits = offsets[i - 1] <= offsets[i];
  if (!fits) throw std::invalid_argument("offsets must rise from 0 to the number of items");
}

inline Column as_column(const Ids& ids, const Offsets& offsets) {
  check_offsets(as_span(offsets), ids.size());
  return {as_span(ids), as_span(offsets)};
}

// The references of `segments` segments, each of which must have at least one.
inline GroupedColumn as_grouped(const Ids& ids, const Offsets& offsets, const Offsets& groups,
                                std::size_t segments) {
  const GroupedColumn grouped{as_column(ids, offsets), as_span(groups)};
  check_offsets(grouped.groups, grouped.column.size());
  if (grouped.size() != segments) throw std::invalid_argument("as many segments as references are needed");
  for (std::size_t i = 0; i < segments; ++i)
    if (grouped.count(i) == 0) throw std::invalid_argument("every segment needs a reference");
  return grouped;
}

// A numpy array that owns the vector's memory.
template <typename T>
nb::object to_numpy(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

// A numpy matrix of `rows` rows that owns the vector's memory.
template <typename T>
nb::object to_matrix(std::vector<T> values, std::size_t rows, std::size_t width) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(owned->data(), {rows, width}, owner));
}

// Runs fill(span) without the GIL on a fresh (rows x width) matrix and returns it.
template <typename Fill>
nb::object fill_matrix(std::size_t rows, std::size_t width, const Fill& fill) {
  std::vector<double> values(rows * width);
  {
    const nb::gil_scoped_release release;
    fill(std::span<double>(values));
  }
  return to_matrix(std::move(values), rows, width);
}

}  // namespace tertium::bindings
