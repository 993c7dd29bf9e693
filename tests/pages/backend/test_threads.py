"""Decoding uses one core."""

import os
import subprocess
import sys

SCRIPT = """
from pages.ui.backend import service
service.load_model("rnnsearch-50")
import torch
print(torch.get_num_threads())
"""


def test_decoding_uses_one_thread() -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "2"}
    run = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1"]
