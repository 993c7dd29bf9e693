"""Messages, citations, numbers and typography in the reader's language."""
