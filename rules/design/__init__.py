"""The generator: propose starships by theme, and keep the best (docs/design.md)."""
