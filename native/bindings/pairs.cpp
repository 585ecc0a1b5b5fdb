// The bound objects for arguments that most kernels share.
#include "pairs.hpp"

#include "bindings.hpp"

namespace tertium::bindings {

void bind_pairs(nb::module_& m) {
  nb::class_<HeldPairs>(m, "TextPairs", "Hypotheses and the references of each, checked once.")
      .def(nb::init<Ids, Offsets, Ids, Offsets, Offsets>(), nb::arg("ids").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("reference_ids").noconvert(),
           nb::arg("reference_offsets").noconvert(), nb::arg("groups").noconvert());
  nb::class_<HeldEmbedded>(m, "EmbeddedTexts", "Texts with a vector per token, checked once.")
      .def(nb::init<Ids, Offsets, Ids, Array2<float>, Array1<double>>(), nb::arg("ids").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("rows").noconvert(), nb::arg("matrix").noconvert(),
           nb::arg("weights").noconvert())
      .def("__len__", &HeldEmbedded::size);
  nb::class_<HeldEmbeddedPairs>(m, "EmbeddedPairs", "Embedded hypotheses and the references of each.")
      .def(nb::init<HeldEmbedded, HeldEmbedded, Offsets>(), nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("groups").noconvert());
}

}  // namespace tertium::bindings
