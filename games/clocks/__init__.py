"""Time: paces, clocks, quiet hours, days off, vacation and outages."""
