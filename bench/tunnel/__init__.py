"""Measure the wind tunnel: half of the fleet sets the limits, and the other half tests them."""
