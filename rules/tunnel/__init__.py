"""The wind tunnel: computers fly a starship many times, and its report is a verdict (docs/tunnel.md)."""
