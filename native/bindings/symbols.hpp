// Converts sequences of hashable Python objects to a column of ids; equal objects share an id.
#pragma once

#include <cstring>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "tertium/base/dense_ids.hpp"
#include "tertium/base/prefetch.hpp"

namespace tertium::bindings {

// A Python object with its hash. The reference is borrowed: the sequences keep their symbols alive.
struct Symbol {
  PyObject* object = nullptr;
  Py_hash_t hash = 0;
};

struct SymbolHash {
  std::size_t operator()(const Symbol& symbol) const { return static_cast<std::size_t>(symbol.hash); }
};

// Compares by identity before equality.
struct SymbolEqual {
  bool operator()(const Symbol& a, const Symbol& b) const {
    return a.hash == b.hash && same(a.object, b.object);
  }

 private:
  static bool same(PyObject* a, PyObject* b) {
    if (a == b) return true;
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)) return same_text(a, b);
    const int equal = PyObject_RichCompareBool(a, b, Py_EQ);
    if (equal < 0) throw nb::python_error();
    return equal != 0;
  }
  // Most symbols are words; this avoids rich comparison.
#ifdef Py_LIMITED_API  // the stable ABI hides the contents of a string
  static bool same_text(PyObject* a, PyObject* b) { return PyUnicode_Compare(a, b) == 0; }
#else
  static bool same_text(PyObject* a, PyObject* b) {
    const Py_ssize_t length = PyUnicode_GET_LENGTH(a);
    const auto kind = PyUnicode_KIND(a);
    return length == PyUnicode_GET_LENGTH(b) && kind == PyUnicode_KIND(b) &&
           std::memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b),
                       static_cast<std::size_t>(length) * static_cast<std::size_t>(kind)) == 0;
  }
#endif
};

using SymbolIds = EpochMap<Symbol, SymbolHash, SymbolEqual>;

inline Py_hash_t hash_of(PyObject* symbol) {
#ifndef Py_LIMITED_API  // a string caches its hash
  if (PyUnicode_CheckExact(symbol))
    if (const Py_hash_t known = reinterpret_cast<PyASCIIObject*>(symbol)->hash; known != -1) return known;
#endif
  const Py_hash_t hash = PyObject_Hash(symbol);
  if (hash == -1 && PyErr_Occurred()) throw nb::python_error();
  return hash;
}

// A column under construction; it keeps what it borrows from.
class SymbolColumn {
 public:
  explicit SymbolColumn(std::size_t sequences) {
    offsets_.reserve(sequences + 1);
    ids_.reserve(sequences * 32);
    offsets_.push_back(0);
  }

  void append(nb::handle sequence, SymbolIds& ids) {
    nb::object fast = nb::steal(PySequence_Fast(sequence.ptr(), "a sequence of hashable symbols is needed"));
    if (!fast.is_valid()) throw nb::python_error();
    const Py_ssize_t length = PySequence_Size(fast.ptr());
    const std::size_t before = ids_.size();
    ids_.resize(before + static_cast<std::size_t>(length));
    for (Py_ssize_t i = 0; i < length; ++i) {
      if (i + kAhead < length) prefetch(item(fast.ptr(), i + kAhead));
      ids_[before + static_cast<std::size_t>(i)] = intern(item(fast.ptr(), i), ids);
    }
    offsets_.push_back(static_cast<std::int64_t>(ids_.size()));
    if (fast.ptr() != sequence.ptr()) alive_.push_back(std::move(fast));
  }

  Vector<std::int32_t> ids() { return to_numpy(std::move(ids_)); }
  Vector<std::int64_t> offsets() { return to_numpy(std::move(offsets_)); }

 private:
  static std::int32_t intern(PyObject* symbol, SymbolIds& ids) {
    return ids.intern({symbol, hash_of(symbol)});
  }

  // Symbols are scattered over memory: prefetching a few ahead hides the latency while others are compared.
  static constexpr Py_ssize_t kAhead = 6;

  // An item of a list or a tuple, borrowed.
  static PyObject* item(PyObject* fast, Py_ssize_t i) {
#ifdef Py_LIMITED_API
    return PyList_Check(fast) ? PyList_GetItem(fast, i) : PyTuple_GetItem(fast, i);
#else
    return PySequence_Fast_GET_ITEM(fast, i);
#endif
  }

  std::vector<std::int32_t> ids_;
  std::vector<std::int64_t> offsets_;
  std::vector<nb::object> alive_;  // a generator's symbols would vanish under the borrowed pointers
};

// Numbers each pair of sequences by itself: ids mean something only within the pair.
inline std::tuple<Vector<std::int32_t>, Vector<std::int64_t>, Vector<std::int32_t>, Vector<std::int64_t>>
number_pairs(const nb::typed<nb::list, nb::object>& first, const nb::typed<nb::list, nb::object>& second) {
  if (first.size() != second.size()) throw std::invalid_argument("pairs are needed");
  SymbolIds ids;
  SymbolColumn left(first.size());
  SymbolColumn right(second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    ids.clear();
    left.append(first[i], ids);
    right.append(second[i], ids);
  }
  return {left.ids(), left.offsets(), right.ids(), right.offsets()};
}

}  // namespace tertium::bindings
