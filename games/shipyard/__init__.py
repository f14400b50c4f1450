"""The shipyard: starships that people draw, keep, and fly to try them."""
