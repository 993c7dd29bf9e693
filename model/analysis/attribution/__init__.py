"""What of the encoder's states still reaches each target piece: gradients by distance, and the gates beside them."""
