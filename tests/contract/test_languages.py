"""Every metric gives text of another language a sensible score, or says why it cannot: never silent nonsense."""

import pytest

import tertium
from tertium.catalog import find_metric, self_contained_names
from tertium.errors import TertiumError

# In each language: a text, the same said otherwise, and a text about something else.
TEXTS = {
    "ru": (
        "Совет собрался во вторник, чтобы обсудить цены на хлеб и молоко в городе.",
        "Совет собрался во вторник, чтобы поговорить о ценах на хлеб и молоко.",
        "Моя сестра купила красную машину прошлым летом.",
    ),
    "de": (
        "Der Rat traf sich am Dienstag, um über die Preise für Brot und Milch zu sprechen.",
        "Der Rat traf sich am Dienstag, um über den Preis von Brot und Milch zu beraten.",
        "Meine Schwester kaufte letztes Jahr einen roten Wagen.",
    ),
    "fr": (
        "Le conseil s'est réuni mardi pour discuter du prix du pain et du lait.",
        "Mardi, le conseil s'est réuni pour discuter des prix du pain et du lait.",
        "Ma sœur a acheté une voiture rouge l'année dernière.",
    ),
    "ar": (
        "اجتمع المجلس يوم الثلاثاء لمناقشة أسعار الخبز والحليب في المدينة.",
        "اجتمع المجلس يوم الثلاثاء لبحث أسعار الخبز والحليب.",
        "اشترت أختي سيارة حمراء في العام الماضي.",
    ),
    "zh": (
        "理事会星期二开会讨论面包和牛奶的价格。",
        "理事会星期二开会，讨论了面包与牛奶价格。",
        "我姐姐去年买了一辆红色的汽车。",
    ),
    "ja": (
        "評議会は火曜日に会合を開き、パンと牛乳の価格について話し合った。",
        "評議会は火曜日に会合を開き、パンと牛乳の値段を話し合った。",
        "私の姉は去年赤い車を買いました。",
    ),
    "ko": (
        "의회는 화요일에 모여 도시의 빵과 우유 가격을 논의했다.",
        "의회는 화요일에 모여 도시의 빵과 우유 가격을 이야기했다.",
        "내 누나는 작년에 빨간 자동차를 샀습니다.",
    ),
    "th": (
        "สภาประชุมเมื่อวันอังคารเพื่อหารือเรื่องราคาขนมปังและนมในเมือง",
        "สภาประชุมเมื่อวันอังคารเพื่อพูดคุยเรื่องราคาขนมปังและนม",
        "พี่สาวของฉันซื้อรถยนต์สีแดงเมื่อปีที่แล้ว",
    ),
}
EMBEDDING = ("bleu_modif", "has", "mas", "sentvec", "std", "was", "wer_modif")
NAMES = [name for name in self_contained_names() if "references" in find_metric(name).reads]
SPACED = ("ru", "de", "fr", "ar")


def score_all(metric: str, code: str, **options: str) -> tuple[list[float], tuple[str, ...]]:
    """The scores of the text itself, of the same said otherwise, and of another text; and warnings."""
    text, near, far = TEXTS[code]
    result = tertium.score({"same": [text], "near": [near], "far": [far]}, [text], metric, **options)  # type: ignore[arg-type]
    scores = [result[metric][system].value for system in ("same", "near", "far")]
    return scores, result.warnings


def is_sensible(metric: str, scores: list[float]) -> bool:
    same, near, far = scores if find_metric(metric).higher_is_better else [-score for score in scores]
    if metric == "was":  # repeated words count squared, so a text need not be the best match of itself
        return same > far and near > far
    return same > near > far


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("metric", NAMES)
def test_a_language_is_scored_sensibly_or_refused(metric: str, language: str) -> None:
    try:
        scores, warnings = score_all(metric, language, language=language)
    except TertiumError as error:
        refusal = str(error)
    else:
        # METEOR names what it lacks; the first system is the reference itself
        doubts = [warning for warning in warnings if "METEOR" not in warning and "equal" not in warning]
        if (metric, language) == ("ter", "th"):
            assert "ter cannot split it" in doubts[0]
            return
        assert is_sensible(metric, scores), scores
        assert doubts == []
        return
    assert metric not in EMBEDDING or language in ("ja", "ko")  # which need a tokenizer from elsewhere
    assert any(word in refusal for word in ("language", "install", "parser"))


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("metric", NAMES)
def test_a_language_that_nobody_named_is_scored_sensibly_or_doubted(metric: str, language: str) -> None:
    try:
        scores, warnings = score_all(metric, language)
    except TertiumError as error:
        refusal = str(error)
    else:
        assert warnings or is_sensible(metric, scores), scores
        return
    assert "language=" in refusal


@pytest.mark.parametrize("metric", EMBEDDING)
@pytest.mark.parametrize("language", SPACED)
def test_metrics_over_vectors_need_no_download(metric: str, language: str) -> None:
    assert is_sensible(metric, score_all(metric, language, language=language)[0])


@pytest.mark.parametrize("metric", EMBEDDING)
@pytest.mark.parametrize("language", ["zh", "ja"])
def test_characters_serve_where_no_tokenizer_is_installed(metric: str, language: str) -> None:
    scores, _ = score_all(metric, language, language=language, tokenizer="char")
    assert is_sensible(metric, scores)
