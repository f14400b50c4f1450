"""Pages of the shipyard."""
