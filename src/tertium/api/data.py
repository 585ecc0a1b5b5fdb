"""Test sets that are on this machine: what there is, and where."""

from dataclasses import dataclass

from tertium.api.results import Shown
from tertium.corpus.test_sets import TestSet, data_places, find_test_set, list_test_sets
from tertium.report.tables.model import Document, Value, describe_listing

__all__ = ["DataList", "list_data"]


@dataclass(frozen=True)
class DataList(Shown):
    """The test sets that are here; `is_single` if the user asked for one of them."""

    sets: tuple[TestSet, ...]
    is_single: bool = False

    def document(self) -> Document:
        if self.is_single:
            return _describe_pairs(self.sets[0])
        rows = [
            {
                "set": each.name,
                "kind": each.kind,
                "pairs": " ".join(pair.pair for pair in each.pairs),
                "place": str(each.path),
            }
            for each in self.sets
        ]
        return describe_listing("data", rows, notes=_notes(found=bool(rows)))


def list_data(name: str | None = None) -> DataList:
    """List the test sets of sacreBLEU and mt-metrics-eval that are here, or the language pairs of one set."""
    if name is None:
        return DataList(tuple(list_test_sets()))
    return DataList((find_test_set(name),), is_single=True)


def _describe_pairs(found: TestSet) -> Document:
    rows: list[dict[str, Value]] = [
        {
            "pair": each.pair,
            "references": len(each.references),
            "systems": len(each.systems),
            "human": " ".join(each.human),
            "reference": str(each.references[0]),
        }
        for each in found.pairs
    ]
    return describe_listing("data", rows, title=f"{found.name} ({found.kind})")


def _notes(*, found: bool) -> list[str]:
    places = data_places()
    looked = ", ".join(f"{path} ({tool})" for tool, path in places.items())
    use = "tertium score -t SET -l PAIR -i out.txt scores against one; tertium meta SET asks people's scores"
    missing = (
        "Tertium downloads nothing: 'sacrebleu -t wmt15 -l de-en --echo src' fetches a set for sacreBLEU, and"
        " 'mtme --download' those of mt-metrics-eval"
    )
    return [
        use if found else f"no test set was found; {missing}",
        f"looked in {looked}; FOLDER names another",
    ]
