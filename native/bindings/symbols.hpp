// Sequences of any hashable Python objects into a column of ids, equal objects sharing one id.
#pragma once

#include "arrays.hpp"

namespace tertium::bindings {

// Probes by Python's own hash (which strings remember) and compares by identity before equality.
class SymbolNumbers {
 public:
  SymbolNumbers() : slots_(1024) {}

  std::int32_t number(PyObject* symbol) {
    const Py_hash_t hash = PyObject_Hash(symbol);
    if (hash == -1 && PyErr_Occurred()) throw nb::python_error();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    for (; slots_[at].symbol != nullptr; at = (at + 1) & mask)
      if (slots_[at].hash == hash && same(slots_[at].symbol, symbol)) return slots_[at].id;
    slots_[at] = {symbol, hash, size_};
    if (static_cast<std::size_t>(++size_) * 2 > slots_.size()) grow();
    return size_ - 1;
  }

 private:
  struct Slot {
    PyObject* symbol = nullptr;  // borrowed: the sequences keep their symbols alive during the call
    Py_hash_t hash = 0;
    std::int32_t id = 0;
  };
  static bool same(PyObject* a, PyObject* b) {
    const int equal = PyObject_RichCompareBool(a, b, Py_EQ);
    if (equal < 0) throw nb::python_error();
    return equal != 0;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.symbol == nullptr) continue;
      std::size_t at = static_cast<std::size_t>(slot.hash) & mask;
      while (slots_[at].symbol != nullptr) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::int32_t size_ = 0;
};

inline nb::tuple number_symbols(const nb::list& sequences) {
  SymbolNumbers numbers;
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};
  std::vector<nb::object> alive;  // a generator's symbols would vanish under the borrowed pointers
  offsets.reserve(sequences.size() + 1);
  for (const nb::handle sequence : sequences) {
    nb::object fast = nb::steal(PySequence_Fast(sequence.ptr(), "a sequence of hashable symbols is needed"));
    if (!fast.is_valid()) throw nb::python_error();
    PyObject** items = PySequence_Fast_ITEMS(fast.ptr());
    const Py_ssize_t length = PySequence_Fast_GET_SIZE(fast.ptr());
    for (Py_ssize_t i = 0; i < length; ++i) ids.push_back(numbers.number(items[i]));
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
    if (fast.ptr() != sequence.ptr()) alive.push_back(std::move(fast));
  }
  return nb::make_tuple(to_numpy(std::move(ids)), to_numpy(std::move(offsets)));
}

}  // namespace tertium::bindings
