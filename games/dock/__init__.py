"""The Space Dock: a place to try prototypes before they may join the fleet."""
