"""Terms of a glossary: found in any inflection, counted once, and missing where they are missing."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.catalog import parse_metrics
from tertium.catalog.glossaries import GlossaryFile, load_glossary
from tertium.errors import ResourceError
from tertium.interfaces import GlossaryEntry
from tertium.metrics import Terms
from tertium.metrics.checks.terms import assign

GLOSSARY = GlossaryFile(
    "test",
    (
        GlossaryEntry("contract", ("Vertrag", "Kontrakt")),
        GlossaryEntry("European Union", ("Europäische Union", "EU")),
        GlossaryEntry("union", ("Gewerkschaft",)),
        GlossaryEntry("IT", ("IT", "EDV")),
        GlossaryEntry("bank", ("Bank",)),
    ),
)


def make(*, language: str = "de", source_language: str = "en", consistent: bool = False) -> Terms:
    return Terms(GLOSSARY, language, source_language, consistent=consistent)


@pytest.mark.parametrize(
    ("source", "output", "n_items", "faults"),
    [
        ("We signed the contracts.", "Wir haben die Verträge unterschrieben.", 1, []),
        ("We signed the contract.", "Wir haben die Übereinkunft unterschrieben.", 1,
         ["missing term: Vertrag or Kontrakt for contract"]),
        ("The contract and the contract.", "Der Vertrag.", 2, ["missing term: Vertrag or Kontrakt for contract"]),
        ("The contract and the contract.", "Der Vertrag und der Kontrakt.", 2, []),
        ("The European Union and the union agree.", "Die Europäische Union und die Gewerkschaft sind sich einig.", 2, []),
        ("The European Union agrees.", "Die Gewerkschaft ist einverstanden.", 1,
         ["missing term: Europäische Union or EU for European Union"]),
        ("CONTRACT", "VERTRAG", 1, []),
        ("IT is hard.", "EDV ist schwer.", 1, []),
        ("It is hard.", "Es ist schwer.", 0, []),  # capital letters: IT is not it
        ("a sales contract", "ein Kaufvertrag", 1, []),  # compounds
        ("a draft contract", "ein Vertragsentwurf", 1, []),
        ("a contract with the bank", "ein Bankvertrag", 2, ["missing term: Bank for bank"]),  # one word, one term
        ("nothing", "nichts", 0, []),
        ("", "", 0, []),
    ],
)  # fmt: skip
def test_terms_are_matched(source: str, output: str, n_items: int, faults: list[str]) -> None:
    found = make().check(output, source)
    assert (found.n_items, list(found.faults)) == (n_items, faults)


def test_without_a_language_words_must_be_equal() -> None:
    plain = make(language="none", source_language="none")
    assert plain.check("Vertrag", "a contract").faults == ()
    assert plain.check("Verträge", "a contract").faults != ()
    assert plain.check("Kaufvertrag", "a contract").faults != ()
    assert plain.check("", "two contracts").n_items == 0


def test_text_without_spaces_is_matched_by_characters() -> None:
    metric = Terms(GlossaryFile("zh", (GlossaryEntry("欧盟", ("European Union", "EU")),)), "en", "zh")
    assert metric.check("The EU agrees.", "欧盟同意了。").faults == ()
    assert metric.check("They agree.", "欧盟同意了。").faults == (
        "missing term: European Union or EU for 欧盟",
    )
    other = Terms(GlossaryFile("ja", (GlossaryEntry("contract", ("契約",)),)), "ja", "en")
    assert other.check("彼は契約書に署名した。", "He signed the contract.").faults == ()


def test_inconsistent_translations_are_faults_if_asked_for() -> None:
    source, output = "contract, contract and contract", "Vertrag, Kontrakt und Vertrag"
    assert make().check(output, source).faults == ()
    assert make(consistent=True).check(output, source).faults == (
        "inconsistent term: Kontrakt for contract, otherwise Vertrag",
    )
    assert make(consistent=True).check("Vertrag, Vertrag, Vertrag", source).faults == ()


@given(
    allowed=st.lists(st.sets(st.sampled_from("wxyz"), min_size=1), min_size=1, max_size=4),
    present=st.lists(st.sampled_from("wxyz"), max_size=5),
)
def test_as_many_terms_as_possible_get_a_translation(allowed: list[set[str]], present: list[str]) -> None:
    terms = [str(i) for i in range(len(allowed))]
    lists = {term: sorted(targets) for term, targets in zip(terms, allowed, strict=True)}
    used = assign(Counter(terms), Counter(present), lists)
    best = max(
        sum(place < len(order) and order[place] in allowed[place] for place in range(len(allowed)))
        for order in permutations([*present, *"....."], len(allowed))
    )
    assert sum(counts.total() for counts in used.values()) == best
    assert all(target in lists[term] for term, counts in used.items() for target in counts)
    given_out = sum(used.values(), Counter())
    assert given_out <= Counter(present)


def test_a_glossary_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "glossary.tsv"
    path.write_bytes(
        "\ufeff# English and German\r\ncontract\tVertrag | Kontrakt\r\n\r\nbank\tBank\r\nbank\tGeldinstitut".encode()
    )
    assert load_glossary(str(path)).entries() == (
        GlossaryEntry("contract", ("Vertrag", "Kontrakt")),
        GlossaryEntry("bank", ("Bank", "Geldinstitut")),
    )
    (made,) = parse_metrics([f"terms:{path},language=de,consistent=yes"])
    assert isinstance(made.metric, Terms)
    assert made.metric.consistent
    assert "glossary:glossary.tsv[" in made.metric.signature((1, 1))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("contract Vertrag\n", "line 1 has no tab; write a source term, a tab"),
        ("bank\tBank\ncontract\tVertrag\tKontrakt\n", r"line 2 has 3 columns; .*separated by \|"),
        ("bank\tBank\n\tVertrag\n", "line 2: the source term '' has no letters"),
        ("bank\tBank\ncontract\t\n", "line 2: the translation '' has no letters"),
        ("bank\tBank||Institut\n", "line 1: the translation '' has no letters"),
        ("", "has no terms"),
        ("# only a comment\n", "has no terms"),
    ],
)
def test_a_wrong_glossary_is_one_line_with_the_place(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "glossary.tsv"
    path.write_text(content)
    with pytest.raises(ResourceError, match=f"glossary.tsv.*{message}"):
        parse_metrics([f"terms:{path}"])


def test_a_missing_glossary_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no such file"):
        parse_metrics([f"terms:{tmp_path}/none.tsv"])
    with pytest.raises(ResourceError, match="terms needs a glossary: write terms:FILE"):
        parse_metrics(["terms"])
    (tmp_path / "latin1.tsv").write_bytes("contract\tVertr\u00e4ge".encode("latin-1"))
    with pytest.raises(ResourceError, match=r"latin1.*UTF-8"):
        parse_metrics([f"terms:{tmp_path}/latin1.tsv"])
