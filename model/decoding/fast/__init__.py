"""Fast decoders of the networks, one per family, and the numba kernels that they and training use."""
