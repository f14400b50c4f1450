"""The shipyard: a place to draw starships, save them, and try them in flight."""
