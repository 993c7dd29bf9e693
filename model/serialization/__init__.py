"""Records to and from JSON and TOML, atomic files, and the wording of error messages."""
