"""Table 2 of Wang & Merlo (2016): WMT15. The thresholds of BLEUmodif are chosen elsewhere."""

from papers.layout import FROM_ENGLISH, TO_ENGLISH, Column, PaperTable, Row

__all__ = ["MODIF_SEGMENT", "MODIF_SYSTEM", "MODIF_VARIANTS"]

_BLEU = (
    "Unknown: the paper does not say which sentence-level BLEU it used. Many sentences have a BLEU of 0, and the treatment"
    " of these ties changes the number. Omitting orders without a match from the product, as older versions of NLTK do, was"
    " closest in a trial."
)
_WER = "Probably the divisor: the length of the hypothesis instead of the reference breaks ties. The system level agrees."
_VECTORS = "We use the package's English vectors and their threshold: see above, and the variants below."

MODIF_SYSTEM = PaperTable(
    "Table 2: WMT15, system level, Pearson's r",
    "wmt15",
    "system:pearson",
    (TO_ENGLISH, FROM_ENGLISH),
    (
        Row("TER", "ter:normalized=yes", (0.935, 0.756)),
        Row("NIST", "nist:tokenizer=intl,lowercase=yes", (0.941, 0.726)),
        Row("BLEU", "bleu:tokenizer=intl,lowercase=yes", (0.920, 0.760)),
        Row("BLEUmodif, δ = 0.1", "bleu_modif@paper", (0.951, 0.881), _VECTORS),
        Row("BLEUmodif, the default δ = 0.7", "bleu_modif", (0.951, 0.881), _VECTORS),
        Row("WER", "wer:lowercase=yes", (0.930, 0.754)),
        Row("WERmodif", "wer_modif@paper", (0.949, 0.922), _VECTORS),
    ),
)

MODIF_SEGMENT = PaperTable(
    "Table 2: WMT15, segment level, Kendall's τ of WMT14",
    "wmt15",
    "segment:wmt14",
    (TO_ENGLISH, FROM_ENGLISH),
    (
        Row("BLEU", "bleu:smooth_method=none,effective_order=no", (0.137, 0.139), _BLEU),
        Row("sentBLEU", "sentbleu:tokenizer=intl,lowercase=yes", (0.359, 0.306)),
        Row("BLEUmodif, δ = 0.1", "bleu_modif@paper", (0.390, 0.353), _VECTORS),
        Row("BLEUmodif, the default δ = 0.7", "bleu_modif", (0.390, 0.353), _VECTORS),
        Row("WER", "wer:tokenizer=intl,lowercase=yes", (0.373, 0.324), _WER),
        Row("WERmodif", "wer_modif@paper", (0.397, 0.347), _VECTORS),
    ),
)

_BLEU_NUMBERS = (0.951, 0.390)
_WER_NUMBERS = (0.949, 0.397)

MODIF_VARIANTS = PaperTable(
    "Both on WMT15 into English, one setting changed at a time",
    "wmt15",
    "system:pearson",
    (
        Column("systems, Pearson's r", TO_ENGLISH.pairs),
        Column("segments, τ", TO_ENGLISH.pairs, "segment:wmt14"),
    ),
    (
        Row("BLEUmodif", "bleu_modif@paper", _BLEU_NUMBERS),
        Row("BLEUmodif", "bleu_modif", _BLEU_NUMBERS),
        Row("BLEUmodif", "bleu_modif", _BLEU_NUMBERS, means=True),
        Row("BLEUmodif", "bleu_modif", _BLEU_NUMBERS, tokens="bare"),
        Row("BLEUmodif", "bleu_modif:tokenizer=intl", _BLEU_NUMBERS),
        Row("BLEUmodif", "bleu_modif:tokenizer=none", _BLEU_NUMBERS),
        Row("BLEUmodif", "bleu_modif:lowercase=yes", _BLEU_NUMBERS),
        Row("BLEUmodif", "bleu_modif:oov=zero", _BLEU_NUMBERS),
        Row("WERmodif", "wer_modif", _WER_NUMBERS),
        Row("WERmodif", "wer_modif", _WER_NUMBERS, means=True),
        Row("WERmodif", "wer_modif", _WER_NUMBERS, tokens="bare"),
        Row("WERmodif", "wer_modif:tokenizer=intl", _WER_NUMBERS),
        Row("WERmodif", "wer_modif:lowercase=yes", _WER_NUMBERS),
    ),
    explains=False,
    text="With the package's vectors, which are lower-case. Bare tokens contain only letters and digits. The paper does not say"
    " how systems are scored or how punctuation is treated. These are results on the test set; no setting was chosen by"
    " them.",
)
