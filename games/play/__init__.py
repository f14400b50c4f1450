"""A game under way: its seats, turns, hands, programs and log."""
