// The compiled core's table of contents.
#include "families.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Tertium's compiled core; call it through tertium.kernels only.";
  tertium::bindings::bind_text(m);
  tertium::bindings::bind_lexical(m);
  tertium::bindings::bind_syntax(m);
  tertium::bindings::bind_parsing(m);
  tertium::bindings::bind_alignment(m);
  tertium::bindings::bind_embedding(m);
  tertium::bindings::bind_travel(m);
  tertium::bindings::bind_overlaps(m);
  tertium::bindings::bind_inversion(m);
  tertium::bindings::bind_reordering(m);
  tertium::bindings::bind_agreement(m);
}
