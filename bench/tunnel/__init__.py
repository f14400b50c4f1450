"""The wind tunnel measured: limits are set from one half of the fleet, and tried on the other."""
