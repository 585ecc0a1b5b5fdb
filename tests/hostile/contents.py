"""Contents of invalid files, by their defect."""

import gzip
import io
import json
import lzma
import pickle
import struct
import zipfile
import zlib

import numpy as np

__all__ = ["CONTENTS", "npy", "store"]


def npy(header: str) -> bytes:
    """Return a NumPy file with any header."""
    text = header.encode("latin-1").ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(64)


def store(version: int = 2, **facts: object) -> bytes:
    """Return a store of vectors with any header and a correct checksum of the header."""
    sound: dict[str, object] = {
        "version": version, "rows": 1, "dimension": 2, "precision": "float32", "bucket_bits": 1, "words_size": 3,
        "has_pieces": False, "name": "x", "checksum": "0" * 64, "index_sum": "0" * 8,
    }  # fmt: skip
    text = json.dumps(sound | facts).encode()
    return (
        b"TERTIUMV" + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text)) + bytes(512)
    )


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "a")
    return buffer.getvalue()


def _numpy_matrix(matrix: object) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.asarray(matrix))
    return buffer.getvalue()


_DEEP = 20_000
_LINES = b"a b\nc d\n"

CONTENTS: dict[str, bytes] = {
    "empty": b"",
    "one byte": b"a",
    "one line feed": b"\n",
    "blank lines": b"\n" * 50,
    "plain": _LINES,
    "NUL": b"\0" * 100,
    "NUL lines": b"\0\n" * 3,
    "only a byte order mark": b"\xef\xbb\xbf",
    "carriage returns": b"a\rb\rc",
    "UTF-16": "a\nb\n".encode("utf-16"),
    "Latin-1": b"caf\xe9\n",
    "surrogates as UTF-8": b"\xed\xa0\x80\n",
    "every byte": bytes(range(256)) * 4,
    "terminal codes": b"\x1b[31mred\x1b]0;title\x07\n\x1b[2J\t\x1b[0m\n",
    "a very long line": b"a" * 300_000,
    "very many columns": b"a\t" * 20_000 + b"b\n",
    "only a gzip mark": b"\x1f\x8b",
    "cut gzip": gzip.compress(_LINES * 100)[:-9],
    "gzip with a wrong sum": gzip.compress(_LINES)[:-8] + b"\0" * 8,
    "gzip and garbage": gzip.compress(_LINES) + b"garbage",
    "gzip in gzip": gzip.compress(gzip.compress(_LINES)),
    "gzip of nothing": gzip.compress(b""),
    "gzip of 5 MB of zeros": gzip.compress(bytes(5_000_000)),
    "only an xz mark": b"\xfd7zXZ\x00",
    "cut xz": lzma.compress(_LINES * 100)[:-5],
    "bzip2": b"BZh91AY&SY",
    "zstd": b"\x28\xb5\x2f\xfd",
    "zip": _zip(),
    "pickle": pickle.dumps({"a": [1.0]}),
    "old pickle": pickle.dumps({"a": [1.0]}, protocol=0),
    "Parquet marks": b"PAR1" + bytes(40) + b"PAR1",
    "empty object": b"{}\n",
    "empty objects": b"{}\n{}\n",
    "empty list": b"[]\n",
    "a number": b"3\n",
    "a string": b'"ref"\n',
    "null": b"null\n",
    "half an object": b'{"ref": "a"',
    "a key twice": b'{"ref": "a", "ref": "b"}\n',
    "JSON's NaN": b'{"ref": NaN, "hyp": Infinity}\n',
    "deep lists": b"[" * _DEEP + b"\n",
    "deep objects": b'{"ref":' * _DEEP + b"\n",
    "deep lists in a key": b'{"ref": ' + b"[" * 5_000 + b"]" * 5_000 + b"}\n",
    "an integer of 320 digits": b'{"system": "a", "score": ' + b"9" * 320 + b', "ref": "a", "hyp": "b"}\n',
    "an integer of 5,000 digits": b'{"system": "a", "score": ' + b"9" * 5_000 + b"}\n",
    "half a surrogate pair": b'{"ref": "\\ud800", "hyp": "\\udc00", "system": "\\ud800", "score": 1}\n',
    "a key with terminal codes": b'{"\\u001b[31m\\nx": "a"}\n{"ref": "a"}\n',
    "a value with line feeds": b'{"system": "a\\nb", "score": "x\\ny", "ref": "a\\nb", "hyp": "c\\nd"}\n',
    "a header alone": b"ref\thyp\tsystem\tscore\n",
    "a column twice": b"ref\tref\na\tb\n",
    "columns without names": b"\t\t\n\t\t\n",
    "a header with terminal codes": b"\x1b[31m\tb\nx\ty\n",
    "too few fields": b"ref\thyp\na\n",
    "scores that are no numbers": b"system\tscore\na\tNaN\nb\tinf\n",
    "a blank line before the scores": b"\nB\t0.25\nA\t0.5\n",
    "scores beyond floats": b"system\tscore\na\t1e999\n",
    "scores of 320 digits": b"system\tscore\na\t" + b"9" * 320 + b"\n",
    "rankings against oneself": b"sys1\trank1\tsys2\trank2\tseg_id\n\x1b\t1\t\x1b\t2\t1\n",
    "MQM of unknown severity": b"system\trater\tcategory\tseverity\tseg_id\na\tb\tc\t\x1b[31m\t1\n",
    "unclosed XML": b"<dataset><doc id='a'>",
    "XML with terminal codes": b"<dataset><doc id='&#27;'/></dataset>",
    "another XML": b"<html><body/></html>",
    "an entity bomb": b'<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><dataset>&b;</dataset>',
    "an entity of a file": b'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><dataset>&x;</dataset>',
    "deep XML": b"<a>" * 50_000,
    "a set without documents": b"<refset></refset>",
    "a set that is not closed": b"<refset><doc docid='a'><seg id='1'>",
    "documents in the wrong order": b"<refset></doc><seg></refset>",
    "a document called by terminal codes": b"<refset><doc docid='\x1b'><seg id='\x1b'>a</seg><seg id='\x1b'>b</seg></doc></refset>",
    "a very long tag": b"<refset " + b"a" * 300_000 + b"><doc docid='a'></doc></refset>",
    "TOML with a date": b'metric = "bleu"\n[options]\nsmooth_value = 2020-01-01\n[weights]\na = 2020-01-01\n',
    "TOML with a time": b'metric = "bleu"\n[options]\nsmooth_value = 10:00:00\n',
    "TOML with a table": b'metric = "bleu"\n[options.a]\nb = 1\n[weights.a]\nb = 1\n',
    "TOML with a list in a list": b'metric = "bleu"\n[options]\na = [[1]]\n',
    "TOML with NaN": b'metric = "bleu"\n[options]\nsmooth_value = nan\n[weights]\na = nan\n',
    "TOML with infinity": b'metric = "bleu"\n[options]\nsmooth_value = inf\n[weights]\na = -inf\n',
    "TOML with 400 digits": b'metric = "bleu"\n[options]\nsmooth_value = ' + b"9" * 400 + b"\n[weights]\na = " + b"9" * 400 + b"\n",
    "TOML with 5,000 digits": b'metric = "bleu"\n[options]\nsmooth_value = ' + b"9" * 5_000 + b"\n",
    "deep TOML": b"a = " + b"[" * 20_000 + b"\n",
    "deep dotted TOML": b".".join([b"a"] * 5_000) + b" = 1\n",
    "TOML with terminal codes": b'metric = "\\u001b[31m"\n[options]\n"\\u001b\\n" = []\n[weights]\n"\\u001b\\n" = "x"\n',
    "a sentence with a cycle": b"1\ta\ta\tX\t_\t_\t2\tx\t_\t_\n2\tb\tb\tX\t_\t_\t1\tx\t_\t_\n\n",
    "a head of 5,000 digits": b"1\ta\ta\tX\t_\t_\t" + b"9" * 5_000 + b"\tx\t_\t_\n\n",
    "a head that is no ASCII digit": "1\ta\ta\tX\t_\t_\t²\tx\t_\t_\n\n".encode(),
    "a token with terminal codes": b"\x1b[31m\ta\ta\tX\t_\t_\t0\tx\t_\t_\n\n",
    "vectors with NaN": b"cat 1 nan\ndog 2 3\n",
    "vectors with infinity": b"cat 1 inf\ndog 2 3\n",
    "vectors beyond single precision": b"cat 1 1e39\ndog 2 3\n",
    "vectors with a wrong header": b"9 2\ncat 1 2\n",
    "vectors with 5,000 digits in the header": b"9" * 5_000 + b" 2\ncat 1 2\n",
    "vectors with 20 digits in the header": b"9" * 20 + b" " + b"9" * 20 + b"\ncat 1 2\n",
    "vectors of no dimension": b"1 0\ncat\n",
    "vectors called by terminal codes": b"\x1b[31m 1 x\n",
    "binary vectors with a line feed in a word": b"2 1\nca\nt \0\0\x80?dog \0\0\0@",
    "binary vectors with NaN": b"1 1\ncat \0\0\xc0\x7f",
    "binary vectors that end": b"2 1\ncat \0\0\x80?do",
    "binary vectors without end": b"999999999999 999999999999\ncat \0\0\x80?",
    "a fastText mark": struct.pack("<i", 793712314),
    "a fastText model of zeros": struct.pack("<ii", 793712314, 12) + bytes(400),
    "a fastText model of ones": struct.pack("<ii", 793712314, 12) + b"\xff" * 400,
    "NumPy without header": b"\x93NUMPY",
    "NumPy with a junk header": npy("\xff\xfe{{{{"),
    "NumPy with no dictionary": npy("3"),
    "NumPy with open brackets": npy("{'descr': '<f4', 'shape': (("),
    "NumPy with a huge shape": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2)}"),
    "NumPy with a negative shape": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2)}"),
    "NumPy with a string as shape": npy("{'descr': '<f4', 'fortran_order': False, 'shape': 'ab'}"),
    "NumPy with objects": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1, 2)}"),
    "NumPy with a strange type": npy("{'descr': [('a', 3)], 'fortran_order': False, 'shape': (1, 2)}"),
    "NumPy with code as header": npy("__import__('os').system('true')"),
    "a NumPy matrix with NaN": _numpy_matrix([[np.nan, 1.0]]),
    "a NumPy matrix beyond single precision": _numpy_matrix([[1e300, 1.0]]),
    "a NumPy matrix of text": _numpy_matrix([["a", "b"]]),
    "a store's mark": b"TERTIUMV",
    "a store with a huge header": b"TERTIUMV\xff\xff\xff\xff" + bytes(100),
    "a store whose header is a list": b"TERTIUMV" + struct.pack("<I", 2) + b"[]" + bytes(100),
    "a store whose header nests": b"TERTIUMV" + struct.pack("<I", 60_000) + b"[" * 60_000 + bytes(100),
    "a store with rows as text": store(rows="1"),
    "a store with rows as a list": store(rows=[1]),
    "a store with negative rows": store(rows=-1),
    "a store with too many rows": store(rows=2**62),
    "a store with rows of 400 digits": store(rows=10**400),
    "a store with no dimension": store(dimension=0),
    "a store with dimension null": store(dimension=None),
    "a store with a fraction as dimension": store(dimension=1.5),
    "a store with an unknown precision": store(precision="int4"),
    "a store with precision as a list": store(precision=[]),
    "a store with objects as precision": store(precision="object"),
    "a store with no bits": store(bucket_bits=0),
    "a store with a thousand bits": store(bucket_bits=1000),
    "a store with pieces as text": store(has_pieces="no"),
    "a store without a name": store(name=None),
    "a store with a number as checksum": store(checksum=3),
    "a store with a field too many": store(extra=1),
    "a store of version 1": store(version=1),
    "a store of version 99": store(version=99),
    "a store of version null": store(version=None),  # type: ignore[arg-type]
    "a store of version []": store(version=[]),  # type: ignore[arg-type]
}  # fmt: skip
