"""Messages, glossary, numbers and typography in the reader's language."""
