// Kernels over dependency trees: n-grams along and across them, shared headword chains.
#include "arrays.hpp"
#include "families.hpp"
#include "tertium/dependency_ngrams.hpp"
#include "tertium/headword_chains.hpp"

namespace tertium::bindings {

namespace {

// Kernels walk upwards from every token: a head out of range or a cycle would lead them astray.
Column as_trees(const Ids& heads, const Offsets& offsets) {
  const auto trees = as_column(heads, offsets);
  if (!are_forests(trees))
    throw std::invalid_argument("heads must be tokens of their sentence, without cycles");
  return trees;
}

TreeWords as_tree_words(const Ids& ids, const Ids& heads, const Offsets& offsets) {
  return {as_column(ids, offsets), as_trees(heads, offsets).ids};
}

// Every n-gram must be a non-empty list of positions within its sentence.
DependencyNgrams as_ngrams(const Ids& positions, const Offsets& starts, const Ids& kinds,
                           const Offsets& offsets, const Column& sentences) {
  const DependencyNgrams ngrams{as_span(positions), as_span(starts), as_span(kinds), as_span(offsets)};
  check_offsets(ngrams.starts, ngrams.positions.size());
  check_offsets(ngrams.offsets, ngrams.kinds.size());
  if (ngrams.starts.size() != ngrams.kinds.size() + 1 || ngrams.offsets.size() != sentences.size() + 1)
    throw std::invalid_argument("n-grams of exactly these sentences are needed");
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto length = static_cast<std::int32_t>(sentences[s].size());
    for (auto g = static_cast<std::size_t>(ngrams.offsets[s]);
         g < static_cast<std::size_t>(ngrams.offsets[s + 1]); ++g) {
      bool fits = !ngrams[g].empty();
      for (const std::int32_t position : ngrams[g]) fits = fits && position >= 0 && position < length;
      if (!fits) throw std::invalid_argument("an n-gram lies outside its sentence");
    }
  }
  return ngrams;
}

nb::tuple extract_ngrams(const Ids& heads, const Offsets& offsets, std::size_t order) {
  const auto trees = as_trees(heads, offsets);
  OwnedDependencyNgrams found;
  {
    const nb::gil_scoped_release release;
    found = extract_dependency_ngrams(trees, order);
  }
  return nb::make_tuple(to_numpy(std::move(found.positions)), to_numpy(std::move(found.starts)),
                        to_numpy(std::move(found.kinds)), to_numpy(std::move(found.offsets)));
}

nb::object match_ngrams(const Ids& ids, const Offsets& offsets, const Ids& reference_ids,
                        const Offsets& reference_offsets, const Offsets& groups, const Ids& positions,
                        const Offsets& starts, const Ids& kinds, const Offsets& ngram_offsets,
                        std::size_t threads) {
  const auto hypotheses = as_column(ids, offsets);
  const auto references = as_grouped(reference_ids, reference_offsets, groups, hypotheses.size());
  const auto ngrams = as_ngrams(positions, starts, kinds, ngram_offsets, references.column);
  std::vector<double> scores(ngrams.kinds.size());
  {
    const nb::gil_scoped_release release;
    match_dependency_ngrams(hypotheses, references, ngrams, threads, scores);
  }
  return to_numpy(std::move(scores));
}

nb::object count_chains(const Ids& ids, const Ids& heads, const Offsets& offsets, const Ids& reference_ids,
                        const Ids& reference_heads, const Offsets& reference_offsets, const Offsets& groups,
                        std::size_t order, std::size_t threads) {
  const auto hypotheses = as_tree_words(ids, heads, offsets);
  const auto references = as_tree_words(reference_ids, reference_heads, reference_offsets);
  as_grouped(reference_ids, reference_offsets, groups, hypotheses.words.size());
  return fill_matrix(references.words.size(), 3 * order, [&](std::span<double> rows) {
    headword_chain_statistics(hypotheses, references, as_span(groups), order, threads, rows);
  });
}

}  // namespace

void bind_syntax(nb::module_& m) {
  m.def("extract_dependency_ngrams", &extract_ngrams, nb::arg("heads").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("order"));
  m.def("match_dependency_ngrams", &match_ngrams, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("reference_ids").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("positions").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("kinds").noconvert(), nb::arg("ngram_offsets").noconvert(), nb::arg("threads"));
  m.def("count_headword_chains", &count_chains, nb::arg("ids").noconvert(), nb::arg("heads").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("reference_ids").noconvert(),
        nb::arg("reference_heads").noconvert(), nb::arg("reference_offsets").noconvert(),
        nb::arg("groups").noconvert(), nb::arg("order"), nb::arg("threads"));
}

}  // namespace tertium::bindings
