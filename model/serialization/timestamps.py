"""The time at which a record is made."""

from datetime import UTC, datetime


def format_current_time() -> str:
    """Return the time now in UTC in ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
