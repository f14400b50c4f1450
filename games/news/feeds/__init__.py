"""The secret addresses of feeds, which `games/site/feeds/` answers."""
