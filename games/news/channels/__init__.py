"""The channels by which notifications go of this room."""
