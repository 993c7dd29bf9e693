"""The family: one sentence through all kinds of models at once, what looking costs, and why it is divided by √d."""
