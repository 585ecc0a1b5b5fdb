// Kernels over word vectors: alignments, soft matches and edits, text vectors.
#include "embedded.hpp"
#include "families.hpp"

namespace tertium::bindings {

void bind_embedding(nb::module_& m) {
  nb::class_<EmbeddedTexts>(m, "EmbeddedTexts")
      .def(nb::init<Ids, Offsets, Ids, Array2<float>, Array1<double>>(), nb::arg("ids").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("rows").noconvert(), nb::arg("matrix").noconvert(),
           nb::arg("weights").noconvert())
      .def("__len__", &EmbeddedTexts::size);
}

}  // namespace tertium::bindings
