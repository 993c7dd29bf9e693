"""Loading of models for the service. This module imports torch, and pages are drawn without it."""

import gc

import torch

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import Model
from model.decoding.fast.background_compile import compile_in_background


def load_model(name: str) -> Model:
    """Load a checkpoint. Decoding then uses one core.

    The steps of a sentence are too small to gain from two, and torch's threads busy-wait for each other: beside another
    busy program two were up to ten times slower than one. Search kernels are compiled in the background, so that the
    first reader does not wait for them.
    """
    torch.set_num_threads(1)
    compile_in_background()
    model = checkpoint.load_model(name)
    gc.freeze()  # spares each garbage collection a walk through torch and the models
    return model
