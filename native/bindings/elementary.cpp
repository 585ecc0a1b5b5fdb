// Elementary functions of whole arrays.
#include "tertium/base/elementary.hpp"

#include "arrays.hpp"
#include "bindings.hpp"

namespace tertium::bindings {

namespace {

template <typename Function>
Vector<double> apply(const Array1<double>& values, Function function) {
  const auto given = as_span(values);
  return fill_array(given.size(), [&](std::span<double> out) {
    for (std::size_t i = 0; i < given.size(); ++i) out[i] = function(given[i]);
  });
}

// A function of one number, of whole arrays.
template <typename Function>
auto of_array(Function function) {
  return [function](const Array1<double>& values) { return apply(values, function); };
}

// The same for a function of counts and their ratios, of which a large array has few different ones.
template <typename Function>
auto of_repeated(Function function) {
  return [function](const Array1<double>& values) {
    constexpr std::size_t few = 1000;  // making the table of results would cost as much
    return as_span(values).size() < few ? apply(values, function) : apply(values, Remembered(function));
  };
}

Vector<double> power(const Array1<double>& bases, const Array1<double>& exponents) {
  const auto base = as_span(bases);
  const auto exponent = as_span(exponents);
  if (base.size() != exponent.size()) throw std::invalid_argument("an exponent is needed for each base");
  return fill_array(base.size(), [&](std::span<double> out) {
    for (std::size_t i = 0; i < base.size(); ++i) out[i] = tertium::pow(base[i], exponent[i]);
  });
}

}  // namespace

void bind_elementary(nb::module_& m) {
  m.def("exp", of_array([](double x) { return tertium::exp(x); }), nb::arg("values").noconvert());
  m.def("expm1", of_array([](double x) { return tertium::expm1(x); }), nb::arg("values").noconvert());
  m.def("log", of_repeated([](double x) { return tertium::log(x); }), nb::arg("values").noconvert());
  m.def("log2", of_repeated([](double x) { return tertium::log2(x); }), nb::arg("values").noconvert());
  m.def("log1p", of_array([](double x) { return tertium::log1p(x); }), nb::arg("values").noconvert());
  m.def("erfc", of_array([](double x) { return tertium::erfc(x); }), nb::arg("values").noconvert());
  m.def("lgamma", of_array([](double x) { return tertium::lgamma(x); }), nb::arg("values").noconvert());
  m.def("power", &power, nb::arg("bases").noconvert(), nb::arg("exponents").noconvert());
}

}  // namespace tertium::bindings
