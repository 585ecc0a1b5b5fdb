"""Numbers that leave the core stand for the names that Python uses."""

from tertium import _core
from tertium.kernels.edits import EditKind
from tertium.values import DependencyNgrams, WordAlignments


def test_kinds_of_matches_have_the_same_numbers_in_both_languages() -> None:
    assert tuple(_core.match_kinds()) == WordAlignments.KINDS


def test_kinds_of_dependency_ngrams_have_the_same_numbers_in_both_languages() -> None:
    assert tuple(_core.ngram_kinds()) == DependencyNgrams.KINDS


def test_every_edit_of_the_core_has_a_kind() -> None:
    kinds = {kind.value for kind in EditKind}
    assert set(_core.translation_edit_names()) - kinds == {"none"}
    assert set(_core.derivation_edit_names()) - kinds == {"inversion"}


def test_a_table_of_mixtures_knows_no_other_coefficients() -> None:
    assert set(_core.item_coefficients()) <= set(_core.group_coefficients())
