"""The wind tunnel: computers fly a starship for a verdict (docs/tunnel.md)."""
