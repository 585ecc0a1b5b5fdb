"""The metrics: one file per metric, in the folder of its family; the file's name is the metric's name.

A class is imported on first use:

>>> from tertium.metrics import WER
>>> WER().sentence_score("the cat sat", ["the cat sat down"]).score
25.0

Plug-ins import from here: `Metric`, `option`, `fitted_field`, and the types `Option`, `Texts`, `References`
and `Explanation`.
"""

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tertium.metrics.base import Metric as Metric
from tertium.metrics.options import Option as Option
from tertium.metrics.options import fitted_field as fitted_field
from tertium.metrics.options import option as option
from tertium.text import References as References
from tertium.text import Texts as Texts
from tertium.values import Explanation as Explanation

if TYPE_CHECKING:
    from tertium.metrics.checks.language import Language as Language
    from tertium.metrics.checks.length import Length as Length
    from tertium.metrics.checks.markup import Markup as Markup
    from tertium.metrics.checks.numerals import Numerals as Numerals
    from tertium.metrics.checks.repetition import Repetition as Repetition
    from tertium.metrics.checks.terms import Terms as Terms
    from tertium.metrics.combined.mix import Mix as Mix
    from tertium.metrics.embedding.bertscore import BERTScore as BERTScore
    from tertium.metrics.embedding.bleu_modif import BLEUModif as BLEUModif
    from tertium.metrics.embedding.has import HAS as HAS
    from tertium.metrics.embedding.mas import MAS as MAS
    from tertium.metrics.embedding.onehot import OneHot as OneHot
    from tertium.metrics.embedding.sentvec import SentVec as SentVec
    from tertium.metrics.embedding.std import STD as STD
    from tertium.metrics.embedding.was import WAS as WAS
    from tertium.metrics.embedding.wer_modif import WERModif as WERModif
    from tertium.metrics.embedding.wmd import WMD as WMD
    from tertium.metrics.embedding.wrd import WRD as WRD
    from tertium.metrics.embedding.yisi1 import YiSi1 as YiSi1
    from tertium.metrics.external.command import Command as Command
    from tertium.metrics.lexical.avgbleu import AvgBLEU as AvgBLEU
    from tertium.metrics.lexical.beer import BEER as BEER
    from tertium.metrics.lexical.bleu import BLEU as BLEU
    from tertium.metrics.lexical.cder import CDER as CDER
    from tertium.metrics.lexical.cer import CER as CER
    from tertium.metrics.lexical.character import CharacTER as CharacTER
    from tertium.metrics.lexical.chrf import ChrF as ChrF
    from tertium.metrics.lexical.eed import EED as EED
    from tertium.metrics.lexical.invwer import InvWER as InvWER
    from tertium.metrics.lexical.mer import MER as MER
    from tertium.metrics.lexical.nist import NIST as NIST
    from tertium.metrics.lexical.per import PER as PER
    from tertium.metrics.lexical.ribes import RIBES as RIBES
    from tertium.metrics.lexical.sentbleu import SentBLEU as SentBLEU
    from tertium.metrics.lexical.ter import TER as TER
    from tertium.metrics.lexical.wer import WER as WER
    from tertium.metrics.lexical.wil import WIL as WIL
    from tertium.metrics.lexical.wip import WIP as WIP
    from tertium.metrics.lexical.wordf import WordF as WordF
    from tertium.metrics.lexical.yisi0 import YiSi0 as YiSi0
    from tertium.metrics.meteor.meteor import METEOR as METEOR
    from tertium.metrics.neural.bleurt import BLEURT as BLEURT
    from tertium.metrics.neural.comet import COMET as COMET
    from tertium.metrics.neural.metricx import MetricX as MetricX
    from tertium.metrics.neural.srcsim import SrcSim as SrcSim
    from tertium.metrics.syntax.hwcm import HWCM as HWCM
    from tertium.metrics.syntax.red import RED as RED
    from tertium.metrics.syntax.redp import REDp as REDp
    from tertium.metrics.syntax.sempos import SEMPOS as SEMPOS

FAMILIES = ("lexical", "embedding", "meteor", "syntax", "checks", "combined", "external", "neural")
"""The folders of metrics, in the order in which metrics are listed."""

_PLUGIN_NAMES = ("Explanation", "Metric", "Option", "References", "Texts", "fitted_field", "option")
_SACREBLEU_NAMES = {"CHRF": "ChrF"}


def __getattr__(name: str) -> Any:
    """Import the metric with this class name; its module has the same name in lower case."""
    if name == "__all__":
        return [*_PLUGIN_NAMES, *(find_class(module).__name__ for module in list_modules().values())]
    modules = {metric.replace("_", ""): module for metric, module in list_modules().items()}
    module = modules.get(name.lower())
    found = None
    if module and not name.startswith("_"):
        found = getattr(import_module(module), _SACREBLEU_NAMES.get(name, name), None)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


@cache
def list_modules() -> dict[str, str]:
    """Map the name of every metric of this package to its module, without importing it."""
    return {
        module.name: f"{__name__}.{family}.{module.name}"
        for family in FAMILIES
        for module in pkgutil.iter_modules([f"{folder}/{family}" for folder in __path__])
        if not module.name.startswith("_")
    }


@cache
def find_class(module: str) -> type[Metric]:
    """Import a module of `list_modules` and return the only metric that it defines."""
    (cls,) = (
        value
        for value in vars(import_module(module)).values()
        if isinstance(value, type) and issubclass(value, Metric) and value.__module__ == module
    )
    return cls
