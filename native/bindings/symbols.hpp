// Sequences of any hashable Python objects into a column of ids, equal objects sharing one id.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"

namespace tertium::bindings {

// Probes by Python's own hash (which strings remember) and compares by identity before equality.
// Cleared in constant time, so that one table can serve many small problems from the cache.
class SymbolNumbers {
 public:
  SymbolNumbers() : slots_(256) {}

  void clear() {
    size_ = 0;
    if (++epoch_ == 0) {  // the stamp went round: forget every old one
      std::fill(slots_.begin(), slots_.end(), Slot{});
      epoch_ = 1;
    }
  }

  std::int32_t number(PyObject* symbol) {
    const Py_hash_t hash = hash_of(symbol);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    for (; slots_[at].epoch == epoch_; at = (at + 1) & mask)
      if (slots_[at].hash == hash && same(slots_[at].symbol, symbol)) return slots_[at].id;
    slots_[at] = {symbol, hash, size_, epoch_};
    if (static_cast<std::size_t>(++size_) * 2 > slots_.size()) grow();
    return size_ - 1;
  }

 private:
  struct Slot {
    PyObject* symbol = nullptr;  // borrowed: the sequences keep their symbols alive during the call
    Py_hash_t hash = 0;
    std::int32_t id = 0;
    std::uint32_t epoch = 0;
  };
  static Py_hash_t hash_of(PyObject* symbol) {
#ifndef Py_LIMITED_API  // a string that was hashed before remembers it
    if (PyUnicode_CheckExact(symbol))
      if (const Py_hash_t known = reinterpret_cast<PyASCIIObject*>(symbol)->hash; known != -1) return known;
#endif
    const Py_hash_t hash = PyObject_Hash(symbol);
    if (hash == -1 && PyErr_Occurred()) throw nb::python_error();
    return hash;
  }
  static bool same(PyObject* a, PyObject* b) {
    if (a == b) return true;
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)) return same_text(a, b);
    const int equal = PyObject_RichCompareBool(a, b, Py_EQ);
    if (equal < 0) throw nb::python_error();
    return equal != 0;
  }
  // Words are what is numbered most often; this saves the detour through rich comparison.
#ifdef Py_LIMITED_API  // the stable ABI hides what is inside a string
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
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      std::size_t at = static_cast<std::size_t>(slot.hash) & mask;
      while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::int32_t size_ = 0;
  std::uint32_t epoch_ = 1;
};

// A column under construction; it keeps what it borrows from.
class SymbolColumn {
 public:
  explicit SymbolColumn(std::size_t sequences) {
    offsets_.reserve(sequences + 1);
    ids_.reserve(sequences * 32);
    offsets_.push_back(0);
  }

  void append(nb::handle sequence, SymbolNumbers& numbers) {
    nb::object fast = nb::steal(PySequence_Fast(sequence.ptr(), "a sequence of hashable symbols is needed"));
    if (!fast.is_valid()) throw nb::python_error();
    const Py_ssize_t length = PySequence_Size(fast.ptr());
    const std::size_t before = ids_.size();
    ids_.resize(before + static_cast<std::size_t>(length));
    for (Py_ssize_t i = 0; i < length; ++i) {
      if (i + kAhead < length) prefetch(item(fast.ptr(), i + kAhead));
      ids_[before + static_cast<std::size_t>(i)] = numbers.number(item(fast.ptr(), i));
    }
    offsets_.push_back(static_cast<std::int64_t>(ids_.size()));
    if (fast.ptr() != sequence.ptr()) alive_.push_back(std::move(fast));
  }

  Vector<std::int32_t> ids() { return to_numpy(std::move(ids_)); }
  Vector<std::int64_t> offsets() { return to_numpy(std::move(offsets_)); }

 private:
  // Symbols lie all over the memory: those that come soon are asked for while others are compared.
  static constexpr Py_ssize_t kAhead = 6;
  static void prefetch([[maybe_unused]] const void* symbol) {
#if defined(__GNUC__)
    __builtin_prefetch(symbol);
#endif
  }

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
  SymbolNumbers numbers;
  SymbolColumn left(first.size());
  SymbolColumn right(second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    numbers.clear();
    left.append(first[i], numbers);
    right.append(second[i], numbers);
  }
  return {left.ids(), left.offsets(), right.ids(), right.offsets()};
}

}  // namespace tertium::bindings
