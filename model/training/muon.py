"""Muon: the update of every matrix made nearly orthogonal, so that no direction of it is taught faster than another.

After Jordan et al. 2024 ("Muon: an optimizer for hidden layers in neural networks"), with the scale of Liu et al. 2025
("Muon is scalable for LLM training", section 2.2), by which a recipe's rate means for matrices what it means for Adam.
torch.optim.Muon does the same in bfloat16, which a processor without it multiplies three times slower than float32.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # of the quintic whose repetition takes singular values to about 1
STEPS = 5
SCALE = 0.2  # root mean square of an entry of Adam's usual update


def orthogonal(matrix: Tensor) -> Tensor:
    """U V^T nearly, where matrix = U S V^T: all singular values between about 0.7 and 1.2; same shape."""
    a, b, c = COEFFICIENTS
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-7)  # no singular value above 1
    for _ in range(STEPS):
        product = x @ x.T
        x = a * x + (b * product + c * product @ product) @ x
    return x.T if tall else x


class Muon(torch.optim.Adam):
    """Muon for the matrices of a network, Adam for its other parameters.

    parameters: all of them; vocabulary: pieces. A matrix with a row or a column a piece is a table of embeddings or
    the output layer, whose rows are taught one by one: Adam's.
    """

    def __init__(self, parameters: Iterable[Tensor], vocabulary: int, *, lr: float, momentum: float,
                 betas: tuple[float, float], eps: float) -> None:
        groups: list[dict[str, Any]] = [{"params": [], "momentum": None}, {"params": [], "momentum": momentum}]
        for parameter in parameters:
            groups[parameter.ndim == 2 and vocabulary not in parameter.shape]["params"].append(parameter)
        super().__init__([group for group in groups if group["params"]], lr=lr, betas=betas, eps=eps, fused=True)

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        """One update of all parameters from their gradients; what `closure` gives, if there is one."""
        everything = self.param_groups
        self.param_groups = [group for group in everything if group["momentum"] is None]
        try:
            told = super().step(closure)
        finally:
            self.param_groups = everything
        for group in everything:
            if group["momentum"] is not None:
                for parameter in group["params"]:
                    self._update(parameter, group["momentum"], group["lr"])
        return told

    def _update(self, parameter: Tensor, momentum: float, rate: float) -> None:
        """Momentum as Nesterov's, made orthogonal, at the scale of Adam's updates."""
        if parameter.grad is None:
            return
        state = self.state[parameter]
        if "momentum" not in state:
            state["momentum"], state["step"] = torch.zeros_like(parameter), torch.zeros(())  # Adam's reader wants steps
        state["step"] += 1
        mean = state["momentum"].lerp_(parameter.grad, 1 - momentum)
        ahead = parameter.grad.lerp(mean, momentum)
        parameter.add_(orthogonal(ahead), alpha=-rate * SCALE * max(parameter.shape) ** 0.5)
