"""Ratings and awards as players see them, and the game results behind them."""
