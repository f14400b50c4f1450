"""Running games: seats, turns, hands, orders, deadlines and the log."""
