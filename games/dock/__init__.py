"""The Space Dock: prototypes, which people try before they may join the fleet."""
