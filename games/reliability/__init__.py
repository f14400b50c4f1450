"""How reliable players are: a figure that others may see. What counts for it is up to `absence`."""
