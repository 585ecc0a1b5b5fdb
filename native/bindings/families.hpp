// Each family of kernels binds itself in a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace tertium::bindings {

void bind_text(nanobind::module_& m);
void bind_lexical(nanobind::module_& m);
void bind_syntax(nanobind::module_& m);
void bind_parsing(nanobind::module_& m);
void bind_alignment(nanobind::module_& m);
void bind_embedding(nanobind::module_& m);
void bind_travel(nanobind::module_& m);
void bind_overlaps(nanobind::module_& m);
void bind_inversion(nanobind::module_& m);
void bind_reordering(nanobind::module_& m);
void bind_agreement(nanobind::module_& m);

}  // namespace tertium::bindings
