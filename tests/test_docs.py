"""The documentation is made from the code and stays so."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_metrics_page_is_up_to_date() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); import make_metric_docs as m; print(m.render_page(), end='')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert page == run.stdout, "docs/metrics.md is old: run 'make docs'"
