"""Table 2 of Wang & Merlo (2016): WMT15. The thresholds of BLEUmodif are chosen elsewhere."""

from papers.layout import FROM_ENGLISH, TO_ENGLISH, PaperTable, Row

__all__ = ["MODIF_SEGMENT", "MODIF_SYSTEM"]

_VECTORS = "See the choice of the threshold above: vectors, and the threshold that suits them."

MODIF_SYSTEM = PaperTable(
    "BLEUmodif and WERmodif (Wang & Merlo 2016), Table 2: WMT15, system level, Pearson's r",
    "wmt15",
    "system:pearson",
    (TO_ENGLISH, FROM_ENGLISH),
    (
        Row("TER", "ter:normalized=yes", (0.935, 0.756)),
        Row("NIST", "nist:tokenizer=intl,lowercase=yes", (0.941, 0.726)),
        Row("BLEU", "bleu:tokenizer=intl,lowercase=yes", (0.920, 0.760)),
        Row("BLEUmodif, δ = 0.1", "bleu_modif", (0.951, 0.881), _VECTORS),
        Row("BLEUmodif, δ = 0.6", "bleu_modif:threshold=0.6", (0.951, 0.881), _VECTORS),
        Row("WER", "wer:lowercase=yes", (0.930, 0.754)),
        Row("WERmodif", "wer_modif", (0.949, 0.922), _VECTORS),
    ),
)

MODIF_SEGMENT = PaperTable(
    "BLEUmodif and WERmodif (Wang & Merlo 2016), Table 2: WMT15, segment level, Kendall's τ of WMT14",
    "wmt15",
    "segment:wmt14",
    (TO_ENGLISH, FROM_ENGLISH),
    (
        Row("BLEU", "bleu:smooth_method=none,effective_order=no", (0.137, 0.139), "@BLEU@"),
        Row("sentBLEU", "sentbleu:tokenizer=intl,lowercase=yes", (0.359, 0.306)),
        Row("BLEUmodif, δ = 0.1", "bleu_modif", (0.390, 0.353), _VECTORS),
        Row("BLEUmodif, δ = 0.7", "bleu_modif:threshold=0.7", (0.390, 0.353), _VECTORS),
        Row("WER", "wer:tokenizer=intl,lowercase=yes", (0.373, 0.324), "@WER@"),
        Row("WERmodif", "wer_modif", (0.397, 0.347), _VECTORS),
    ),
)
