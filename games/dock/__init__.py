"""The Space Dock: prototypes for people to try before they may join the fleet."""
