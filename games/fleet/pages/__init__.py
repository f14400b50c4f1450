"""Pages of the starship library, its drawings, and lists of starships."""
