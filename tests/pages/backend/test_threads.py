"""How much of the machine the app takes to translate."""

import os
import subprocess
import sys

LOOK = """
from pages.ui.backend import service
service.load_model("rnnsearch-50")
import torch
print(torch.get_num_threads())
"""


def test_decoding_takes_one_core() -> None:
    """Beside another busy program two threads that wait for one another take longer than one, up to ten times."""
    environment = os.environ | {"OMP_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", LOOK], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]
