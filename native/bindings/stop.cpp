// Stopping what other threads compute.
#include "stop.hpp"

#include "rooms.hpp"

namespace tertium::bindings {

namespace nb = nanobind;

void bind_stop(nb::module_& m) {
  nb::class_<Stop>(m, "Stop", "A wish to stop: asked by one thread, heeded by those that have entered it.")
      .def(nb::init<>())
      .def("ask", &Stop::ask)
      .def("enter", &Stop::enter)
      .def_static("leave", &Stop::leave);
}

}  // namespace tertium::bindings
