// Cancels what other threads compute.
#include "stop.hpp"

#include "bindings.hpp"

namespace tertium::bindings {

namespace nb = nanobind;

void bind_stop(nb::module_& m) {
  nb::class_<Stop>(m, "Stop", "A request to stop from one thread to the threads that have entered it.")
      .def(nb::init<>())
      .def("request_stop", &Stop::request_stop)
      .def("enter", &Stop::enter)
      .def_static("leave", &Stop::leave);
}

}  // namespace tertium::bindings
