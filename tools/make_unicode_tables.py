"""Write native/include/tertium/base/unicode_tables.hpp: the code points of categories N, P and S.

The tables come from the `regex` package, not from `unicodedata`, because sacreBLEU's `intl` tokenizer uses it and the
two have different versions of Unicode. Run: python tools/make_unicode_tables.py
"""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import regex

TARGET = Path(__file__).parent.parent / "native" / "include" / "tertium" / "base" / "unicode_tables.hpp"
CLASSES = {"Number": r"\p{N}", "Punctuation": r"\p{P}", "Symbol": r"\p{S}"}


def find_ranges(pattern: str) -> Iterator[tuple[int, int]]:
    """Yield the first and last code point of each run that the pattern matches."""
    everything = "".join(map(chr, range(0x110000)))
    for run in regex.finditer(f"(?:{pattern})+", everything):
        yield run.start(), run.end() - 1


def render_table(name: str, ranges: list[tuple[int, int]]) -> str:
    rows = "\n".join(f"    {{0x{first:x}, 0x{last:x}}}," for first, last in ranges)
    return f"inline constexpr std::array<CodePointRange, {len(ranges)}> k{name}Ranges = {{{{\n{rows}\n}}}};\n"


def main() -> None:
    tables = "\n".join(render_table(name, list(find_ranges(pattern))) for name, pattern in CLASSES.items())
    TARGET.write_text(
        f"// Made by tools/make_unicode_tables.py with regex {version('regex')}; do not edit.\n"
        "// clang-format off\n"
        "#pragma once\n\n#include <array>\n\nnamespace tertium {\n\n"
        "struct CodePointRange {\n  char32_t first;\n  char32_t last;\n};\n\n"
        f"{tables}\n}}  // namespace tertium\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
