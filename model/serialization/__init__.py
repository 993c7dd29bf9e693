"""Records to and from JSON and TOML, atomic files, times, and the wording of error messages."""
