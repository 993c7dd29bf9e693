"""What a first page need not load: it is on the screen before anything heavy."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("torch", "pandas", "pyarrow", "matplotlib", "sacrebleu", "sentencepiece", "streamlit.emojis")


@pytest.mark.verdict
def test_the_first_page_is_drawn_without_anything_heavy() -> None:
    script = f"""
import sys
from streamlit.testing.v1 import AppTest
from pages.ui.backend import service
service.WARM_AFTER = 3600.0
app = AppTest.from_file("app.py", default_timeout=60).run()
assert not app.exception and app.get("bidi_component")
print(*(name for name in {HEAVY} if name in sys.modules))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
