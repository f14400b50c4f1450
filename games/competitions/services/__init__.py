"""Services for tournaments, ladders, seasons and matching."""
