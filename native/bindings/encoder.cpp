// The encoder of contextual vectors: ids of word pieces in, a state per piece out.
#include "arrays.hpp"
#include "bindings.hpp"
#include "tertium/base/checks.hpp"
#include "tertium/encoder/text_encoder.hpp"

namespace tertium::bindings {

namespace {

using Tables = nb::typed<nb::dict, nb::str, nb::any>;
using Layers = nb::typed<nb::list, Tables>;

// Tables by name. The arrays must live as long as the encoder, which reads them in place.
class NamedTables {
 public:
  explicit NamedTables(const nb::dict& tables) : tables_(tables) {}

  std::span<const float> floats(const std::string& name) const {
    return as_span(nb::cast<Array1<float>>(tables_[name.c_str()]));
  }
  std::span<const std::int8_t> bytes(const std::string& name) const {
    return as_flat_span(nb::cast<Array2<std::int8_t>>(tables_[name.c_str()]));
  }
  encoder::ByteTable byte_table(const std::string& name) const {
    return {bytes(name + ".weights"), floats(name + ".scales")};
  }
  encoder::Dense dense(const std::string& name) const {
    return {bytes(name + ".weights"), floats(name + ".scales"), floats(name + ".biases")};
  }
  encoder::Norm norm(const std::string& name) const {
    return {floats(name + ".weights"), floats(name + ".biases")};
  }

 private:
  const nb::dict& tables_;
};

encoder::Embeddings make_embeddings(const nb::dict& given) {
  const NamedTables tables(given);
  return {tables.byte_table("pieces"), tables.byte_table("positions"), tables.floats("type"),
          tables.norm("norm")};
}

encoder::LayerWeights make_layer(const nb::dict& given) {
  const NamedTables tables(given);
  return {tables.dense("query"),         tables.dense("key"),  tables.dense("value"),
          tables.dense("output"),        tables.dense("wide"), tables.dense("narrow"),
          tables.norm("attention_norm"), tables.norm("norm")};
}

// An encoder with the arrays that it reads.
class HeldEncoder {
 public:
  HeldEncoder(const Tables& embeddings, const Layers& layers)
      : embeddings_(embeddings), layers_(nb::borrow<nb::list>(layers)), encoder_(make(embeddings, layers)) {}

  const encoder::TextEncoder& get() const { return encoder_; }

 private:
  static encoder::TextEncoder make(const Tables& embeddings, const Layers& layers) {
    std::vector<encoder::LayerWeights> weights;
    for (const nb::handle layer : layers) weights.push_back(make_layer(nb::cast<nb::dict>(layer)));
    return {make_embeddings(embeddings), weights};
  }

  nb::dict embeddings_;
  nb::list layers_;
  encoder::TextEncoder encoder_;
};

Matrix<float> encode(const HeldEncoder& held, const Ids& ids, const Offsets& offsets, std::size_t n_layers,
                     std::size_t threads) {
  const Column sequences = check_column(as_span(ids), as_span(offsets));
  const std::size_t width = held.get().width();
  std::vector<float> states(ids.size() * width);
  compute([&] { held.get().encode(sequences, n_layers, threads, states); });
  return to_matrix(std::move(states), ids.size(), width);
}

}  // namespace

void bind_encoder(nb::module_& m) {
  nb::class_<HeldEncoder>(m, "TextEncoder")
      .def(nb::init<const Tables&, const Layers&>(), nb::arg("embeddings"), nb::arg("layers"))
      .def("encode", &encode, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(), nb::arg("n_layers"),
           nb::arg("threads"));
}

}  // namespace tertium::bindings
