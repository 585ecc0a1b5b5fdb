// The tagger and parser: texts as columns of ids in; heads, then tags and relations out.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "tertium/base/checks.hpp"
#include "tertium/trees/arc_parser.hpp"
#include "tertium/trees/heads.hpp"

namespace tertium::bindings {

namespace {

using ByteArray = Array1<std::int8_t>;

// The tables by the names that the file gives them.
ParserModel make_model(const nb::dict& tables) {
  const auto bytes = [&](const char* name) { return as_span(nb::cast<ByteArray>(tables[name])); };
  const auto biases = [&](const char* name) { return as_span(nb::cast<Ids>(tables[name])); };
  return ParserModel({
      .keys = as_span(nb::cast<Array1<std::uint32_t>>(tables["keys"])),
      .rows = bytes("rows"),
      .row_bias = biases("row_bias"),
      .wide = bytes("wide"),
      .wide_bias = biases("wide_bias"),
      .layers = bytes("layers"),
      .layer_bias = biases("layer_bias"),
      .slots = bytes("slots"),
      .nobody = biases("nobody"),
      .root = biases("root"),
      .counts = biases("counts"),
      .hidden_bias = biases("hidden_bias"),
      .choices = bytes("choices"),
      .choice_bias = biases("choice_bias"),
      .tags = bytes("tags"),
      .tag_bias = biases("tag_bias"),
      .dependents = bytes("dependents"),
      .heads = bytes("heads"),
      .relation_bias = biases("relation_bias"),
  });
}

// Texts whose ids all are words of the vocabulary.
Column as_texts(const Ids& ids, const Offsets& offsets, const Vocabulary& vocabulary) {
  const Column texts = check_column(as_span(ids), as_span(offsets));
  for (const std::int32_t id : texts.ids)
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary.size())
      throw nb::index_error("no such token id");
  return texts;
}

Vector<std::int32_t> parse(const Ids& ids, const Offsets& offsets, const Vocabulary& vocabulary,
                           const ParserModel& model, std::size_t threads) {
  const auto texts = as_texts(ids, offsets, vocabulary);
  std::vector<std::int32_t> heads;
  {
    const nb::gil_scoped_release release;
    heads = parse_texts(texts, vocabulary, model, threads);
  }
  return to_numpy(std::move(heads));
}

std::tuple<Vector<std::int32_t>, Vector<std::int32_t>> label(const Ids& ids, const Offsets& offsets,
                                                             const Ids& heads, const Vocabulary& vocabulary,
                                                             const ParserModel& model, std::size_t threads) {
  const auto texts = as_texts(ids, offsets, vocabulary);
  if (!are_forests(check_column(as_span(heads), as_span(offsets))))
    throw std::invalid_argument("heads must be tokens of their sentence, without cycles");
  OwnedLabels labels;
  {
    const nb::gil_scoped_release release;
    labels = label_texts(texts, as_span(heads), vocabulary, model, threads);
  }
  return {to_numpy(std::move(labels.tags)), to_numpy(std::move(labels.relations))};
}

}  // namespace

void bind_parsing(nb::module_& m) {
  nb::class_<ParserModel>(m, "ParserModel")
      .def(
          "__init__",
          [](ParserModel* self, const nb::typed<nb::dict, nb::str, nb::any>& tables) {
            new (self) ParserModel(make_model(tables));
          },
          nb::arg("tables"));
  m.def("parse_texts", &parse, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("vocabulary"), nb::arg("model"), nb::arg("threads"));
  m.def("label_texts", &label, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("heads").noconvert(), nb::arg("vocabulary"), nb::arg("model"), nb::arg("threads"));
}

}  // namespace tertium::bindings
