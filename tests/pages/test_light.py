"""The first page is drawn without slow imports, the others without torch and matplotlib; decoding uses one core."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW_MODULES = ("torch", "pandas", "pyarrow", "matplotlib", "sacrebleu", "sentencepiece", "streamlit.emojis")


@pytest.mark.verdict
def test_pages_import_no_slow_module_and_decoding_uses_one_thread() -> None:
    """Two modules are imported on first use: `sheet` with matplotlib, `model_loading` with torch."""
    script = f"""
import importlib, pathlib, sys
from streamlit.testing.v1 import AppTest
from pages.ui.backend import service
service.PREFETCH_DELAY = 3600.0
app = AppTest.from_file("app.py", default_timeout=60).run()
assert not app.exception and app.get("bidi_component")
print(*(name for name in {SLOW_MODULES} if name in sys.modules))
for path in sorted(pathlib.Path("pages/ui").rglob("*.py")):
    if path.name not in ("sheet.py", "model_loading.py"):
        importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
print(*({{"matplotlib", "torch"}} & set(sys.modules)))
service.load_model("rnnsearch-50")
print(sys.modules["torch"].get_num_threads())
"""
    root, environment = Path(__file__).parents[2], os.environ | {"OMP_NUM_THREADS": "2"}
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1"]
