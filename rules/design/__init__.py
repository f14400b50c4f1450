"""The generator: proposes starships by theme, flies them a little, and keeps the best (docs/design.md)."""
