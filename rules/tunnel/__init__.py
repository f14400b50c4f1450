"""The wind tunnel: computers play many games on a starship to judge it (docs/tunnel.md)."""
