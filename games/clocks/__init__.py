"""Time in games: paces, clocks, quiet hours, days off, vacation and outages."""
