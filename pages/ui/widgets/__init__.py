"""Controls, tables and downloads that several pages use."""
