"""The starship generator: proposes starships on a theme, and keeps the best (docs/design.md)."""
