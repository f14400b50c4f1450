"""Measures the wind tunnel: half of the fleet sets limits, the rest tests them."""
