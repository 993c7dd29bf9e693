"""The mathematics of the networks over whole sequences, for training: same parameters, same loss, far less time."""
