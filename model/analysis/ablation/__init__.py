"""Ablation of attention: how a translation changes when attention weights are overridden."""
