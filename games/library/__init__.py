"""The library: starships to find, one of them, and flying it alone."""
