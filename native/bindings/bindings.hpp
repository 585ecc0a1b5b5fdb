// Declares the functions that bind the parts of the core; each part has its own file.
#pragma once

#include <nanobind/nanobind.h>

namespace tertium::bindings {

void bind_text(nanobind::module_& m);
void bind_pairs(nanobind::module_& m);
void bind_ngrams(nanobind::module_& m);
void bind_edits(nanobind::module_& m);
void bind_alignment(nanobind::module_& m);
void bind_inversion(nanobind::module_& m);
void bind_meteor(nanobind::module_& m);
void bind_vectors(nanobind::module_& m);
void bind_encoder(nanobind::module_& m);
void bind_transport(nanobind::module_& m);
void bind_trees(nanobind::module_& m);
void bind_parsing(nanobind::module_& m);
void bind_stats(nanobind::module_& m);
void bind_resampling(nanobind::module_& m);
void bind_stop(nanobind::module_& m);
void bind_elementary(nanobind::module_& m);

}  // namespace tertium::bindings
