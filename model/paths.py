"""Where the repository's own files are. Every other module takes its paths from here."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "assets"
