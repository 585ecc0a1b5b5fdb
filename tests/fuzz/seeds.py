"""Small valid files of every format, which the fuzzers damage."""

import io
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reference.vector_files import (
    TABLE,
    FastTextModel,
    write_fasttext,
    write_glove,
    write_numpy,
    write_word2vec_binary,
    write_word2vec_text,
)
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_store

__all__ = [
    "CALIBRATION",
    "CANDIDATES",
    "GLOSSARY",
    "JUDGMENTS",
    "MANIFEST_TOML",
    "RULES",
    "SCORES",
    "SUITES",
    "TEXTS",
    "THESAURUS",
    "TREES",
    "VECTORS",
]

_SGML = (
    b'<refset setid="s" srclang="de" trglang="en"><doc docid="d" sysid="r" domain="news">\n'
    b'<seg id="1">a &amp; b</seg>\n<seg id="2">c</seg></doc></refset>\n'
    b'<tstset setid="s"><doc docid="d" sysid="A"><seg id="1">a</seg><seg id=2>c d</seg></doc></tstset>\n'
)
_XML = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<dataset id="t"><collection id="c"><doc id="d" origlang="de">'
    b'<src lang="de"><p><seg id="1">x</seg></p></src><ref lang="en" translator="A"><p><seg id="1">a</seg></p></ref>'
    b'<hyp system="S" language="en"><p><seg id="1">a b</seg></p></hyp></doc></collection></dataset>\n'
)


def _parquet() -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table({"ref": ["a", "b"], "hyp": ["a", "c"], "domain": ["x", "y"]}), buffer)
    return buffer.getvalue()


_XLIFF = (
    b'<xliff version="1.2"><file original="f" target-language="en"><body><trans-unit id="1"><source>x <g id="1">y</g>'
    b"</source><target>a<ph id='2'>c</ph></target></trans-unit></body></file></xliff>"
)
_TMX = (
    b'<tmx version="1.4"><header srclang="de"/><body><tu tuid="1"><tuv xml:lang="de"><seg>x</seg></tuv>'
    b'<tuv xml:lang="en"><seg>a <bpt i="1">b</bpt></seg></tuv></tu></body></tmx>'
)


def _xlsx() -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["ref", "hyp", "domain"])
    book.active.append(["a", "b", 1.5])
    book.save(buffer)
    return buffer.getvalue()


TEXTS: list[bytes] = [
    _xlsx(),
    b"1\n00:00:01,000 --> 00:00:02,000\na <i>b</i>\n\n2\n00:00:02,500 --> 00:00:03,000\nc\n",
    b"WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v A>a\nb\n",
    "a b\nc d é\n\n".encode(),
    b"ref\thyp\tdoc\na b\ta c\tx\nd\te\ty\n",
    b'{"ref": "a b", "hyp": "a", "domain": "x"}\n{"ref": ["c", "d"], "hyp": "c", "domain": 3}\n',
    b'ref,hyp,doc\n"a, ""b""",c,x\n"d\ne",f,y\n',
    _SGML,
    _XML,
    _XLIFF,
    _TMX,
    _parquet(),
]
JUDGMENTS: list[bytes] = [
    b"system\tseg_id\tscore\trater\nA\t1\t0.5\tx\nB\t2\t-3\ty\n",
    b"lp\tsystem\tscore\nde-en\tA\t0.5\nde-en\tB\t1e3\n",
    b"seg_id\tsys1\trank1\tsys2\trank2\trater\n1\tA\t1\tB\t2\tx\n",
    b"system\tdoc\tdoc_id\tseg_id\trater\tcategory\tseverity\nA\td\t1\t1\tx\tfluency/grammar\tmajor\nB\td\t1\t1\tx\tNo-error\tno-error\n",
    b'{"system": "A", "segment": 1, "score": 0.5}\n{"system": "B", "segment": 2, "score": 1}\n',
    b"lp\tmt\tref\tscore\nde-en\ta\tb\t3\n",
    b"A\t0.5\nB\t0.25\nA\tNone\n",
    b'u,A,1,TGT,eng,deu,5,d,False,"[{""start_i"": 0, ""end_i"": 2, ""severity"": ""minor""}]",1.0,2.5\n',
    b'{"annotation": [{"A": {"score": 1}}], "item": [{"tgt": {"A": "ab"}}], "user_id": "u", "actions": [{"time": 1.5}]}\n',
    b'{"langs": "en-de", "line_id": 0, "tgt": "ab", "esa_spans": [], "esa_score": "6", "system": "A", "times": [1, 2]}\n',
    b'{"doc_id": "en-de_#_d", "tgt_text": {"A": "ab"}, "scores": {"A": [{"human": 1, "errors": []}]}}\n',
    b"SYS SID RAW.SCR Z.SCR N\nA 1 50 0.5 2\n",
    b'{"langs": "en-de", "line_id": 0, "esa_score": 6, "system": "A"}\n{"langs": "en-de", "line_id": 1, "esa_score": 7, "system": "A"}\n',
    b'{"scores": {"A": 1}, "tgt_text": {"A": "a"}}\n{"scores": {"A": {"human": 2}}, "tgt_text": {"A": "b"}}\n',
    b'A\t{"errors": [{"start": 0, "end": 1, "severity": "minor"}]}\tr\nA\tNone\n',
    b'{"A.txt": [{"mt": "ab", "COMET": 0.5, "errors": [{"start": 0, "end": 1, "severity": "minor"}]}]}\n',
    b"segment_id\tsystem_id\tstart_indices\tend_indices\terror_types\n1\tA\t0 3\t1 4\tminor major\n",
]
SCORES: list[bytes] = [
    b"0.5\n0.25\n",
    b"A\t0.5\nA\t0.25\n",
    b"system\tsegment\tscore\nA\t1\t0.5\nA\t2\t1\n",
    b"A\n0.5\n1\n",
    b'{"out/A.txt": [{"src": "x", "mt": "a", "ref": "b", "COMET": 0.5}, {"COMET": 1}]}\n',
    b'{"system": "A", "segment": 1, "score": 0.5}\n{"system": "A", "segment": 2, "score": 1}\n',
]
MANIFEST_TOML: list[bytes] = [
    b'metric = "chrf"\n[options]\nbeta = 2.0\nword_order = 2\nwhitespace = true\n[tuning]\nscore = 0.5\n',
    b'metric = "bleu"\n[options]\nsmooth_method = "floor"\nsmooth_value = 0.1\n',
    b"[weights]\nprecision-1 = 0.5\nrecall-2 = -1\n",
]
SUITES: list[bytes] = [
    b'[[test_set]]\nname = "a"\nlanguage = "de-en"\nreferences = "r.txt"\nsystems = {A = "a.txt", B = "b.txt"}\n',
    b"test_set\tsystem\thypothesis\treference\tlanguage\na\tA\ta.txt\tr.txt\tde-en\na\tB\tb.txt\tr.txt\tde-en\n",
]
CALIBRATION: list[bytes] = [
    (
        b'{"format": "tertium-calibration-2", "source": "x", "metrics": [{"name": "bleu", "signatures": ["bleu|nrefs:1"],'
        b' "curve": {"scale": 2.0, "shape": 1.0, "deviation": 0.9, "margin": 1.0}, "pairs": {"wmt21 cs-en": "+3.9 -0.9 +1"}}]}\n'
    ),
]
CANDIDATES: list[bytes] = [
    b'["a b", "c"]\n{"candidates": ["a", "b"], "source": "x"}\n',
    b"0 ||| a b ||| F=1 ||| -2.5\n0 ||| c\n1 ||| d\n",
    b"a\tb c\td\ne\tf\n",
]
GLOSSARY: list[bytes] = [
    b"# terms\nHaus\thouse|home\nAuto\tcar\n",
    b"the\t100\nof\t7\n",
]
RULES: list[bytes] = [
    b'[[rule]]\nmetric = "bleu"\nnot_worse = 0.5\n\n[[rule]]\nmetric = "chrf"\nat_least = 20\nby = "domain"\nalpha = 0.01\n',
    b'[[rule]]\nmetric = "ter"\nnot_significantly_worse = true\nundecided = "pass"\n',
]
TREES: list[bytes] = [
    b"# text = a b\n1\ta\ta\tDET\t_\t_\t2\tdet\t_\t_\n2\tb\tb\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
    b"1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\tb\tX\t_\t_\t1\tx\t_\t_\n\n",
]
THESAURUS: list[bytes] = [
    b"UTF-8\nhouse|2\n(noun)|home|dwelling (generic term)\n(verb)|shelter\ncar|1\n-|automobile\n",
    b"0.5\nthe car\nan automobile\n0.1\nhouse\nhome\n",
    b"# words\nthe of and\n",
]


@cache
def _vector_files() -> list[bytes]:
    vectors = MemoryVectors(list(TABLE), np.array(list(TABLE.values()), dtype=np.float32))
    writers: list[Callable[[Path], object]] = [
        lambda path: write_word2vec_text(path, TABLE),
        lambda path: write_glove(path, TABLE),
        lambda path: write_word2vec_binary(path, TABLE),
        lambda path: write_numpy(path, TABLE),
        lambda path: write_fasttext(path, FastTextModel(["cat", "dog"])),
        lambda path: write_store(path, vectors, name="x"),
        lambda path: write_store(path, vectors, name="x", precision="int8"),
    ]
    return [_written(write) for write in writers]


def _written(write: Callable[[Path], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "v.npy"
        write(path)
        return path.read_bytes()


VECTORS: list[bytes] = _vector_files()
