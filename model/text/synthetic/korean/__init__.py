"""English-Korean sentences by rule: conjugation in three styles, particles, numbers, dates and templates."""
