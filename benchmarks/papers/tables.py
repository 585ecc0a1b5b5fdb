"""All tables of the papers, by the names that `--only` takes."""

from collections.abc import Mapping

from papers.layout import PaperTable
from papers.modif_2016 import MODIF_SEGMENT, MODIF_SYSTEM, MODIF_VARIANTS
from papers.red_2014 import RED_SEGMENT, RED_SYSTEM, RED_VARIANTS
from papers.std_2019 import STD_SEGMENT, STD_SYSTEM

__all__ = ["TABLES"]

TABLES: Mapping[str, PaperTable] = {
    "red-system": RED_SYSTEM,
    "red-segment": RED_SEGMENT,
    "red-variants": RED_VARIANTS,
    "modif-system": MODIF_SYSTEM,
    "modif-segment": MODIF_SEGMENT,
    "modif-variants": MODIF_VARIANTS,
    "std-segment": STD_SEGMENT,
    "std-system": STD_SYSTEM,
}
