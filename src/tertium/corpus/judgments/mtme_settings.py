"""The official settings of the WMT metrics tasks: reference, human scores, outliers and metrics of each language pair.

They are facts of mt-metrics-eval's `meta_info`; the tables of the findings papers were computed with them.
"""

from collections.abc import Mapping
from dataclasses import field, replace

from tertium.records import record


@record
class OfficialSettings:
    """Settings of a metrics task for one language pair.

    Attributes
    ----------
    reference
        The name of the reference; further human translations can be scored like systems.
    gold
        The kind of human scores by level, `sys` and `seg`.
    outliers
        Systems that were left out.
    metrics
        The primary submissions and baselines; empty if all metrics take part.
    """

    reference: str
    gold: Mapping[str, str] = field(default_factory=dict)
    outliers: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()


def find_settings(test_set: str, pair: str) -> OfficialSettings | None:
    """Return the official settings of a language pair; None for an unknown test set.

    >>> find_settings("wmt23", "he-en").reference
    'refB'
    """
    found = _PAIRS.get((test_set, pair), _TEST_SETS.get(test_set))
    names = _OUTLIERS.get(f"{test_set} {pair}", "")
    return found if found is None or not names else replace(found, outliers=frozenset(names.split()))


TASK_PAIRS: Mapping[str, tuple[str, ...]] = {
    "wmt23": ("en-de", "he-en", "zh-en"),
    "wmt24": ("en-de", "en-es", "ja-zh"),
}
"""The language pairs with MQM judgments, which are in the metrics tasks; tasks of test sets not listed here have all pairs."""


def _same(kind: str) -> dict[str, str]:
    return {"sys": kind, "seg": kind}


_WMT23_METRICS = frozenset(
    [
        "BERTscore",
        "BLEU",
        "BLEURT-20",
        "COMET",
        "Calibri-COMET22",
        "Calibri-COMET22-QE",
        "CometKiwi",
        "GEMBA-MQM",
        "KG-BERTScore",
        "MEE4",
        "MS-COMET-QE-22",
        "MaTESe",
        "MetricX-23",
        "MetricX-23-QE",
        "Random-sysname",
        "XCOMET-Ensemble",
        "XCOMET-QE-Ensemble",
        "XLsim",
        "YiSi-1",
        "chrF",
        "cometoid22-wmt22",
        "docWMT22CometDA",
        "docWMT22CometKiwiDA",
        "eBLEU",
        "embed_llama",
        "f200spBLEU",
        "mbr-metricx-qe",
        "mre-score-labse-regular",
        "prismRef",
        "prismSrc",
        "sescoreX",
        "tokengram_F",
    ]
)
_WMT24_METRICS = frozenset(
    [
        "BERTScore",
        "BLCOM_1",
        "BLEU",
        "BLEURT-20",
        "COMET-22",
        "CometKiwi",
        "MEE4",
        "MetricX-24-Hybrid",
        "MetricX-24-Hybrid-QE",
        "PrismRefMedium",
        "PrismRefSmall",
        "XCOMET",
        "XCOMET-QE",
        "XLsimMqm",
        "YiSi-1",
        "bright-qe",
        "chrF",
        "chrfS",
        "damonmonli",
        "gemba_esa",
        "metametrics_mt_mqm_hybrid_kendall",
        "metametrics_mt_mqm_qe_kendall.seg.s",
        "sentinel-cand-mqm",
        "sentinel-ref-mqm",
        "sentinel-src-mqm",
        "spBLEU",
    ]
)
_RAW = {"sys": "wmt-z", "seg": "wmt-raw"}
_WMT23 = OfficialSettings("refA", _same("da-sqm"), metrics=_WMT23_METRICS)
_WMT24 = OfficialSettings("refA", _same("esa"), metrics=_WMT24_METRICS)
_WMT24_MQM = replace(_WMT24, gold=_same("mqm"), outliers=frozenset({"MSLC"}))

_TEST_SETS: Mapping[str, OfficialSettings] = {
    "wmt19": OfficialSettings("ref", _RAW),
    "wmt20": OfficialSettings("ref", _RAW),
    "wmt21.news": OfficialSettings("refA", _RAW),
    "wmt21.tedtalks": OfficialSettings("refA", _same("mqm")),
    "wmt21.flores": OfficialSettings("refA", _RAW),
    "wmt22": OfficialSettings("refA", _same("wmt-appraise")),
    "wmt23": _WMT23,
    "wmt24": _WMT24,
}

_PAIRS: Mapping[tuple[str, str], OfficialSettings] = {
    ("wmt21.news", "en-de"): OfficialSettings("refC", _same("mqm")),
    ("wmt21.news", "en-ru"): OfficialSettings("refA", _same("mqm")),
    ("wmt21.news", "zh-en"): OfficialSettings("refB", _same("mqm")),
    ("wmt21.tedtalks", "zh-en"): OfficialSettings("refB", _same("mqm")),
    **{("wmt22", pair): OfficialSettings("refA", _same("mqm")) for pair in ("en-de", "en-ru", "zh-en")},
    **{
        ("wmt22", pair): OfficialSettings("refA", _same("wmt"))
        for pair in ("de-en", "ja-en", "ru-en", "uk-en")
    },
    ("wmt22", "cs-en"): OfficialSettings("refB", _same("wmt")),
    ("wmt22", "en-cs"): OfficialSettings("refB", _same("wmt-appraise")),
    ("wmt23", "en-de"): replace(_WMT23, gold=_same("mqm")),
    ("wmt23", "he-en"): replace(_WMT23, reference="refB", gold=_same("mqm")),
    ("wmt23", "zh-en"): replace(_WMT23, gold=_same("mqm")),
    ("wmt23", "en-he"): replace(_WMT23, reference="refB"),
    ("wmt23.sent", "en-de"): replace(_WMT23, gold=_same("mqm")),
    ("wmt24", "en-de"): replace(_WMT24_MQM, reference="refB"),
    ("wmt24", "en-es"): _WMT24_MQM,
    ("wmt24", "ja-zh"): _WMT24_MQM,
}

_OUTLIERS: Mapping[str, str] = {
    "wmt20 cs-en": "zlabs-nlp.1149 CUNI-DocTransformer.1457",
    "wmt20 de-en": "yolo.1052 zlabs-nlp.1153 WMTBiomedBaseline.387",
    "wmt20 en-cs": "zlabs-nlp.1151 Online-G.1555",
    "wmt20 en-de": "zlabs-nlp.179 WMTBiomedBaseline.388 Online-G.1556",
    "wmt20 en-iu": "UEDIN.1281 OPPO.722 UQAM_TanLe.521",
    "wmt20 en-ja": "Online-G.1557 SJTU-NICT.370",
    "wmt20 en-pl": "Online-Z.1634 zlabs-nlp.180 Online-A.1576",
    "wmt20 en-ta": "TALP_UPC.1049 SJTU-NICT.386 Online-G.1561",
    "wmt20 iu-en": "NiuTrans.1206 Facebook_AI.729",
    "wmt20 ja-en": "Online-G.1564 zlabs-nlp.66 Online-Z.1640",
    "wmt20 pl-en": "zlabs-nlp.1162",
    "wmt20 ru-en": "zlabs-nlp.1164",
    "wmt20 ta-en": "Online-G.1568 TALP_UPC.192",
    "wmt20 zh-en": "WMTBiomedBaseline.183",
    "wmt22 en-de": "M2M100_1.2B-B4",
    "wmt23 en-de": "synthetic_ref",
    "wmt23 zh-en": "synthetic_ref",
}
