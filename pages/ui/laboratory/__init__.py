"""The laboratory: experiments with one sentence, such as overrides of the attention."""
