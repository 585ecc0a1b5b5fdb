// The compiled core's table of contents.
#include "bindings.hpp"
#include "tertium/base/shortcuts.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Tertium's compiled core; call it through tertium.kernels only.";
  m.attr("compiler") = TERTIUM_COMPILER;
  m.def(
      "take_shortcuts", [](bool taken) { tertium::shortcuts::are_taken = taken; }, nanobind::arg("taken"),
      "For tests: turn the short cuts of searches on or off, which changes no result.");
  tertium::bindings::bind_text(m);
  tertium::bindings::bind_pairs(m);
  tertium::bindings::bind_ngrams(m);
  tertium::bindings::bind_edits(m);
  tertium::bindings::bind_alignment(m);
  tertium::bindings::bind_inversion(m);
  tertium::bindings::bind_meteor(m);
  tertium::bindings::bind_vectors(m);
  tertium::bindings::bind_encoder(m);
  tertium::bindings::bind_transport(m);
  tertium::bindings::bind_trees(m);
  tertium::bindings::bind_parsing(m);
  tertium::bindings::bind_stats(m);
  tertium::bindings::bind_resampling(m);
  tertium::bindings::bind_stop(m);
  tertium::bindings::bind_elementary(m);
}
